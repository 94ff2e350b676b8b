//! A bully election with a planted bug that is found: a node that hears nothing in time takes the lead, however late the answer of a
//! stronger node is.
//!
//! `cargo run -p mazurka-actors --example leader_election`

use mazurka_actors::{Actor, Address, Context, System};

#[derive(Clone, Hash, Debug)]
struct Node {
    /// The stronger nodes.
    stronger: Vec<Address<Node>>,
    /// The weaker ones.
    weaker: Vec<Address<Node>>,
    answered: bool,
    leads: bool,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    /// Begin an election.
    Elect,
    /// A weaker node asks whether anybody stronger is there.
    Anybody(Address<Node>),
    /// Yes.
    IAm,
    /// No answer came in time.
    Timeout,
    /// Somebody leads.
    Leader,
}

impl Actor for Node {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        match message {
            Message::Elect => {
                for &node in &self.stronger {
                    context.send(node, Message::Anybody(context.me()));
                }
                // The timer. In an actor system nothing says that an answer is faster.
                context.send(context.me(), Message::Timeout);
            }
            Message::Anybody(weaker) => context.send(weaker, Message::IAm),
            Message::IAm => self.answered = true,
            Message::Timeout => {
                // The bug: silence is taken for absence.
                if !self.answered {
                    self.leads = true;
                    for &node in &self.weaker {
                        context.send(node, Message::Leader);
                    }
                }
            }
            Message::Leader => self.leads = false,
        }
    }
}

/// Nodes of which the first is the weakest; every one begins an election.
pub fn system(nodes: usize) -> System {
    let mut system = System::new();
    let all = system.create_many("node", nodes, |all, nth| Node {
        stronger: all[nth + 1..].to_vec(),
        weaker: all[..nth].to_vec(),
        answered: false,
        leads: false,
    });
    for &node in &all {
        system.send(node, Message::Elect);
    }
    system.at_end(|end| {
        let leaders = end.states::<Node>().filter(|n| n.leads).count();
        assert_eq!(leaders, 1, "one node leads");
    })
}

/// Finds the bug with two nodes and prints how it comes about.
pub fn main() {
    println!("{}", system(2).check().run().report());
}
