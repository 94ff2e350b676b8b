//! The code under test as a search over execution graphs sees it.
//!
//! Operations on atomics are events on their values. All operations on a lock, a channel or whatever else there is are read-modify-writes of its shape: they come
//! in one order, and release and acquire as the real ones do.

use super::execution::Execution;
use super::guided::{Intent, order};
use super::op::{Object, Op, Shape};
use super::program::Native;
use mazurka_core::{Effects, Failure, FailureKind, Process, Program as _, Transition};
use mazurka_weak::{Answer, Birth, Fault, Location, Next, Order, Program, Seen, failure_with};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A place in the source.
pub(crate) type Place = &'static std::panic::Location<'static>;

/// Code under test, guided by graphs.
pub(crate) struct Guide<'a> {
    native: &'a Native,
    /// Orderings that are other ones than the code says.
    instead: FxHashMap<(&'static str, u32, u32), Order>,
    /// Something that no graph can have.
    refused: RefCell<Option<String>>,
}

impl<'a> Guide<'a> {
    /// With these orderings in place of those that the code has there.
    pub fn new(native: &'a Native, instead: &[(Place, Order)]) -> Self {
        Guide {
            native,
            instead: instead
                .iter()
                .map(|(at, order)| ((at.file(), at.line(), at.column()), *order))
                .collect(),
            refused: RefCell::default(),
        }
    }

    /// What the code does that cannot be checked under weak memory, if it does.
    pub fn refused(&self) -> Option<String> {
        self.refused.borrow().clone()
    }

    fn refuse(&self, what: &str, at: Place) -> Next {
        let message = format!("{what} cannot be checked under a memory model yet: {at}");
        self.refused.borrow_mut().get_or_insert(message);
        Next::Stuck(Vec::new())
    }

    /// The ordering at a place.
    fn order_at(&self, at: Place, written: Order) -> Order {
        *self.instead.get(&(at.file(), at.line(), at.column())).unwrap_or(&written)
    }
}

/// What an operation that is not about the value of an atomic promises, with this answer.
fn promise(op: Op, answer: u32) -> Order {
    use Op::*;
    match op {
        TryLock(_) | TryRead(_) | TryWrite(_) | IsFinished(_) if answer == 0 => Order::Relaxed,
        TrySend(_) | TryHand(_) | TryReceive(_) if answer == 2 => Order::Relaxed,
        Lock(_)
        | TryLock(_)
        | Read(_)
        | TryRead(_)
        | Write(_)
        | TryWrite(_)
        | Park { .. }
        | Begin(_)
        | BeginAgain(_)
        | AwaitDone(..)
        | Leave(..)
        | IsFinished(_)
        | Load(_)
        | Handed(..) => Order::Acquire,
        Unlock(_) | EndRead(_) | EndWrite(_) | End(..) | Unpark(_) | Arrive { .. } | Finish(_) | DropSender(_) | DropReceiver(_) => {
            Order::Release
        }
        Enqueue(_) | EndWait { .. } | NotifyOne(_) | NotifyAll(_) | ComeToWrite(_) | ComeToReceive(_) => Order::Relaxed,
        _ => Order::AcqRel,
    }
}

impl Guide<'_> {
    fn next_of(&self, run: &Execution, process: u32) -> Next {
        let Some(thread) = run.thread(Process(process)) else {
            return Next::Done;
        };
        if thread.finished() {
            // What the thread did after its last step comes before its end.
            return if run.has_ended(process) {
                Next::Done
            } else {
                Next::Fence(Order::Relaxed)
            };
        }
        if run.guided_fault().is_some_and(|(faulty, _)| *faulty == process) {
            return Next::Done;
        }
        let (op, at) = (thread.op, thread.at);
        let location = |object: Object| Location(object.0);
        match (op, thread.intent) {
            (Op::Load(object), Some(Intent::Load(ordering))) => Next::read(location(object), self.order_at(at, order(ordering))),
            (Op::Store(object), Some(Intent::Store(ordering, value))) => Next::Write {
                location: location(object),
                order: self.order_at(at, order(ordering)),
                value,
            },
            (Op::Update(object), Some(Intent::Update { success, failure, .. })) => {
                let (success, failure) = (order(success), order(failure));
                let new = self.order_at(at, success);
                let failure = if new == success {
                    failure
                } else {
                    failure_with(success, failure, new)
                };
                Next::update(location(object), new, failure)
            }
            (Op::Choose(1), Some(Intent::Fence(ordering))) => Next::Fence(self.order_at(at, order(ordering))),
            (Op::Choose(1) | Op::Time(_), _) => Next::Fence(Order::Relaxed),
            (Op::Choose(_), _) => self.refuse("`choose`", at),
            (Op::Any(_) | Op::Cancel, _) => self.refuse("what waits for one of several things, such as a task,", at),
            (Op::EndWait { timed: true, .. } | Op::Park { timed: true, .. } | Op::ReceiveGuarded { timed: true, .. }, _) => {
                self.refuse("a timeout", at)
            }
            (Op::Join(other), _) => Next::Join(other),
            (Op::AwaitNews, _) => Next::Stuck(
                thread
                    .seen_before
                    .iter()
                    .map(|(object, value)| (location(*object), *value))
                    .collect(),
            ),
            (Op::Never, _) => Next::Stuck(Vec::new()),
            (op, _) => match op.objects().first() {
                Some(object) => Next::update(location(*object), Order::AcqRel, Order::Relaxed),
                None => self.refuse("this operation", at),
            },
        }
    }

    fn answer_of(&self, run: &Execution, process: u32, read: u64) -> Answer {
        let Some(thread) = run.thread(Process(process)) else {
            return Answer::Wait;
        };
        let op = thread.op;
        match thread.intent {
            Some(Intent::Load(_)) if op.is_atomic() => return Answer::Read,
            Some(Intent::Update { change, .. }) if op.is_atomic() => {
                // SAFETY: the thread is suspended in front of the operation, in the function that owns the closure.
                let change = unsafe { &*change };
                return change(read).map_or(Answer::Read, Answer::Write);
            }
            _ => {}
        }
        let Some(object) = op.objects().first().copied() else {
            return Answer::Read;
        };
        let mut shape = run.shape_after(read).cloned().unwrap_or_else(Shape::default);
        let facts = run.facts_of(object);
        if !op.enabled(0, process, &shape, facts) {
            return Answer::Wait;
        }
        let answer = shape.apply(op, 0, process, object, facts);
        Answer::WriteAs(run.number_of_next(process), promise(op, answer))
    }
}

impl Program for Guide<'_> {
    type Run = Box<Execution>;

    fn start(&self) -> Box<Execution> {
        let mut run = self.native.start();
        let early: Vec<Failure> = run.other_failures().cloned().collect();
        for failure in early {
            run.note_fault(0, failure);
        }
        run
    }

    fn threads(&self, run: &Box<Execution>) -> u32 {
        run.processes()
    }

    fn birth(&self, run: &Box<Execution>, thread: u32) -> Option<Birth> {
        run.birth(thread)
    }

    fn next(&self, run: &Box<Execution>, thread: u32) -> Next {
        self.next_of(run, thread)
    }

    fn answer(&self, run: &Box<Execution>, thread: u32, read: u64) -> Answer {
        self.answer_of(run, thread, read)
    }

    fn take(&self, run: &mut Box<Execution>, thread: u32, seen: Seen<'_>) {
        let Some(state) = run.thread(Process(thread)) else { return };
        if state.finished() {
            run.end_is_told(thread);
            return;
        }
        let op = state.op;
        run.guide(thread, seen.value, seen.is_last, seen.heard);
        let mut effects = Effects::default();
        let transition = Transition {
            process: Process(thread),
            choice: 0,
        };
        run.take(transition, &mut effects);
        run.remember_shape(thread, op);
        if let Some(failure) = effects.failure {
            run.note_fault(thread, failure);
        }
    }

    fn initial(&self, run: &Box<Execution>, location: Location) -> u64 {
        run.first_value(Object(location.0))
    }

    fn seen_as(&self, run: &Box<Execution>, location: Location, value: u64) -> u64 {
        match run.value(Object(location.0)) {
            Some(_) => value,
            None => run.shape_after(value).map_or(0, Shape::value),
        }
    }

    fn fault(&self, run: &Box<Execution>) -> Option<Fault> {
        let (thread, failure) = run.guided_fault()?;
        Some(Fault {
            message: failure.message.clone(),
            thread: *thread,
            // Plain data that races has other values when the threads are run in another order.
            is_last: failure.kind == FailureKind::DataRace,
        })
    }
}
