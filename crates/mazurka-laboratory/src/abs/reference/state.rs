//! A whole state: objects, unfinished tasks, results. Everything is named by its place of birth, so two states are the same if and only if
//! they are equal.

use super::value::{ObjectName, TaskName, Value};
use mazurka_abs::checked::{Block, Branch, FieldId, Guard, LocalId, Stmt};
use mazurka_core::Failure;
use mazurka_diagnostics::Span;
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A cog, named by the object it was made for; `None` is the main block's.
pub type Cog = Option<ObjectName>;

/// A state between two steps.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State<'m> {
    /// The objects.
    pub objects: BTreeMap<ObjectName, Rc<Object>>,
    /// The unfinished tasks.
    pub tasks: BTreeMap<TaskName, Rc<Task<'m>>>,
    /// How the finished tasks ended.
    pub results: BTreeMap<TaskName, Ended>,
    /// What time it is.
    pub clock: BigRational,
}

impl Default for State<'_> {
    fn default() -> Self {
        State {
            objects: BTreeMap::new(),
            tasks: BTreeMap::new(),
            results: BTreeMap::new(),
            clock: BigRational::zero(),
        }
    }
}

/// An object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// Where it lives.
    pub cog: Cog,
    /// Its fields.
    pub fields: Vec<Value>,
}

/// How a task ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ended {
    /// With a value.
    Value(Value),
    /// With an exception, and the failure that it is as long as nobody has asked for it.
    Exception(Value, Option<Rc<Failure>>),
}

/// A task that has not ended.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Task<'m> {
    /// Where it runs.
    pub cog: Cog,
    /// By when it should have ended.
    pub deadline: Option<BigRational>,
    /// Tasks it has started.
    pub children: u32,
    /// Objects it has made.
    pub objects: u32,
    /// Why it is not running.
    pub status: Status<'m>,
    /// Its activations, innermost last.
    pub frames: Vec<Frame<'m>>,
}

/// Why a task is not running.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Status<'m> {
    /// It has not started, or it let others run.
    Ready,
    /// It waits, and lets others run.
    Waits(Awaited<'m>),
    /// It is about to look at what it awaits, and lets nobody of its cog run before.
    Looks(Awaited<'m>),
    /// It asks for a result, and lets nobody of its cog run before it gets it.
    Gets(TaskName),
    /// It lets nobody of its cog run before this time has passed.
    Sleeps(Interval),
}

/// From the first moment at which a task can go on to the last that the clock may not miss.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Interval(pub BigRational, pub BigRational);

/// What an `await` waits for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Awaited<'m> {
    /// A guard, with the time that it waits for.
    Guard(Node<'m, Guard>, Option<Interval>),
    /// The end of the task that `await o!m()` has started.
    Call(TaskName),
}

/// One activation of a method, an initialiser or the main block.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame<'m> {
    /// What the code is called in messages.
    pub name: Rc<str>,
    /// The object it runs in.
    pub this: Option<ObjectName>,
    /// Its variables.
    pub locals: Vec<Value>,
    /// What is left to do, the next last.
    pub work: Vec<Work<'m>>,
    /// Where it is.
    pub at: Span,
    /// Whether it initialises `this`.
    pub initialises: bool,
}

/// A piece of work that an activation still has to do.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Work<'m> {
    /// The rest of a block.
    Statements(List<'m, Stmt>),
    /// A `while` loop, from its condition on.
    Loop(Node<'m, Stmt>),
    /// The rest of a `foreach` loop: the elements left, the number of the next.
    Each(Node<'m, Stmt>, Value, i64),
    /// The end of a `try` body: exceptions from above are caught here.
    Catch(List<'m, Branch<Block>>),
    /// A `finally` block around the work above.
    Finally(Node<'m, Block>),
    /// After a `finally` block: go on leaving the activation.
    Leave(Leaving),
    /// The value that comes next goes here.
    Deliver(Use<'m>),
    /// The result of a task that has ended is asked for.
    Result(TaskName),
    /// The end of a task is taken note of: its exception counts as read.
    Acknowledge(TaskName),
    /// The initial values of the fields from this number on.
    Fields(u32),
}

/// Why an activation is left.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Leaving {
    /// It returns a value.
    Return(Value),
    /// An exception goes through.
    Raise(Rc<Raised>),
}

/// What becomes of the value of a right-hand side.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Use<'m> {
    Local(LocalId),
    Field(FieldId),
    Return,
    Assert(Node<'m, Stmt>),
    Forget,
}

/// An exception on its way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Raised {
    /// The exception.
    pub exception: Value,
    /// The activations it came from, innermost first: the name of the code and the place in it.
    pub trace: Vec<(Rc<str>, Span)>,
    /// What a failed assertion looked at: the text of a variable and its value.
    pub looked_at: Vec<(String, String)>,
}

impl Raised {
    /// Raised in this code, at this place.
    pub fn new(exception: Value, name: &str, at: Span) -> Self {
        Raised {
            exception,
            trace: vec![(name.into(), at)],
            looked_at: Vec::new(),
        }
    }

    /// The same after it has left a function that was called from there.
    pub fn through(mut self, name: &str, at: Span) -> Self {
        self.trace.push((name.into(), at));
        self
    }
}

/// A place in the tree; equal only to itself.
#[derive(Debug)]
pub struct Node<'m, T>(pub &'m T);

/// A part of a list in the tree; equal only to itself.
#[derive(Debug)]
pub struct List<'m, T>(pub &'m [T]);

impl<T> Clone for Node<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Node<'_, T> {}
impl<T> PartialEq for Node<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl<T> Eq for Node<'_, T> {}
impl<T> Hash for Node<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

impl<T> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for List<'_, T> {}
impl<T> PartialEq for List<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl<T> Eq for List<'_, T> {}
impl<T> Hash for List<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.as_ptr(), self.0.len()).hash(state);
    }
}

impl<'m> State<'m> {
    /// The state once time has passed up to the next moment that matters, if some task waits for one.
    pub fn after_waiting(&self) -> Option<Self> {
        let intervals = self.tasks.values().filter_map(|task| match &task.status {
            Status::Sleeps(interval) | Status::Waits(Awaited::Guard(_, Some(interval))) => Some(interval),
            _ => None,
        });
        let ahead = intervals.filter(|Interval(earliest, _)| *earliest > self.clock);
        let next = ahead.map(|Interval(_, latest)| latest).min()?;
        Some(State {
            clock: next.clone(),
            ..self.clone()
        })
    }

    /// Whether a task keeps the cog while it is blocked in the middle of its work.
    pub fn is_held(&self, cog: &Cog) -> bool {
        self.tasks.values().any(|task| task.holds(self, cog))
    }
}

impl Task<'_> {
    /// Whether it keeps that cog: its own, or one whose first object it is about to initialise.
    fn holds(&self, state: &State<'_>, cog: &Cog) -> bool {
        let inside = |frame: &Frame<'_>| frame.this.as_ref().is_some_and(|this| state.objects[this].cog == *cog);
        matches!(self.status, Status::Looks(_) | Status::Gets(_) | Status::Sleeps(_))
            && (self.cog == *cog || self.frames.iter().any(inside))
    }
}
