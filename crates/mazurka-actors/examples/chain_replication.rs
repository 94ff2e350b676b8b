//! Chain replication: writes enter at the head and go down the chain, reads are answered by the tail.
//!
//! What the tail has, all servers have. The broken one lets any server answer reads: one client sees a write before it is everywhere, and a later one
//! asks a server that does not have it yet.

use mazurka_actors::{Actor, Address, Context, Delivery, Records, System};
use mazurka_history::{History, ReadWrite, Register};

#[derive(Clone, Hash, Debug)]
struct Server {
    next: Option<Address<Server>>,
    value: Option<u8>,
}

#[derive(Clone, Hash, Debug)]
enum ToServer {
    Write(u8, Address<Client>),
    Read(Address<Client>),
}

impl Actor for Server {
    type Message = ToServer;

    fn handle(&mut self, message: ToServer, context: &mut Context<Self>) {
        match message {
            ToServer::Write(value, client) => {
                self.value = Some(value);
                match self.next {
                    Some(next) => context.send(next, ToServer::Write(value, client)),
                    None => context.send(client, ToClient::Answer(None)),
                }
            }
            ToServer::Read(client) => context.send(client, ToClient::Answer(self.value)),
        }
    }
}

/// Does one operation.
#[derive(Clone, Hash, Debug)]
struct Client {
    server: Address<Server>,
}

#[derive(Clone, Hash, Debug)]
enum ToClient {
    Write(u8),
    Read,
    Answer(Option<u8>),
}

impl Actor for Client {
    type Message = ToClient;

    fn handle(&mut self, message: ToClient, context: &mut Context<Self>) {
        match message {
            ToClient::Write(value) => {
                context.invoke(ReadWrite::Write(value));
                context.send(self.server, ToServer::Write(value, context.me()));
            }
            ToClient::Read => {
                context.invoke(ReadWrite::<u8>::Read);
                context.send(self.server, ToServer::Read(context.me()));
            }
            ToClient::Answer(answer) => context.respond(answer),
        }
    }

    fn records(message: &ToClient) -> Records {
        match message {
            ToClient::Write(_) | ToClient::Read => Records::Invocations,
            ToClient::Answer(_) => Records::Responses,
        }
    }
}

/// Three servers, two writers and two readers, who ask the tail or anybody.
pub fn system(ask_the_tail: bool) -> System {
    let mut system = System::new().deliver(Delivery::PairFifo);
    let servers = system.create_many("server", 3, |servers, at| Server {
        next: servers.get(at + 1).copied(),
        value: None,
    });
    let [head, middle, tail] = [servers[0], servers[1], servers[2]];
    let other = if ask_the_tail { tail } else { middle };
    for (name, server, operation) in [
        ("alice", head, ToClient::Write(1)),
        ("bob", head, ToClient::Write(2)),
        ("carol", other, ToClient::Read),
        ("dave", tail, ToClient::Read),
    ] {
        let client = system.create_named(name, Client { server });
        system.send(client, operation);
    }
    system.record_history().at_end(|end| {
        let history: History<ReadWrite<u8>, Option<u8>> = end.history();
        if let Err(why) = history.linearizable(&Register::default()) {
            panic!("{why}");
        }
    })
}

/// Shows a write that is seen and gone again.
pub fn main() {
    println!("{}", system(false).check().run().report());
}
