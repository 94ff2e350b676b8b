//! Models: primitives of other crates as objects with rules, where nobody wants to explore how they are really made.
//!
//! A [`Model`] has a [`State`] of a few numbers and some data. Each of its operations is a [`Rule`]: what it touches, when it can be taken,
//! what it does. In a check, an operation is one step, and waiting for it is a part of that step. Outside of a check, the rules are
//! carried out under a lock, so a model is the real thing there, if not a fast one. `mazurka-tokio` is made of them.
//!
//! ```
//! use mazurka_native::model::{Model, Rule};
//! use mazurka_native::{check, sync::Arc, thread};
//!
//! /// A gate that is opened once.
//! static OPEN: Rule = Rule {
//!     name: "open",
//!     touches: |t| { t.update(0); },
//!     apply: |state, _| { state.numbers[0] = 1; 0 },
//!     ..Rule::STEP
//! };
//! static PASS: Rule = Rule {
//!     name: "pass",
//!     awaits: "the opening of",
//!     touches: |t| { t.guard(0); },
//!     enabled: |state, _| state.numbers[0] == 1,
//!     ..Rule::STEP
//! };
//!
//! check(|| {
//!     let gate = Arc::new(Model::new("gate", 0, 1, ()));
//!     let other = Arc::clone(&gate);
//!     let opener = thread::spawn(move || other.step(&OPEN, 0, |_, ()| ()));
//!     gate.step(&PASS, 0, |_, ()| ());
//!     opener.join().unwrap();
//! });
//! ```

use crate::future::waker;
use crate::runtime::current;
use crate::runtime::id::Id;
use crate::runtime::op::{Object, Op};
use crate::runtime::rule::Taken;
use std::cell::UnsafeCell;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

mod cases;
mod numbers;
pub mod permits;
pub mod shared_lock;
mod step;

pub use cases::{Case, Order, Otherwise, one_of};
pub use numbers::{fresh_number, steps_so_far};
pub use step::{AnyModel, Step};

pub use crate::runtime::rule::{After, Alone, Call, Rule, State, Touches};

/// An object with rules, around some data.
pub struct Model<D> {
    id: Id,
    kind: &'static str,
    size: u32,
    members: u32,
    real: Mutex<Real>,
    changed: Condvar,
    /// Whether somebody is to be woken in the ordinary way.
    wakes: AtomicBool,
    data: UnsafeCell<D>,
}

// SAFETY: the data is touched only within steps: in a check, code under test runs in one thread of the operating system and `then` takes no
// step; otherwise under the lock.
unsafe impl<D: Send> Send for Model<D> {}
// SAFETY: as above.
unsafe impl<D: Send> Sync for Model<D> {}

/// What there is outside of a check.
#[derive(Default)]
struct Real {
    state: Option<State>,
    more_members: u32,
    wakers: Vec<(u64, Waker)>,
}

/// The place of a future among those that wait for a model.
#[derive(Debug)]
pub struct Ticket {
    key: u64,
    process: u32,
    at: &'static Location<'static>,
    queues: Option<Taken>,
    queued: bool,
}

impl Ticket {
    /// Of a future that was made at the place of the caller.
    #[track_caller]
    pub const fn new() -> Self {
        Ticket::at(Location::caller())
    }

    /// Of a future that was made at this place.
    pub const fn at(at: &'static Location<'static>) -> Self {
        Ticket {
            key: 0,
            process: 0,
            at,
            queues: None,
            queued: false,
        }
    }

    /// The future has a place in a queue as soon as it was polled, which this rule takes; its answer is 1 if there is nothing to wait for,
    /// which is what the other rule would answer by 0.
    #[must_use]
    pub const fn queues(mut self, rule: &'static Rule) -> Self {
        self.queues = Some(Taken(rule));
        self
    }

    /// Whether the future has a place in a queue.
    pub fn is_queued(&self) -> bool {
        self.queued
    }

    /// It has one now.
    pub fn set_queued(&mut self) {
        self.queued = true;
    }

    /// Where the future was made.
    pub fn place(&self) -> &'static Location<'static> {
        self.at
    }
}

impl Default for Ticket {
    #[track_caller]
    fn default() -> Self {
        Ticket::new()
    }
}

impl<D> Model<D> {
    /// A model that shows as this kind of thing, holds so much, and has so many handles.
    pub const fn new(kind: &'static str, size: u32, members: u32, data: D) -> Self {
        Model {
            id: Id::new(),
            kind,
            size,
            members,
            real: Mutex::new(Real {
                state: None,
                more_members: 0,
                wakers: Vec::new(),
            }),
            changed: Condvar::new(),
            wakes: AtomicBool::new(false),
            data: UnsafeCell::new(data),
        }
    }

    /// How much it holds.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The data, which nobody else can see now.
    pub fn get_mut(&mut self) -> &mut D {
        self.data.get_mut()
    }

    /// The data.
    pub fn into_inner(self) -> D {
        self.data.into_inner()
    }

    /// Where the data is. To look there is up to who has taken a step that allows it.
    pub fn data_ptr(&self) -> *mut D {
        self.data.get()
    }

    /// One handle more.
    #[track_caller]
    pub fn add_member(&self) {
        self.add_members(1);
    }

    /// So many handles more. Rules are told their sum, so they can count several kinds of handles in one number.
    #[track_caller]
    pub fn add_members(&self, members: u32) {
        match self.object() {
            Some(object) => {
                current::with(|execution| execution.add_members(object, members));
            }
            None => self.real().more_members += members,
        }
    }

    /// All about this object matters from now on: in a check, if that is new, the search begins again.
    #[track_caller]
    pub fn look_closer(&self) {
        if let Some(object) = self.object() {
            current::with(|execution| execution.look_closer(object));
        }
    }

    /// Whether all about this object matters.
    #[track_caller]
    pub fn looks_closer(&self) -> bool {
        let object = self.object();
        object.and_then(|o| current::with(|execution| execution.looks_closer(o))) == Some(true)
    }

    /// It is a part of something larger, which begins every execution with its first value if it is a static. To be called before each use.
    #[track_caller]
    pub fn within<O: ?Sized>(&self, owner: &O) {
        self.id.of(owner, self.kind);
    }

    /// Takes a step, when it can be taken, and does something with the data in it.
    #[track_caller]
    pub fn step<R>(&self, rule: &'static Rule, argument: u64, then: impl FnOnce(u32, &mut D) -> R) -> R {
        self.step_at(Location::caller(), rule, argument, then)
    }

    /// The same, for the code at another place.
    pub fn step_at<R>(&self, at: &'static Location<'static>, rule: &'static Rule, argument: u64, then: impl FnOnce(u32, &mut D) -> R) -> R {
        match self.op(rule, argument) {
            Some((object, op)) => {
                let answer = current::publish(op.alone(), at).unwrap_or_default();
                self.done(object, rule);
                self.in_step(answer, then)
            }
            None => match self.really(rule, argument, None) {
                Some((answer, real)) => self.end_really(real, answer, then),
                None => unreachable!("there is no end of time"),
            },
        }
    }

    /// Takes a step when it can be taken, if that is within this time. In a check, the time may be over at any moment for who has to wait.
    #[track_caller]
    pub fn step_within<R>(&self, time: Duration, rule: &'static Rule, argument: u64, then: impl FnOnce(u32, &mut D) -> R) -> Option<R> {
        match self.op(rule, argument) {
            Some((object, op)) => {
                let over = current::with(|execution| execution.later(time)).unwrap_or_default();
                let answer = current::attempt(op, Op::Time(over), Location::caller())?;
                self.done(object, rule);
                Some(self.in_step(answer, then))
            }
            None => {
                let (answer, real) = self.really(rule, argument, Some(time))?;
                Some(self.end_really(real, answer, then))
            }
        }
    }

    /// Polls a future that waits for a step: its answer, when it was taken.
    pub fn poll(&self, ticket: &mut Ticket, context: &mut Context<'_>, rule: &'static Rule, argument: u64) -> Poll<u32> {
        match self.op(rule, argument) {
            Some((object, op)) => match self.poll_checked(ticket, context, op) {
                Some(answer) => {
                    self.done(object, rule);
                    Poll::Ready(answer)
                }
                None => Poll::Pending,
            },
            None => {
                let mut real = self.real();
                match self.try_really(&mut real, rule, argument) {
                    Some(answer) => {
                        real.wakers.retain(|(key, _)| *key != ticket.key);
                        ticket.key = 0;
                        self.end_really(real, answer, |_, _| ());
                        Poll::Ready(answer)
                    }
                    None => {
                        ticket.wake(&mut real, context);
                        Poll::Pending
                    }
                }
            }
        }
    }

    fn poll_checked(&self, ticket: &mut Ticket, context: &mut Context<'_>, op: Op) -> Option<u32> {
        let running = current::with(|execution| execution.process()).unwrap_or_default();
        if ticket.key != 0 && ticket.process != running {
            self.abandon(ticket);
        }
        ticket.process = running;
        let key = ticket.key as u32;
        if let Some(answer) = current::with(|execution| execution.answered(key)).flatten() {
            ticket.key = 0;
            return Some(answer);
        }
        let own = waker::is_own(context.waker());
        // Whoever polls it need not do so again when it is ready, or goes on meanwhile: then it must be known whether it is.
        let tries = !own || current::with(|execution| execution.tries_at(ticket.at)) == Some(true);
        if tries && let Some(answer) = self.try_checked(ticket, op) {
            self.abandon(ticket);
            return Some(answer);
        }
        if own {
            let (at, queues, queued) = (ticket.at, ticket.queues, ticket.queued);
            let key = current::with(|execution| {
                let key = execution.offer(key, op, at, queues);
                if queued {
                    execution.has_queued(key);
                }
                if tries {
                    execution.tried(key);
                }
                key
            });
            ticket.key = key.map_or(0, u64::from);
        } else {
            self.wakes.store(true, Relaxed);
            ticket.wake(&mut self.real(), context);
        }
        None
    }

    /// Takes the step of a future if it can be taken now; otherwise the future takes its place in the queue, if there is one.
    fn try_checked(&self, ticket: &mut Ticket, op: Op) -> Option<u32> {
        if let (Some(rule), false, Op::Rule { object, argument, .. }) = (ticket.queues, ticket.queued, op) {
            ticket.queued = true;
            let queue = Op::Rule {
                object,
                rule,
                argument,
                alone: false,
            };
            return current::publish(queue, ticket.at).filter(|answer| *answer == 1).map(|_| 0);
        }
        current::attempt(op, Op::Choose(1), ticket.at)
    }

    /// A future is dropped, or need not be asked any more: the answer of the step that was taken for it, if it has not asked for that.
    pub fn abandon(&self, ticket: &mut Ticket) -> Option<u32> {
        if ticket.key == 0 {
            return None;
        }
        let key = std::mem::take(&mut ticket.key);
        ticket.queued |= current::with(|execution| execution.is_queued(ticket.process, key as u32)) == Some(true);
        self.real().wakers.retain(|(k, _)| *k != key);
        current::with(|execution| execution.withdraw(ticket.process, key as u32)).flatten()
    }

    /// Does something with the data, where no step is needed for that.
    pub fn with<R>(&self, what: impl FnOnce(&mut D) -> R) -> R {
        if current::is_active() {
            return self.in_step(0, |_, data| what(data));
        }
        let _real = self.real();
        self.in_step(0, |_, data| what(data))
    }

    #[track_caller]
    pub(crate) fn object(&self) -> Option<Object> {
        let object = self.id.of(self, self.kind)?;
        current::with(|execution| execution.is_ruled(object, self.size, self.members));
        Some(object)
    }

    fn op(&self, rule: &'static Rule, argument: u64) -> Option<(Object, Op)> {
        let object = self.object()?;
        let op = Op::Rule {
            object,
            rule: Taken(rule),
            argument,
            alone: false,
        };
        Some((object, op))
    }

    fn in_step<R>(&self, answer: u32, then: impl FnOnce(u32, &mut D) -> R) -> R {
        // SAFETY: see the `Sync` of models: nobody else touches the data now.
        then(answer, unsafe { &mut *self.data.get() })
    }

    /// A step was taken in a check.
    fn done(&self, object: Object, rule: &'static Rule) {
        if rule.looks {
            current::with(|execution| {
                let before = execution.running().before;
                execution.looked(object, before);
            });
        }
        if self.wakes.swap(false, Relaxed) {
            let wakers = std::mem::take(&mut self.real().wakers);
            wakers.into_iter().for_each(|(_, waker)| waker.wake());
        }
    }

    fn real(&self) -> MutexGuard<'_, Real> {
        self.real.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_really(&self, real: &mut Real, rule: &'static Rule, argument: u64) -> Option<u32> {
        let call = Call {
            argument,
            process: 0,
            size: self.size,
            members: self.members + real.more_members,
        };
        let state = real.state.get_or_insert_default();
        (rule.enabled)(state, call).then(|| (rule.apply)(state, call))
    }

    fn really(&self, rule: &'static Rule, argument: u64, within: Option<Duration>) -> Option<(u32, MutexGuard<'_, Real>)> {
        let end = within.map(|time| Instant::now() + time);
        let mut real = self.real();
        loop {
            if let Some(answer) = self.try_really(&mut real, rule, argument) {
                return Some((answer, real));
            }
            real = match end {
                None => self.changed.wait(real).unwrap_or_else(PoisonError::into_inner),
                Some(end) => {
                    let left = end.checked_duration_since(Instant::now())?;
                    self.changed.wait_timeout(real, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn end_really<R>(&self, mut real: MutexGuard<'_, Real>, answer: u32, then: impl FnOnce(u32, &mut D) -> R) -> R {
        let result = self.in_step(answer, then);
        let wakers = std::mem::take(&mut real.wakers);
        drop(real);
        self.changed.notify_all();
        wakers.into_iter().for_each(|(_, waker)| waker.wake());
        result
    }
}

impl Ticket {
    /// Will be woken in the ordinary way.
    fn wake(&mut self, real: &mut Real, context: &Context<'_>) {
        static KEYS: AtomicU64 = AtomicU64::new(1 << 32);
        if self.key == 0 {
            self.key = KEYS.fetch_add(1, Relaxed);
        }
        real.wakers.retain(|(key, _)| *key != self.key);
        real.wakers.push((self.key, context.waker().clone()));
    }
}

impl<D> std::fmt::Debug for Model<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct(self.kind).finish_non_exhaustive()
    }
}
