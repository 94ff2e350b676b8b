//! Pipe sort (FORTE'12 `pipesort4`): a feeder pushes numbers into a chain of stages, each of which keeps the smallest it has seen.

use super::java_random::JavaRandom;
use crate::{Actor, Address, Context, Fields, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Feeder {
    numbers: Vec<i32>,
    first: Option<Address<Stage>>,
}

#[derive(Clone, Hash, Debug)]
struct Feed(u32);

impl Actor for Feeder {
    type Message = Feed;

    fn handle(&mut self, Feed(left): Feed, context: &mut Context<Self>) {
        if left == 0 {
            return;
        }
        let first = *self.first.get_or_insert_with(|| context.create(Stage::default()));
        let number = self.numbers[self.numbers.len() - left as usize];
        context.send(first, Push(number));
        context.send(context.me(), Feed(left - 1));
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Feed").send::<Stage>("Push").send::<Feeder>("Feed");
    }
}

/// A stage of the pipe.
#[derive(Clone, Hash, Debug, Default)]
pub(super) struct Stage {
    kept: Option<i32>,
    next: Option<Address<Stage>>,
}

/// A number on its way through the pipe.
#[derive(Clone, Hash, Debug)]
pub(super) struct Push(pub i32);

impl Actor for Stage {
    type Message = Push;

    fn handle(&mut self, Push(number): Push, context: &mut Context<Self>) {
        match self.kept {
            None => self.kept = Some(number),
            Some(kept) => {
                let next = *self.next.get_or_insert_with(|| context.create(Stage::default()));
                self.kept = Some(kept.min(number));
                context.send(next, Push(kept.max(number)));
            }
        }
    }

    fn touches(_: &Push, fields: &mut Fields) {
        fields.write("kept").write("next");
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Push").send::<Stage>("Push");
    }
}

pub(super) fn system(n: u32) -> System {
    let mut random = JavaRandom::new(9999);
    let numbers = (0..n).map(|_| random.next_int(1000)).collect();
    let mut system = System::new();
    let feeder = system.create_named("left", Feeder { numbers, first: None });
    system.send(feeder, Feed(n));
    system
}
