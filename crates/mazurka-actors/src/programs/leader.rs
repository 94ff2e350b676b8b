//! Leader election on a ring (FORTE'12 `leader4`, from the dCUTE study).

use crate::{Actor, Address, Context, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Node {
    right: Address<Node>,
    active: bool,
    max: u32,
    neighbour: u32,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    First(u32),
    Second(u32),
}

impl Actor for Node {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        match message {
            Message::First(id) if self.active => {
                if id != self.max {
                    self.neighbour = id;
                    context.send(self.right, Message::Second(id));
                }
            }
            Message::Second(id) if self.active => {
                if self.neighbour > id && self.neighbour > self.max {
                    self.max = self.neighbour;
                    context.send(self.right, Message::First(self.neighbour));
                } else {
                    self.active = false;
                }
            }
            passed => context.send(self.right, passed),
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        for message in ["First", "Second"] {
            sends.on(message).send::<Node>("First").send::<Node>("Second");
        }
    }
}

pub(super) fn system(n: u32) -> System {
    let n = n as usize;
    let mut system = System::new();
    let nodes = system.create_many("node", n, |all, id| Node {
        right: all[(id + 1) % n],
        active: true,
        max: id as u32,
        neighbour: 0,
    });
    for id in 0..n {
        system.send(nodes[(id + 1) % n], Message::First(id as u32));
    }
    system
}
