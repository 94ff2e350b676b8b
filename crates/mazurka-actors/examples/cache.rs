//! A write-through cache with invalidations: a write goes to the memory, which has all other caches drop their copies before it says that it is done.
//!
//! The broken memory does not wait until they did: a write is done, and another cache still answers with the old value.

use mazurka_actors::{Actor, Address, Context, Records, System};
use mazurka_history::{History, ReadWrite, Register};

#[derive(Clone, Hash, Debug)]
struct Memory {
    value: u8,
    waits: bool,
    /// Who has a copy.
    sharers: Vec<Address<Cache>>,
    /// Whose write is not done yet, and how many caches have to drop their copies before.
    writing: Option<(Address<Cache>, usize)>,
    queue: Vec<ToMemory>,
}

#[derive(Clone, Hash, Debug)]
enum ToMemory {
    Fetch(Address<Cache>),
    Write(Address<Cache>, u8),
    Dropped,
}

impl Memory {
    fn serve(&mut self, message: ToMemory, context: &mut Context<Self>) {
        match message {
            ToMemory::Fetch(cache) => {
                self.sharers.push(cache);
                context.send(cache, ToCache::Fetched(self.value));
            }
            ToMemory::Write(cache, value) => {
                self.value = value;
                let sharers = std::mem::take(&mut self.sharers);
                for &sharer in &sharers {
                    context.send(sharer, ToCache::Drop(context.me()));
                }
                if sharers.is_empty() || !self.waits {
                    context.send(cache, ToCache::Written);
                } else {
                    self.writing = Some((cache, sharers.len()));
                }
            }
            ToMemory::Dropped => {}
        }
    }
}

impl Actor for Memory {
    type Message = ToMemory;

    fn handle(&mut self, message: ToMemory, context: &mut Context<Self>) {
        match (message, self.writing) {
            (ToMemory::Dropped, Some((cache, 1))) => {
                self.writing = None;
                context.send(cache, ToCache::Written);
                while self.writing.is_none() && !self.queue.is_empty() {
                    let next = self.queue.remove(0);
                    self.serve(next, context);
                }
            }
            (ToMemory::Dropped, Some((cache, left))) => self.writing = Some((cache, left - 1)),
            (ToMemory::Dropped, None) => {}
            (message, Some(_)) => self.queue.push(message),
            (message, None) => self.serve(message, context),
        }
    }
}

#[derive(Clone, Hash, Debug)]
struct Cache {
    memory: Address<Memory>,
    copy: Option<u8>,
    /// What it is asked to do, the next first.
    todo: Vec<ReadWrite<u8>>,
    /// A copy that is on its way must be dropped as soon as it has been used.
    stale: bool,
    fetching: bool,
}

#[derive(Clone, Hash, Debug)]
enum ToCache {
    Next,
    Fetched(u8),
    Written,
    Drop(Address<Memory>),
}

impl Cache {
    /// Answers the client, who asks the next thing some time later.
    fn answer(&mut self, answer: Option<u8>, context: &mut Context<Self>) {
        context.respond(answer);
        if !self.todo.is_empty() {
            context.send(context.me(), ToCache::Next);
        }
    }
}

impl Actor for Cache {
    type Message = ToCache;

    fn handle(&mut self, message: ToCache, context: &mut Context<Self>) {
        match message {
            ToCache::Next => {
                let operation = self.todo.remove(0);
                context.invoke(operation.clone());
                match (operation, self.copy) {
                    (ReadWrite::Read, Some(value)) => self.answer(Some(value), context),
                    (ReadWrite::Read, None) => {
                        self.fetching = true;
                        context.send(self.memory, ToMemory::Fetch(context.me()));
                    }
                    (ReadWrite::Write(value), _) => context.send(self.memory, ToMemory::Write(context.me(), value)),
                }
            }
            ToCache::Fetched(value) => {
                self.fetching = false;
                self.copy = Some(value).filter(|_| !std::mem::take(&mut self.stale));
                self.answer(Some(value), context);
            }
            ToCache::Written => self.answer(None, context),
            ToCache::Drop(memory) => {
                // It may overtake the copy that it is about.
                self.stale = self.fetching;
                self.copy = None;
                context.send(memory, ToMemory::Dropped);
            }
        }
    }

    fn records(_: &ToCache) -> Records {
        Records::Both
    }
}

/// A writer, and a reader who reads twice.
pub fn system(waits: bool) -> System {
    let mut system = System::new();
    let memory = system.create_named(
        "memory",
        Memory {
            value: 0,
            waits,
            sharers: Vec::new(),
            writing: None,
            queue: Vec::new(),
        },
    );
    let writes = vec![ReadWrite::Write(1), ReadWrite::Read];
    let reads = vec![ReadWrite::Read, ReadWrite::Read];
    for (name, todo) in [("writer", writes), ("reader", reads)] {
        let cache = system.create_named(
            name,
            Cache {
                memory,
                copy: None,
                todo,
                stale: false,
                fetching: false,
            },
        );
        system.send(cache, ToCache::Next);
    }
    system.record_history().at_end(|end| {
        let history: History<ReadWrite<u8>, Option<u8>> = end.history();
        if let Err(why) = history.linearizable(&Register(Some(0))) {
            panic!("{why}");
        }
    })
}

/// Shows an old value that is read after it was overwritten.
pub fn main() {
    println!("{}", system(false).check().run().report());
}
