//! A distributed hash table (FORTE'14 DHT): a table in front of four nodes with four keys each.
//!
//! The paper's source is not public; with keys 0 and 2 on one node the number of traces is that of an independent reconstruction.
//!
//! The paper's ABS programs await futures. Here the task that resolves a future sends the awaiting actor the rest of its task as a
//! message, which gives the same steps in the same order.

use crate::{Accepts, Actor, Address, Context, Fields, Sends, System};
use std::collections::BTreeMap;

#[derive(Clone, Hash, Debug, Default)]
struct Node {
    data: BTreeMap<u32, u32>,
}

#[derive(Clone, Hash, Debug)]
enum ToNode {
    Get(u32, Address<Table>, Rest),
    Put(u32, u32),
}

impl Actor for Node {
    type Message = ToNode;

    fn handle(&mut self, message: ToNode, context: &mut Context<Self>) {
        match message {
            ToNode::Get(key, table, rest) => {
                let value = self.data.get(&key).copied();
                context.send(table, rest.with(value));
            }
            ToNode::Put(key, value) => {
                self.data.insert(key, value);
            }
        }
    }

    fn touches(message: &ToNode, fields: &mut Fields) {
        match message {
            ToNode::Get(..) => fields.read("data"),
            ToNode::Put(..) => fields.write("data"),
        };
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Get").send::<Table>("GetResumed").send::<Table>("GetAllResumed");
        sends.on("Put");
    }
}

/// What a task of the table does once the node has answered.
#[derive(Clone, Hash, Debug)]
enum Rest {
    Get,
    /// The task's own future, and that of the task for the tail.
    GetAll(u32, u32),
}

impl Rest {
    fn with(self, value: Option<u32>) -> ToTable {
        match self {
            Rest::Get => ToTable::GetResumed(value),
            Rest::GetAll(mine, tail) => ToTable::GetAllResumed(mine, tail, value),
        }
    }
}

#[derive(Clone, Hash, Debug)]
struct Table {
    nodes: Vec<Address<Node>>,
    /// The resolved futures of the table's own tasks.
    resolved: BTreeMap<u32, Vec<Option<u32>>>,
}

#[derive(Clone, Hash, Debug)]
enum ToTable {
    Get(u32),
    Put(u32, u32),
    GetResumed(Option<u32>),
    /// The keys and the number of the task's future.
    GetAll(Vec<u32>, u32),
    /// The rest of `GetAll`: its future, the awaited one of the tail, and what the node answered.
    GetAllResumed(u32, u32, Option<u32>),
}

impl Table {
    fn node(&self, key: u32) -> Address<Node> {
        self.nodes[key as usize / 4]
    }
}

impl Actor for Table {
    type Message = ToTable;

    fn handle(&mut self, message: ToTable, context: &mut Context<Self>) {
        match message {
            ToTable::Get(key) => context.send(self.node(key), ToNode::Get(key, context.me(), Rest::Get)),
            ToTable::Put(key, value) => context.send(self.node(key), ToNode::Put(key, value)),
            ToTable::GetResumed(_) => {}
            ToTable::GetAll(keys, future) => match keys.split_first() {
                None => {
                    self.resolved.insert(future, Vec::new());
                }
                Some((&key, tail)) => {
                    let rest = Rest::GetAll(future, future + 1);
                    context.send(self.node(key), ToNode::Get(key, context.me(), rest));
                    context.send(context.me(), ToTable::GetAll(tail.to_vec(), future + 1));
                }
            },
            ToTable::GetAllResumed(future, tail, value) => {
                let mut list = vec![value];
                list.extend(self.resolved[&tail].iter().copied());
                self.resolved.insert(future, list);
            }
        }
    }

    fn accepts(&self, message: &ToTable) -> Accepts {
        match message {
            ToTable::GetAllResumed(_, tail, _) => Accepts::When(self.resolved.contains_key(tail)),
            _ => Accepts::Always,
        }
    }

    fn touches(message: &ToTable, fields: &mut Fields) {
        match message {
            ToTable::Get(_) | ToTable::Put(..) => {
                fields.read("nodes");
            }
            ToTable::GetResumed(_) => fields.nothing(),
            ToTable::GetAll(keys, future) => {
                if keys.is_empty() {
                    fields.write(&format!("future {future}"));
                } else {
                    fields.read("nodes");
                }
            }
            ToTable::GetAllResumed(future, tail, _) => {
                fields.guard(&format!("future {tail}")).write(&format!("future {future}"));
            }
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Get").send::<Node>("Get");
        sends.on("Put").send::<Node>("Put");
        sends.on("GetResumed");
        sends.on("GetAll").send::<Node>("Get").send::<Table>("GetAll");
        sends.on("GetAllResumed");
    }
}

fn table() -> (System, Address<Table>) {
    let mut system = System::new();
    let nodes = (0..4)
        .map(|nth| system.create_named(&format!("node {nth}"), Node::default()))
        .collect();
    let resolved = BTreeMap::new();
    let table = system.create_named("table", Table { nodes, resolved });
    (system, table)
}

/// Two reads and two writes of two keys.
pub(super) fn a() -> System {
    let (mut system, table) = table();
    for (key, value) in [(0, 10), (2, 20)] {
        system.send(table, ToTable::Get(key));
        system.send(table, ToTable::Put(key, value));
    }
    system
}

/// Two writes, and a recursive read of both keys.
pub(super) fn b() -> System {
    let (mut system, table) = table();
    for (key, value) in [(0, 10), (2, 20)] {
        system.send(table, ToTable::Put(key, value));
    }
    system.send(table, ToTable::GetAll(vec![0, 2], 0));
    system
}
