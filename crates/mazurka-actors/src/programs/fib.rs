//! Distributed Fibonacci (FORTE'12 `fib5`, FORTE'14 Fig. 5 with base `v <= 2`): a tree of actors that answer their client.

use crate::{Actor, Address, Context, Fields, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Node {
    client: Client,
    answers: u32,
    result: u64,
}

#[derive(Clone, Hash, Debug)]
enum Client {
    Nobody,
    Boot(Address<Boot>),
    Parent(Address<Node>),
}

#[derive(Clone, Hash, Debug)]
enum Message {
    Fib(u32),
    Result(u64),
}

impl Node {
    fn of(client: Client) -> Self {
        Node {
            client,
            answers: 0,
            result: 0,
        }
    }

    fn answer(&self, value: u64, context: &mut Context<Self>) {
        match self.client {
            Client::Nobody => {}
            Client::Boot(boot) => context.send(boot, ToBoot::Finished(value)),
            Client::Parent(parent) => context.send(parent, Message::Result(value)),
        }
    }
}

impl Actor for Node {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        match message {
            Message::Fib(v) if v <= 2 => self.answer(1, context),
            Message::Fib(v) => {
                let me = context.me();
                for smaller in [v - 1, v - 2] {
                    let child = context.create(Node::of(Client::Parent(me)));
                    context.send(child, Message::Fib(smaller));
                }
            }
            Message::Result(value) => {
                self.answers += 1;
                self.result += value;
                if self.answers == 2 {
                    self.answer(self.result, context);
                }
            }
        }
    }

    fn touches(message: &Message, fields: &mut Fields) {
        fields.read("client");
        if let Message::Result(_) = message {
            fields.write("answers").write("result");
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Fib").send::<Node>("Fib").send::<Node>("Result").send::<Boot>("Finished");
        sends.on("Result").send::<Node>("Result").send::<Boot>("Finished");
    }
}

#[derive(Clone, Hash, Debug, Default)]
struct Boot {
    value: Option<u64>,
}

#[derive(Clone, Hash, Debug)]
enum ToBoot {
    Start(u32),
    Finished(u64),
}

impl Actor for Boot {
    type Message = ToBoot;

    fn handle(&mut self, message: ToBoot, context: &mut Context<Self>) {
        match message {
            ToBoot::Start(n) => {
                let root = context.create_named("root", Node::of(Client::Boot(context.me())));
                context.send(root, Message::Fib(n));
            }
            ToBoot::Finished(value) => self.value = Some(value),
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Start").send::<Node>("Fib");
        sends.on("Finished");
    }
}

/// FORTE'12: the root reports to a boot actor.
pub(super) fn booted(n: u32) -> System {
    let mut system = System::new();
    let boot = system.create_named("boot", Boot::default());
    system.send(boot, ToBoot::Start(n));
    system.at_end(move |end| assert_eq!(end.state(boot).value, Some(fib(n))))
}

/// FORTE'14: the root has no client.
pub(super) fn plain(n: u32) -> System {
    let mut system = System::new();
    let root = system.create_named("root", Node::of(Client::Nobody));
    system.send(root, Message::Fib(n));
    system
}

fn fib(n: u32) -> u64 {
    (2..n).fold((1, 1), |(a, b), _| (b, a + b)).1
}
