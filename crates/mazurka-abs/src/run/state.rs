//! The state of a run: cogs, objects, futures, live tasks.
//!
//! Every piece sits behind an `Rc` and is copied only when it changes, so a clone bumps a few counters. Each piece remembers its hash until
//! it changes.

use super::chunks::Chunks;
use super::tasks::Tasks;
use crate::value::{Ref, Value};
use mazurka_core::{Failure, Location};
use num_rational::BigRational;
use smallvec::SmallVec;
use std::cell::Cell;
use std::rc::Rc;

/// No object: the `this` of main blocks and functions outside objects.
pub const NOBODY: u32 = u32::MAX;

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its schedule-independent name.
    pub id: u32,
    /// Its class.
    pub class: u32,
    /// The slot of its cog.
    pub cog: u32,
    /// The location of its first field, if fields have locations.
    pub location: Location,
    /// The values of its fields.
    pub fields: SmallVec<[Value; 4]>,
    /// Ended by `die` or by an exception nobody recovered from.
    pub dead: bool,
    pub(super) hash: Cell<u128>,
    /// Whether some field mentioned a future when the hash was computed.
    pub(super) mentions: Cell<bool>,
}

/// A cog.
#[derive(Clone, Copy, Debug)]
pub struct Cog {
    /// The object it was made for; `None` for the main block's.
    pub first: Option<u32>,
    /// The class of that object.
    pub class: Option<u32>,
    /// The task that is blocked in the middle of its work and lets no other task run.
    pub holder: Option<u32>,
    /// Everything in the cog.
    pub all: Location,
    /// Whether it is held.
    pub control: Location,
    /// All its fields together.
    pub inside: Location,
}

/// The result of a task.
#[derive(Clone, Debug)]
pub enum Future {
    /// Not yet there.
    Open,
    /// The value.
    Value(Value),
    /// The exception that ended the task.
    Failed(Value),
    /// There, but nobody can ask for it.
    Forgotten,
}

/// The place for the result of a task.
#[derive(Clone, Debug)]
pub struct Promise {
    /// The result.
    pub result: Future,
    /// Whether the task's name can be given again once its parent knows that it has ended: nothing is left that was named after it.
    pub free: bool,
}

impl Promise {
    /// Of a task that has not ended.
    pub const OPEN: Promise = Promise {
        result: Future::Open,
        free: false,
    };
}

/// A name that a task can give again: the how-manieth child had it, and where its future was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Returned {
    /// The number of the child.
    pub nth: u32,
    /// The slot of its future.
    pub slot: u32,
}

/// The slot of futures that nobody can ask for: they have none.
pub const NOWHERE: u32 = u32::MAX;

/// One activation on a task's stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The code.
    pub code: u32,
    /// The next instruction.
    pub pc: u32,
    /// Where its variables start on the stack.
    pub base: u32,
    /// The slot of the object it runs in, or [`NOBODY`].
    pub this: u32,
}

/// When a task goes on: the clock does not go past the second time before it has passed the first.
#[derive(Clone, PartialEq, Debug)]
pub struct Interval {
    /// The first moment at which the task can go on.
    pub earliest: BigRational,
    /// The last moment that the clock stops at for the task's sake.
    pub latest: BigRational,
}

/// What a waiting task waits for.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The guard.
    pub guard: u32,
    /// The futures that the guard finds in variables.
    pub futures: SmallVec<[Ref; 2]>,
    /// The variables that the condition reads.
    pub args: SmallVec<[Value; 2]>,
    /// The time that it waits for.
    pub until: Option<Box<Interval>>,
}

/// Why a task is not running.
#[derive(Clone, Debug)]
pub enum Stopped {
    /// It has not started.
    Fresh,
    /// It let others run.
    Suspended,
    /// It waits for a guard and lets others run.
    Await(Waiting),
    /// It is about to look at a guard and lets nobody run meanwhile.
    Look(Waiting),
    /// It waits for a future and lets nobody run meanwhile.
    Get(Ref),
    /// It chooses one of so many numbers and lets nobody run meanwhile.
    Choose(u32),
    /// It waits for time to pass and lets nobody run meanwhile.
    Sleep(Box<Interval>),
}

impl Stopped {
    /// Whether the task keeps its cog.
    pub fn holds(&self) -> bool {
        matches!(self, Stopped::Look(_) | Stopped::Get(_) | Stopped::Choose(_) | Stopped::Sleep(_))
    }

    /// The time that the task waits for.
    pub fn until(&self) -> Option<&Interval> {
        match self {
            Stopped::Sleep(until) => Some(until),
            Stopped::Await(waiting) => waiting.until.as_deref(),
            _ => None,
        }
    }
}

/// A task between its birth and its end.
#[derive(Clone, Debug)]
pub struct Task {
    /// The process.
    pub id: u32,
    /// Where its future is, or [`NOWHERE`].
    pub slot: u32,
    /// The slot of its cog.
    pub cog: u32,
    /// By when it should have ended.
    pub deadline: Option<Rc<BigRational>>,
    /// How many names it has given to tasks that it started.
    pub children: u32,
    /// Which of these names it can give again, in order: those of tasks that have ended, as it knows, and that nobody else can know.
    pub returned: SmallVec<[Returned; 2]>,
    /// How many objects it has made.
    pub objects: u32,
    /// Whether somebody can ask for its result.
    pub observed: bool,
    /// Whether only the code that started it can know its future.
    pub private: bool,
    /// The location of its future, if it is observed.
    pub future: Location,
    /// Why it is not running.
    pub stopped: Stopped,
    /// The activations, innermost last.
    pub frames: SmallVec<[Frame; 1]>,
    /// The variables and operands of all activations.
    pub stack: SmallVec<[Value; 3]>,
    /// The slots of the cogs besides its own that it holds, because it initialises an object there.
    pub also_holds: SmallVec<[u32; 1]>,
    pub(super) hash: Cell<u128>,
}

/// A live task with what is known about its guard.
#[derive(Clone, Debug)]
pub struct Live {
    /// The task.
    pub task: Rc<Task>,
    /// Whether the condition of its guard held (or failed with an exception) after the last step of its cog.
    pub ready: bool,
}

/// Lines printed so far, newest first.
#[derive(Debug)]
pub struct Printed {
    text: String,
    before: Option<Rc<Printed>>,
}

impl Drop for Printed {
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(rc) = next {
            match Rc::try_unwrap(rc) {
                Ok(mut printed) => next = printed.before.take(),
                Err(_) => break,
            }
        }
    }
}

/// Everything the future of an execution depends on, and what it printed.
#[derive(Debug, Default)]
pub struct Run {
    /// The cogs, in order of creation.
    pub cogs: Chunks<Cog>,
    /// The objects, in order of creation.
    pub objects: Chunks<Rc<Object>>,
    /// The futures that somebody can ask for, or could, in order of creation.
    pub futures: Chunks<Promise>,
    /// The live tasks, in order of creation.
    pub live: Tasks,
    /// How many live tasks wait for a guard.
    pub waiting: u32,
    /// What time it is; `None` before time has passed for the first time.
    pub clock: Option<Rc<BigRational>>,
    /// The main block's variables at its end. They are a part of the state only if a property speaks about them.
    pub main: Option<Rc<Vec<Value>>>,
    /// The futures of tasks that an exception ended and that nobody has asked yet, with where it was thrown.
    pub unread: Vec<(Ref, Rc<Failure>)>,
    /// The tasks that failed when they took their last step, with how: what went wrong is a part of the state, even if nothing else shows it.
    pub failed: Vec<(u32, Rc<Failure>)>,
    pub(super) printed: Option<Rc<Printed>>,
}

impl Clone for Run {
    fn clone(&self) -> Self {
        Run {
            cogs: self.cogs.clone(),
            objects: self.objects.clone(),
            futures: self.futures.clone(),
            live: self.live.clone(),
            waiting: self.waiting,
            clock: self.clock.clone(),
            main: self.main.clone(),
            unread: self.unread.clone(),
            failed: self.failed.clone(),
            printed: self.printed.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.cogs.clone_from(&source.cogs);
        self.objects.clone_from(&source.objects);
        self.futures.clone_from(&source.futures);
        self.live.clone_from(&source.live);
        self.waiting = source.waiting;
        self.clock.clone_from(&source.clock);
        self.main.clone_from(&source.main);
        self.unread.clone_from(&source.unread);
        self.failed.clone_from(&source.failed);
        self.printed.clone_from(&source.printed);
    }
}

impl Object {
    /// A new object.
    pub fn new(id: u32, class: u32, cog: u32, location: Location, fields: SmallVec<[Value; 4]>) -> Self {
        Object {
            id,
            class,
            cog,
            location,
            fields,
            dead: false,
            hash: Cell::new(0),
            mentions: Cell::default(),
        }
    }
}

impl Run {
    /// An object, to change it.
    #[inline]
    pub fn object_mut(&mut self, slot: u32) -> &mut Object {
        let object = Rc::make_mut(self.objects.get_mut(slot));
        object.hash.set(0);
        object
    }

    /// Remembers what was printed.
    pub fn print(&mut self, text: String) {
        self.printed = Some(Rc::new(Printed {
            text,
            before: self.printed.take(),
        }));
    }

    /// All that was printed.
    pub fn output(&self) -> String {
        let mut pieces = Vec::new();
        let mut next = &self.printed;
        while let Some(printed) = next {
            pieces.push(printed.text.as_str());
            next = &printed.before;
        }
        pieces.reverse();
        pieces.concat()
    }

    /// Where a live task stands in the list.
    #[inline]
    pub fn find(&self, process: u32) -> Option<usize> {
        self.live.find(process)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_becomes_another_has_its_output_and_results() {
        let mut one = Run::default();
        one.print("one\n".to_owned());
        one.main = Some(Rc::new(vec![Value::Int(1)]));
        let mut two = Run::default();
        two.print("two\n".to_owned());
        two.clone_from(&one);
        assert_eq!(two.output(), "one\n");
        assert!(matches!(two.main.as_deref().map(Vec::as_slice), Some([Value::Int(1)])));
    }
}
