//! Distributed quicksort (FORTE'12 `quicksort6`, FORTE'14 QSort): a tree of sorters, results merged on the second answer.

use super::java_random::JavaRandom;
use crate::{Actor, Address, Context, Fields, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Sorter {
    client: Option<Address<Sorter>>,
    answers: u32,
    sorted: Vec<i32>,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    Sort(Vec<i32>),
    Sorted(Vec<i32>),
}

impl Sorter {
    fn of(client: Option<Address<Sorter>>) -> Self {
        Sorter {
            client,
            answers: 0,
            sorted: Vec::new(),
        }
    }

    fn answer(&self, sorted: Vec<i32>, context: &mut Context<Self>) {
        assert!(sorted.is_sorted());
        if let Some(parent) = self.client {
            context.send(parent, Message::Sorted(sorted));
        }
    }
}

/// The two halves: the block equal to the pivot goes to the empty half, otherwise to the shorter. `None` if there is nothing to split.
fn split(list: &[i32]) -> Option<[Vec<i32>; 2]> {
    let pivot = *list.first()?;
    let mut smaller: Vec<i32> = list.iter().copied().filter(|&x| x < pivot).collect();
    let mut larger: Vec<i32> = list.iter().copied().filter(|&x| x > pivot).collect();
    let block = list.iter().copied().filter(|&x| x == pivot);
    match (smaller.len(), larger.len()) {
        (0, 0) => return None,
        (s, l) if s < l => smaller.extend(block),
        _ => larger.extend(block),
    }
    Some([smaller, larger])
}

impl Actor for Sorter {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        match message {
            Message::Sort(list) => match split(&list) {
                None => self.answer(list, context),
                Some(halves) => {
                    let me = context.me();
                    let children = [(); 2].map(|()| context.create(Sorter::of(Some(me))));
                    for (child, half) in children.into_iter().zip(halves) {
                        context.send(child, Message::Sort(half));
                    }
                }
            },
            Message::Sorted(half) => {
                self.answers += 1;
                self.sorted.extend(half);
                self.sorted.sort_unstable();
                if self.answers == 2 {
                    self.answer(self.sorted.clone(), context);
                }
            }
        }
    }

    fn touches(message: &Message, fields: &mut Fields) {
        fields.read("client");
        if let Message::Sorted(_) = message {
            fields.write("answers").write("sorted");
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Sort").send::<Sorter>("Sort").send::<Sorter>("Sorted");
        sends.on("Sorted").send::<Sorter>("Sorted");
    }
}

#[derive(Clone, Hash, Debug)]
struct Boot;

#[derive(Clone, Hash, Debug)]
struct Start(Vec<i32>);

impl Actor for Boot {
    type Message = Start;

    fn handle(&mut self, Start(list): Start, context: &mut Context<Self>) {
        let root = context.create_named("root", Sorter::of(None));
        context.send(root, Message::Sort(list));
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Start").send::<Sorter>("Sort");
    }
}

/// FORTE'12: numbers from Java's `Random(25)`, a boot actor creates the root.
pub(super) fn booted(n: u32) -> System {
    let mut random = JavaRandom::new(25);
    let list: Vec<i32> = (0..n).map(|_| random.next_int(100)).collect();
    let mut system = System::new();
    let boot = system.create_named("boot", Boot);
    system.send(boot, Start(list));
    system
}

/// FORTE'14: a prefix of a fixed list, nobody waits for the root.
pub(super) fn plain(n: u32) -> System {
    let list = [7, 2, 5, 1, 3, 9, 13, 14][..n as usize].to_vec();
    let mut system = System::new();
    let root = system.create_named("root", Sorter::of(None));
    system.send(root, Message::Sort(list));
    system
}
