//! Single-decree Paxos: two proposers, three acceptors. At most one value is chosen.
//!
//! Acceptors are interchangeable. A proposer whose promises report an accepted value must propose that value. The broken one always proposes its own.

use mazurka_actors::{Actor, Address, AddressSet, Context, System};

type Ballot = u8;

#[derive(Clone, Hash, Debug, Default)]
struct Acceptor {
    promised: Ballot,
    accepted: Option<(Ballot, u8)>,
}

#[derive(Clone, Hash, Debug)]
enum ToAcceptor {
    Prepare(Ballot, Address<Proposer>),
    Accept(Ballot, u8),
}

impl Actor for Acceptor {
    type Message = ToAcceptor;

    fn handle(&mut self, message: ToAcceptor, context: &mut Context<Self>) {
        match message {
            ToAcceptor::Prepare(ballot, proposer) if ballot > self.promised => {
                self.promised = ballot;
                context.send(proposer, ToProposer::Promise(self.accepted));
            }
            ToAcceptor::Accept(ballot, value) if ballot >= self.promised => {
                self.promised = ballot;
                self.accepted = Some((ballot, value));
            }
            _ => {}
        }
    }
}

#[derive(Clone, Hash, Debug)]
struct Proposer {
    acceptors: AddressSet<Acceptor>,
    ballot: Ballot,
    value: u8,
    /// Whether it proposes what was accepted before.
    listens: bool,
    promises: usize,
    newest: Option<(Ballot, u8)>,
}

#[derive(Clone, Hash, Debug)]
enum ToProposer {
    Propose,
    Promise(Option<(Ballot, u8)>),
}

impl Actor for Proposer {
    type Message = ToProposer;

    fn handle(&mut self, message: ToProposer, context: &mut Context<Self>) {
        match message {
            ToProposer::Propose => {
                for acceptor in self.acceptors.iter() {
                    context.send(acceptor, ToAcceptor::Prepare(self.ballot, context.me()));
                }
            }
            ToProposer::Promise(accepted) => {
                self.promises += 1;
                self.newest = self.newest.max(accepted.filter(|_| self.listens));
                if self.promises == self.acceptors.len() / 2 + 1 {
                    let value = self.newest.map_or(self.value, |(_, value)| value);
                    for acceptor in self.acceptors.iter() {
                        context.send(acceptor, ToAcceptor::Accept(self.ballot, value));
                    }
                }
            }
        }
    }
}

/// Two proposers with values 1 and 2.
pub fn system(listens: bool) -> System {
    let mut system = System::new();
    let acceptors = system.create_many("acceptor", 3, |_, _| Acceptor::default());
    for n in [1, 2] {
        let proposer = system.create_named(
            &format!("proposer {n}"),
            Proposer {
                acceptors: acceptors.iter().copied().collect(),
                ballot: n,
                value: n,
                listens,
                promises: 0,
                newest: None,
            },
        );
        system.send(proposer, ToProposer::Propose);
    }
    // A value is chosen when a majority has accepted it in one ballot. What was chosen once shows in every later ballot that is accepted.
    let chosen = |world: &mazurka_actors::World<'_>| -> Vec<u8> {
        let accepted: Vec<(Ballot, u8)> = world.states::<Acceptor>().filter_map(|a| a.accepted).collect();
        let votes = |vote: &(Ballot, u8)| accepted.iter().filter(|a| *a == vote).count();
        accepted.iter().filter(|vote| votes(vote) > 1).map(|(_, value)| *value).collect()
    };
    system
        .interchangeable(&acceptors)
        .invariant("what was chosen is proposed later", move |world| {
            let older = chosen(world);
            let newest = world.states::<Acceptor>().filter_map(|a| a.accepted).max();
            older.iter().all(|value| newest.is_none_or(|(_, newest)| newest == *value))
        })
        .sometimes("a value is chosen", move |world| !chosen(world).is_empty())
}

/// Shows two values that are chosen.
pub fn main() {
    println!("{}", system(false).check().run().report());
}
