//! Shortest paths from one node by flooding (FORTE'12 `shortpath4` and `shortpath5`, after Chandy and Misra).

use crate::{Actor, Address, Context, Sends, System};

#[derive(Clone, Hash, Debug, Default)]
struct Node {
    neighbours: Vec<(Address<Node>, u32)>,
    distance: Option<u32>,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    /// A distance of the sender and the weight of the edge from it.
    Receive(u32, u32),
}

impl Actor for Node {
    type Message = Message;

    fn handle(&mut self, Message::Receive(distance, weight): Message, context: &mut Context<Self>) {
        let found = distance + weight;
        if self.distance.is_none_or(|known| known > found) {
            self.distance = Some(found);
            for &(neighbour, weight) in &self.neighbours {
                context.send(neighbour, Message::Receive(found, weight));
            }
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Receive").send::<Node>("Receive");
    }
}

const WEIGHT: u32 = 10;

fn graph(edges: &[(usize, usize)], start: usize) -> System {
    let mut system = System::new();
    let addresses = system.create_many("a", 5, |all, nth| Node {
        neighbours: edges
            .iter()
            .filter(|(from, _)| *from == nth)
            .map(|&(_, to)| (all[to], WEIGHT))
            .collect(),
        distance: None,
    });
    system.send(addresses[start], Message::Receive(0, 0));
    system
}

pub(super) fn four() -> System {
    graph(&[(0, 1), (0, 2), (0, 3), (1, 3), (3, 1), (2, 3), (3, 2)], 0)
}

pub(super) fn five() -> System {
    graph(&[(0, 1), (1, 0), (0, 2), (2, 0), (1, 3), (3, 1), (4, 0), (4, 1), (1, 4), (0, 4)], 4)
}
