//! Leader election after the Erlang protocol of Arts, Claessen and Svensson (FORTE'12 `le-erlang`). The paper's source is not public;
//! this is the natural simplification, with its natural bug: a node that has surrendered answers nobody else, so that two candidates
//! can each lack the vote that the other one holds, and no leader is elected.

use crate::{Actor, Address, Context, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Node {
    others: Vec<Address<Node>>,
    /// Smaller is stronger.
    priority: u32,
    votes: usize,
    surrendered: bool,
    crashed: bool,
    leader: Option<u32>,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    Start,
    /// I want to lead: my priority and address.
    Capture(u32, Address<Node>),
    Surrender,
    Elected(u32),
    Crash,
}

impl Actor for Node {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        if self.crashed {
            return;
        }
        match message {
            Message::Start => {
                if !self.surrendered {
                    for &other in &self.others {
                        context.send(other, Message::Capture(self.priority, context.me()));
                    }
                }
            }
            Message::Capture(priority, candidate) => {
                if priority < self.priority && !self.surrendered && self.leader.is_none() {
                    self.surrendered = true;
                    context.send(candidate, Message::Surrender);
                }
            }
            Message::Surrender => {
                self.votes += 1;
                // A majority, the candidate's own vote included.
                if !self.surrendered && self.leader.is_none() && 2 * (self.votes + 1) > self.others.len() + 1 {
                    self.leader = Some(self.priority);
                    for &other in &self.others {
                        context.send(other, Message::Elected(self.priority));
                    }
                }
            }
            Message::Elected(priority) => {
                assert!(
                    self.leader.is_none_or(|known| known == priority),
                    "two leaders: {:?} and {priority}",
                    self.leader
                );
                self.leader = Some(priority);
            }
            Message::Crash => self.crashed = true,
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Start").send::<Node>("Capture");
        sends.on("Capture").send::<Node>("Surrender");
        sends.on("Surrender").send::<Node>("Elected");
        sends.on("Elected");
        sends.on("Crash");
    }
}

/// `n` nodes that all start; with `crash` the strongest one stops at any moment.
pub(super) fn system(n: u32, crash: bool) -> System {
    let mut system = System::new();
    let nodes = system.create_many("node", n as usize, |all, nth| Node {
        others: all.iter().copied().filter(|a| *a != all[nth]).collect(),
        priority: nth as u32,
        votes: 0,
        surrendered: false,
        crashed: false,
        leader: None,
    });
    for &node in &nodes {
        system.send(node, Message::Start);
    }
    if crash {
        system.send(nodes[0], Message::Crash);
    }
    system.at_end(|end| {
        let alive = || end.states::<Node>().filter(|n| !n.crashed);
        assert!(alive().all(|n| n.leader.is_some()), "no leader is elected");
    })
}
