//! Leader election of Raft, three nodes: why timeouts must differ.
//!
//! Whoever hears of no leader for its timeout asks the others for their votes. Messages take less than a unit of time. If all have the same timeout,
//! all ask at the same time, all vote for themselves, and so for ever: `system([5, 5, 5])` is a livelock. With different timeouts somebody is
//! first. At most one node leads in any term in both cases.

use mazurka_actors::{Actor, Address, Context, Crashes, System};

/// Terms are counted modulo this: messages of earlier terms are gone when the next begins.
const TERMS: u8 = 4;
const HEARTBEAT: u64 = 2;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Role {
    Follower,
    Candidate(u8),
    Leader,
}

#[derive(Clone, Hash, Debug)]
struct Node {
    peers: Vec<Address<Node>>,
    timeout: u64,
    term: u8,
    voted: bool,
    role: Role,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    Timeout,
    Beat,
    RequestVote(u8, Address<Node>),
    Vote(u8),
    Heartbeat(u8),
}

fn is_newer(term: u8, than: u8) -> bool {
    (1..TERMS / 2 + 1).contains(&((term + TERMS - than) % TERMS))
}

impl Node {
    fn follow(&mut self, term: u8) {
        self.term = term;
        self.voted = false;
        self.role = Role::Follower;
    }

    fn wait(&self, context: &mut Context<Self>) {
        context.set_timer("election", self.timeout, Message::Timeout);
    }

    fn lead(&mut self, context: &mut Context<Self>) {
        self.role = Role::Leader;
        context.cancel_timer("election");
        self.beat(context);
    }

    fn beat(&self, context: &mut Context<Self>) {
        for &peer in &self.peers {
            context.send(peer, Message::Heartbeat(self.term));
        }
        context.set_timer("heartbeat", HEARTBEAT, Message::Beat);
    }
}

impl Actor for Node {
    type Message = Message;
    const TIMERS: &'static [&'static str] = &["election", "heartbeat"];

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        match message {
            Message::Timeout => {
                self.follow((self.term + 1) % TERMS);
                self.voted = true;
                self.role = Role::Candidate(1);
                for &peer in &self.peers {
                    context.send(peer, Message::RequestVote(self.term, context.me()));
                }
                self.wait(context);
            }
            Message::RequestVote(term, candidate) => {
                if is_newer(term, self.term) {
                    self.follow(term);
                    context.cancel_timer("heartbeat");
                }
                if term == self.term && !self.voted {
                    self.voted = true;
                    context.send(candidate, Message::Vote(term));
                    self.wait(context);
                }
            }
            Message::Vote(term) => {
                if let Role::Candidate(votes) = self.role
                    && term == self.term
                {
                    self.role = Role::Candidate(votes + 1);
                    if usize::from(votes + 1) > self.peers.len().div_ceil(2) {
                        self.lead(context);
                    }
                }
            }
            Message::Heartbeat(term) => {
                if term == self.term || is_newer(term, self.term) {
                    if term != self.term {
                        self.follow(term);
                    }
                    self.role = Role::Follower;
                    self.wait(context);
                }
            }
            Message::Beat => {
                if self.role == Role::Leader {
                    self.beat(context);
                }
            }
        }
    }

    /// Term and vote are on disk.
    fn restart(&mut self, before: &Self, context: &mut Context<Self>) {
        self.term = before.term;
        self.voted = before.voted;
        self.wait(context);
    }
}

/// Three nodes with these timeouts.
pub fn system(timeouts: [u64; 3]) -> System {
    build(timeouts, 0)
}

/// The same, where so many nodes may crash and restart. Only safety is promised then.
pub fn with_crashes(timeouts: [u64; 3], crashes: u32) -> System {
    build(timeouts, crashes)
}

fn build(timeouts: [u64; 3], crashes: u32) -> System {
    let mut system = System::new().virtual_clock().fast_messages();
    let nodes = system.create_many("node", 3, |nodes, at| Node {
        peers: (1..3).map(|further| nodes[(at + further) % 3]).collect(),
        timeout: timeouts[at],
        term: 0,
        voted: false,
        role: Role::Follower,
    });
    for (&node, timeout) in nodes.iter().zip(timeouts) {
        system.set_timer(node, "election", timeout, Message::Timeout);
    }
    let system = system.invariant("at most one leader in a term", |world| {
        let leaders: Vec<u8> = world.states::<Node>().filter(|n| n.role == Role::Leader).map(|n| n.term).collect();
        leaders.iter().enumerate().all(|(at, term)| !leaders[at + 1..].contains(term))
    });
    if crashes > 0 {
        return system.may_crash(Crashes::at_most(crashes).of(&nodes));
    }
    system.eventually("somebody leads", |world| world.states::<Node>().any(|n| n.role == Role::Leader))
}

/// Shows the livelock.
pub fn main() {
    println!("{}", system([5, 5, 5]).check().run().report());
}
