//! Pipe sort of FORTE'14 (PSort): one or two feeds push a list into a chain of stages.

use super::pipesort::{Push, Stage};
use crate::{Actor, Address, Context, Fields, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Feeder {
    first: Address<Stage>,
}

#[derive(Clone, Hash, Debug)]
struct Feed(Vec<i32>);

impl Actor for Feeder {
    type Message = Feed;

    fn handle(&mut self, Feed(list): Feed, context: &mut Context<Self>) {
        if let Some((&head, tail)) = list.split_first() {
            context.send(self.first, Push(head));
            context.send(context.me(), Feed(tail.to_vec()));
        }
    }

    fn touches(_: &Feed, fields: &mut Fields) {
        fields.read("first");
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Feed").send::<Stage>("Push").send::<Feeder>("Feed");
    }
}

/// `feeds` is 1: `feed([7,11,13,3])`; 2: `feed([7,11])` and `feed([5,3])`.
pub(super) fn system(feeds: u32) -> System {
    let mut system = System::new();
    let first = system.create_named("first", Stage::default());
    let feeder = system.create_named("feeder", Feeder { first });
    let lists: &[&[i32]] = match feeds {
        1 => &[&[7, 11, 13, 3]],
        _ => &[&[7, 11], &[5, 3]],
    };
    for list in lists {
        system.send(feeder, Feed(list.to_vec()));
    }
    system
}
