//! What happened in an execution, as the program wrote it down: the trace and what the threads saw.

use std::sync::{Mutex, PoisonError};

/// How operations on one object are ordered: reads that follow each other are not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Read,
    Write,
}

/// An operation: the object, how it was used, and by which thread.
type Event = ((char, usize), Kind, usize);

/// What happened in one execution: who used which objects, and which thread saw what. Once [`sorted`](Record::sorted), it is the same for
/// all schedules of a trace.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Record {
    events: Vec<Event>,
    pub(super) seen: Vec<(usize, i64)>,
}

/// The record of the execution that is running, in the order of its schedule. One for all: a process runs one check at a time.
static RECORD: Mutex<Record> = Mutex::new(Record {
    events: Vec::new(),
    seen: Vec::new(),
});

fn with_record<R>(f: impl FnOnce(&mut Record) -> R) -> R {
    f(&mut RECORD.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Writes down that a thread has used an object.
pub(super) fn note(object: (char, usize), kind: Kind, thread: usize) {
    with_record(|record| record.events.push((object, kind, thread)));
}

/// Writes down what a thread has seen.
pub(super) fn saw(thread: usize, value: i64) {
    with_record(|record| record.seen.push((thread, value)));
}

/// What has been written down since the last time. It allocates the same every time: what is allocated in an execution must not depend on
/// those before it.
pub(super) fn take_record() -> Record {
    let empty = Record {
        events: Vec::with_capacity(32),
        seen: Vec::with_capacity(16),
    };
    with_record(|record| std::mem::replace(record, empty))
}

impl Record {
    /// By object who did what in which order, and by thread what it saw.
    pub(super) fn sorted(mut self) -> Record {
        self.events.sort_by_key(|(object, ..)| *object);
        let unordered = |a: &Event, b: &Event| a.0 == b.0 && a.1 == Kind::Read && b.1 == Kind::Read;
        self.events.chunk_by_mut(unordered).for_each(<[Event]>::sort_unstable);
        self.seen.sort_by_key(|(thread, _)| *thread);
        self
    }

    /// In how many orders the threads could have done all this if they never waited for each other.
    pub(super) fn orders(&self) -> f64 {
        let threads = self
            .events
            .iter()
            .map(|(.., thread)| thread)
            .chain(self.seen.iter().map(|(thread, _)| thread));
        let mut steps = [0_u32; 3];
        let mut orders = 1.0;
        for (all, thread) in (1..).zip(threads) {
            steps[*thread] += 1;
            orders *= f64::from(all) / f64::from(steps[*thread]);
        }
        orders
    }
}
