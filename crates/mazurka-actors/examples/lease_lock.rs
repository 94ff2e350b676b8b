//! A lock with leases: who holds it may crash, so it is given away again after a time. That is safe only while clocks agree.
//!
//! The server waits longer than the client works. With clocks that agree nobody works without the lock; where a client's clock may be slow
//! (timers fire at any time) two clients work at once. A fencing token repairs that: the store refuses what an earlier holder writes.

use mazurka_actors::{Actor, Address, Context, System};

#[derive(Clone, Hash, Debug)]
struct Server {
    waiting: Vec<Address<Client>>,
    free: bool,
    token: u8,
}

#[derive(Clone, Hash, Debug)]
enum ToServer {
    Acquire(Address<Client>),
    Expired,
}

impl Server {
    fn grant(&mut self, context: &mut Context<Self>) {
        if self.free && !self.waiting.is_empty() {
            let client = self.waiting.remove(0);
            self.free = false;
            self.token += 1;
            context.send(client, ToClient::Granted(self.token));
            context.set_timer("lease", 10, ToServer::Expired);
        }
    }
}

impl Actor for Server {
    type Message = ToServer;
    const TIMERS: &'static [&'static str] = &["lease"];

    fn handle(&mut self, message: ToServer, context: &mut Context<Self>) {
        match message {
            ToServer::Acquire(client) => self.waiting.push(client),
            ToServer::Expired => self.free = true,
        }
        self.grant(context);
    }
}

/// What the lock protects.
#[derive(Clone, Hash, Debug, Default)]
struct Store {
    fenced: bool,
    newest: u8,
    writes: Vec<u8>,
}

#[derive(Clone, Hash, Debug)]
struct Write(u8);

impl Actor for Store {
    type Message = Write;

    fn handle(&mut self, Write(token): Write, _: &mut Context<Self>) {
        if !self.fenced || token >= self.newest {
            self.newest = self.newest.max(token);
            self.writes.push(token);
        }
    }
}

#[derive(Clone, Hash, Debug)]
struct Client {
    store: Address<Store>,
    works: bool,
}

#[derive(Clone, Hash, Debug)]
enum ToClient {
    Granted(u8),
    Done(u8),
}

impl Actor for Client {
    type Message = ToClient;
    const TIMERS: &'static [&'static str] = &["work"];

    fn handle(&mut self, message: ToClient, context: &mut Context<Self>) {
        match message {
            ToClient::Granted(token) => {
                self.works = true;
                context.set_timer("work", 5, ToClient::Done(token));
            }
            ToClient::Done(token) => {
                self.works = false;
                context.send(self.store, Write(token));
            }
        }
    }
}

/// Two clients of one lock; with clocks that agree or not, with a store that looks at tokens or not.
pub fn system(clocks_agree: bool, fenced: bool) -> System {
    let mut system = System::new();
    if clocks_agree {
        system = system.virtual_clock().fast_messages();
    }
    let store = system.create_named(
        "store",
        Store {
            fenced,
            ..Store::default()
        },
    );
    let server = system.create_named(
        "server",
        Server {
            waiting: Vec::new(),
            free: true,
            token: 0,
        },
    );
    for client in system.create_many("client", 2, |_, _| Client { store, works: false }) {
        system.send(server, ToServer::Acquire(client));
    }
    system
}

/// One client at a time works.
pub fn exclusive(clocks_agree: bool) -> System {
    system(clocks_agree, false).invariant("one client at a time works", |world| {
        world.states::<Client>().filter(|c| c.works).count() <= 1
    })
}

/// Nobody overwrites what a later holder of the lock wrote.
pub fn ordered(fenced: bool) -> System {
    system(false, fenced).invariant("writes come in the order of the lock", |world| {
        world.states::<Store>().all(|s| s.writes.is_sorted())
    })
}

/// Shows two clients that work at once.
pub fn main() {
    println!("{}", exclusive(false).check().run().report());
}
