//! What is checked, as the search sees it: threads that say what they do next, and go on when they are told what they read.
//!
//! A front end implements [`Program`]. The search runs its threads along an execution graph, from the beginning whenever the graph changed
//! other than at its end; what a thread does may depend on nothing but what it has read.

use crate::event::{Event, Kind, Location, Order, Source};
use crate::graph::Graph;

/// What a thread does next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Reads a location. What comes of that is asked by [`Program::answer`].
    Read {
        /// Which.
        location: Location,
        /// What the read promises if nothing is written.
        order: Order,
        /// What it promises if it also writes; the order above is that of a failed compare-exchange.
        success: Order,
        /// Whether it may write, too.
        locked: bool,
    },
    /// Writes a location.
    Write {
        /// Which.
        location: Location,
        /// What it promises.
        order: Order,
        /// The value.
        value: u64,
    },
    /// A fence.
    Fence(Order),
    /// Waits for the end of a thread.
    Join(u32),
    /// Waits until one of these locations has another value than this.
    Stuck(Vec<(Location, u64)>),
    /// Nothing any more.
    Done,
}

impl Next {
    /// A read that never writes.
    pub fn read(location: Location, order: Order) -> Self {
        Next::Read {
            location,
            order,
            success: order,
            locked: false,
        }
    }

    /// A read that may write at once, with these orders if it does and if it does not.
    pub fn update(location: Location, success: Order, order: Order) -> Self {
        Next::Read {
            location,
            order,
            success,
            locked: true,
        }
    }
}

/// What comes of a value that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The thread goes on with it.
    Read,
    /// The thread replaces it by this.
    Write(u64),
    /// The same with another order than [`Next::Read`] has for that.
    WriteAs(u64, Order),
    /// The thread cannot go on with it.
    Wait,
}

/// What a thread sees when it takes an event.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The value, if the event reads.
    pub value: u64,
    /// How many events of each thread happen before what comes next in this one.
    pub heard: &'a [u16],
    /// Of a write: whether it is the last one in modification order of those that were taken.
    pub is_last: bool,
}

/// A thread that was started by another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Birth {
    /// By whom.
    pub parent: u32,
    /// After how many events of it.
    pub after: u32,
}

/// What went wrong in a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What.
    pub message: String,
    /// In which thread.
    pub thread: u32,
    /// Whether what the threads do afterwards means nothing: nothing is added to such a graph.
    pub is_last: bool,
}

/// A program.
pub trait Program {
    /// Its threads, as far as they were run.
    type Run;

    /// All threads before their first event.
    fn start(&self) -> Self::Run;

    /// How many threads there are so far. They are numbered in a way that does not depend on the order in which they are run; of a number that is not
    /// there yet, the thread is [`Next::Done`].
    fn threads(&self, run: &Self::Run) -> u32;

    /// Who started a thread; `None` if it is there from the beginning.
    fn birth(&self, _run: &Self::Run, _thread: u32) -> Option<Birth> {
        None
    }

    /// What a thread does next. The same until it is taken.
    fn next(&self, run: &Self::Run, thread: u32) -> Next;

    /// What comes of the thread's next event if it reads this value.
    fn answer(&self, run: &Self::Run, thread: u32, read: u64) -> Answer;

    /// The thread's next event is taken.
    fn take(&self, run: &mut Self::Run, thread: u32, seen: Seen<'_>);

    /// The value that a location has in the beginning.
    fn initial(&self, run: &Self::Run, location: Location) -> u64;

    /// What a thread sees of a value when it decides to wait for another one, as [`Next::Stuck`] says.
    fn seen_as(&self, _run: &Self::Run, _location: Location, value: u64) -> u64 {
        value
    }

    /// What went wrong so far. A thread in which something went wrong is [`Next::Done`].
    fn fault(&self, run: &Self::Run) -> Option<Fault>;
}

impl<P: Program> Program for &P {
    type Run = P::Run;

    fn start(&self) -> P::Run {
        (**self).start()
    }

    fn threads(&self, run: &P::Run) -> u32 {
        (**self).threads(run)
    }

    fn birth(&self, run: &P::Run, thread: u32) -> Option<Birth> {
        (**self).birth(run, thread)
    }

    fn next(&self, run: &P::Run, thread: u32) -> Next {
        (**self).next(run, thread)
    }

    fn answer(&self, run: &P::Run, thread: u32, read: u64) -> Answer {
        (**self).answer(run, thread, read)
    }

    fn take(&self, run: &mut P::Run, thread: u32, seen: Seen<'_>) {
        (**self).take(run, thread, seen);
    }

    fn initial(&self, run: &P::Run, location: Location) -> u64 {
        (**self).initial(run, location)
    }

    fn seen_as(&self, run: &P::Run, location: Location, value: u64) -> u64 {
        (**self).seen_as(run, location, value)
    }

    fn fault(&self, run: &P::Run) -> Option<Fault> {
        (**self).fault(run)
    }
}

/// An event of a thread that was not added yet.
pub(crate) fn fresh(graph: &Graph, thread: u32, next: &Next) -> Event {
    let event = Event {
        thread,
        index: graph.length(thread),
        kind: Kind::Read,
        location: Location(0),
        order: Order::Relaxed,
        locked: false,
        source: Source::Initial,
        place: 0,
        value: 0,
    };
    match *next {
        Next::Read {
            location, order, locked, ..
        } => Event {
            location,
            order,
            locked,
            ..event
        },
        Next::Write { location, order, value } => Event {
            kind: Kind::Write,
            location,
            order,
            value,
            ..event
        },
        Next::Fence(order) => Event {
            kind: Kind::Fence,
            order,
            ..event
        },
        Next::Join(other) => Event {
            kind: Kind::Join(other),
            ..event
        },
        Next::Done | Next::Stuck(_) => event,
    }
}
