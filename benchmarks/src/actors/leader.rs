//! Leader election on a ring (FORTE'12 `leader4`, from the dCUTE study).

use mazurka_actors::{Actor, Address, Context, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Node {
    right: Option<Address<Node>>,
    active: bool,
    max: u32,
    neighbour: u32,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    Start(Address<Node>, u32),
    First(u32),
    Second(u32),
}

impl Actor for Node {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        match (message, self.right) {
            (Message::Start(right, id), _) => {
                self.right = Some(right);
                self.max = id;
                context.send(right, Message::First(id));
            }
            (message, Some(right)) => self.pass(message, right, context),
            (_, None) => {}
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Start").send::<Node>("First");
        for message in ["First", "Second"] {
            sends.on(message).send::<Node>("First").send::<Node>("Second");
        }
    }
}

impl Node {
    fn pass(&mut self, message: Message, right: Address<Node>, context: &mut Context<Self>) {
        match message {
            Message::First(id) if self.active => {
                if id != self.max {
                    self.neighbour = id;
                    context.send(right, Message::Second(id));
                }
            }
            Message::Second(id) if self.active => {
                if self.neighbour > id && self.neighbour > self.max {
                    self.max = self.neighbour;
                    context.send(right, Message::First(self.neighbour));
                } else {
                    self.active = false;
                }
            }
            passed => context.send(right, passed),
        }
    }
}

pub(super) fn system(n: u32) -> System {
    let mut system = System::new();
    let nodes: Vec<_> = (0..n)
        .map(|id| {
            let node = Node {
                right: None,
                active: true,
                max: id,
                neighbour: 0,
            };
            system.create_named(&format!("node {id}"), node)
        })
        .collect();
    for (id, &node) in nodes.iter().enumerate() {
        system.send(node, Message::Start(nodes[(id + 1) % nodes.len()], id as u32));
    }
    system
}
