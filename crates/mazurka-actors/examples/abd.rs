//! The register of Attiya, Bar-Noy and Dolev: readers and a writer work with any majority of the replicas, and the register is linearizable.
//!
//! A read asks a majority and takes the newest value. It must write that back to a majority before it returns: otherwise a later read may ask
//! another majority and return an older value. `system(false)` leaves the writing back out.

use mazurka_actors::{Actor, Address, Context, Records, System};
use mazurka_history::{History, ReadWrite, Register};

/// A value with the number of its write; 0 is nothing yet.
type Stamped = (u8, u8);

#[derive(Clone, Hash, Debug, Default)]
struct Replica {
    newest: Stamped,
}

#[derive(Clone, Hash, Debug)]
enum ToReplica {
    Query(Address<Client>),
    Store(Address<Client>, Stamped),
}

impl Actor for Replica {
    type Message = ToReplica;

    fn handle(&mut self, message: ToReplica, context: &mut Context<Self>) {
        match message {
            ToReplica::Query(client) => context.send(client, ToClient::Value(self.newest)),
            ToReplica::Store(client, value) => {
                self.newest = self.newest.max(value);
                context.send(client, ToClient::Stored);
            }
        }
    }
}

#[derive(Clone, Hash, Debug)]
enum Phase {
    Idle,
    Asking(usize, Stamped),
    Storing(usize, Option<u8>),
}

/// Does one operation.
#[derive(Clone, Hash, Debug)]
struct Client {
    replicas: Vec<Address<Replica>>,
    writes_back: bool,
    phase: Phase,
}

#[derive(Clone, Hash, Debug)]
enum ToClient {
    Write(u8),
    Read,
    Value(Stamped),
    Stored,
}

impl Client {
    fn store(&mut self, value: Stamped, answer: Option<u8>, context: &mut Context<Self>) {
        self.phase = Phase::Storing(0, answer);
        for &replica in &self.replicas {
            context.send(replica, ToReplica::Store(context.me(), value));
        }
    }

    fn is_majority(&self, count: usize) -> bool {
        count > self.replicas.len() / 2
    }
}

impl Actor for Client {
    type Message = ToClient;

    fn handle(&mut self, message: ToClient, context: &mut Context<Self>) {
        match (message, self.phase.clone()) {
            (ToClient::Write(value), _) => {
                context.invoke(ReadWrite::Write(value));
                self.store((1, value), None, context);
            }
            (ToClient::Read, _) => {
                context.invoke(ReadWrite::<u8>::Read);
                self.phase = Phase::Asking(0, (0, 0));
                for &replica in &self.replicas {
                    context.send(replica, ToReplica::Query(context.me()));
                }
            }
            (ToClient::Value(value), Phase::Asking(count, newest)) => {
                let newest = newest.max(value);
                self.phase = Phase::Asking(count + 1, newest);
                if self.is_majority(count + 1) {
                    let answer = (newest.0 > 0).then_some(newest.1);
                    if self.writes_back {
                        self.store(newest, answer, context);
                    } else {
                        self.phase = Phase::Idle;
                        context.respond(answer);
                    }
                }
            }
            (ToClient::Stored, Phase::Storing(count, answer)) => {
                self.phase = Phase::Storing(count + 1, answer);
                if self.is_majority(count + 1) {
                    self.phase = Phase::Idle;
                    context.respond(answer);
                }
            }
            // The answers of the others come too late.
            (ToClient::Value(_) | ToClient::Stored, _) => {}
        }
    }

    fn records(message: &ToClient) -> Records {
        match message {
            ToClient::Write(_) | ToClient::Read => Records::Invocations,
            ToClient::Value(_) | ToClient::Stored => Records::Responses,
        }
    }
}

/// Three replicas, a writer and two readers.
pub fn system(writes_back: bool) -> System {
    let mut system = System::new();
    let replicas = system.create_many("replica", 3, |_, _| Replica::default());
    for (name, operation) in [("alice", ToClient::Write(7)), ("bob", ToClient::Read), ("carol", ToClient::Read)] {
        let client = system.create_named(
            name,
            Client {
                replicas: replicas.clone(),
                writes_back,
                phase: Phase::Idle,
            },
        );
        system.send(client, operation);
    }
    system.record_history().at_end(|end| {
        let history: History<ReadWrite<u8>, Option<u8>> = end.history();
        if let Err(why) = history.linearizable(&Register::default()) {
            panic!("{why}");
        }
    })
}

/// Shows the history that is not linearizable.
pub fn main() {
    println!("{}", system(false).check().run().report());
}
