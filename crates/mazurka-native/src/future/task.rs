//! Tasks: futures that run beside others.

use super::{Abort, drive};
use crate::model::{After, Alone, Model, Rule, Ticket};
use crate::runtime::current;
use crate::runtime::op::Op;
use crate::runtime::panics::caught;
use crate::runtime::rule::Taken;
use std::any::Any;
use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

/// Has ended.
const ENDED: u32 = 0;
/// Is to be aborted.
const ABORT: u32 = 1;

static FINISH: Rule = Rule {
    name: "end",
    touches: |t| {
        t.update(ENDED);
    },
    apply: |state, _| {
        state.counts[0] = 1;
        0
    },
    ..Rule::STEP
};

static JOIN: Rule = Rule {
    name: "join",
    awaits: "the end of",
    touches: |t| {
        t.guard(ENDED);
    },
    enabled: |state, _| state.counts[0] == 1,
    alone: Some(Alone {
        touches: |_| {},
        after: |_, _| After::Nth { counter: 0, n: 0 },
    }),
    ..Rule::STEP
};

static LOOK: Rule = Rule {
    name: "look for the end of",
    touches: |t| {
        t.read(ENDED);
    },
    apply: |state, _| state.counts[0],
    looks: true,
    ..Rule::STEP
};

static REQUEST: Rule = Rule {
    name: "abort",
    touches: |t| {
        t.accumulate(ABORT);
    },
    apply: |state, _| {
        state.numbers[0] = 1;
        0
    },
    ..Rule::STEP
};

static ABORTED: Rule = Rule {
    name: "be aborted as",
    awaits: "somebody to abort",
    touches: |t| {
        t.guard(ABORT);
    },
    enabled: |state, _| state.numbers[0] == 1,
    ..Rule::STEP
};

static IS_ABORTED: Rule = Rule {
    name: "look whether to abort",
    touches: |t| {
        t.read(ABORT);
    },
    apply: |state, _| state.numbers[0],
    looks: true,
    ..Rule::STEP
};

/// What a task and its handles share.
struct Cell<T> {
    model: Model<Option<Result<T, JoinError>>>,
    /// Outside of a check, its thread.
    thread: Mutex<Option<std::thread::Thread>>,
}

/// What can be done with a task whatever its result.
trait AnyTask: Send + Sync {
    fn abort(&self, at: &'static Location<'static>);
    fn is_finished(&self, at: &'static Location<'static>) -> bool;
}

impl<T: Send> AnyTask for Cell<T> {
    fn abort(&self, at: &'static Location<'static>) {
        self.model.look_closer();
        self.model.step_at(at, &REQUEST, 0, |_, _| ());
        if let Some(thread) = &*self.thread.lock().unwrap_or_else(PoisonError::into_inner) {
            thread.unpark();
        }
    }

    fn is_finished(&self, at: &'static Location<'static>) -> bool {
        self.model.step_at(at, &LOOK, 0, |ended, _| ended == 1)
    }
}

impl<T> Cell<T> {
    /// How its task may be aborted.
    fn abort_of(&self) -> Option<Abort> {
        let Some(object) = self.model.object() else {
            return Some(Abort {
                op: None,
                is: self.model.step(&IS_ABORTED, 0, |aborted, _| aborted == 1),
                any_time: false,
            });
        };
        let any_time = current::with(|execution| execution.cancels()) == Some(true);
        let op = self.model.looks_closer().then_some(Op::Rule {
            object,
            rule: Taken(&ABORTED),
            argument: 0,
            alone: false,
        });
        (any_time || op.is_some()).then_some(Abort { op, is: false, any_time })
    }
}

/// Waits for the end of a task, as a future: its output, or why there is none. If it is dropped, the task goes on.
pub struct JoinHandle<T> {
    cell: Arc<Cell<T>>,
    any: Arc<dyn AnyTask>,
    ticket: Ticket,
    done: bool,
}

/// Aborts a task.
#[derive(Clone)]
pub struct AbortHandle(Arc<dyn AnyTask>);

/// Why a task has no output.
pub struct JoinError(Why);

enum Why {
    Cancelled,
    Panicked(Mutex<Box<dyn Any + Send>>),
}

impl JoinError {
    /// Whether the task was aborted.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.0, Why::Cancelled)
    }

    /// Whether the task panicked.
    pub fn is_panic(&self) -> bool {
        matches!(self.0, Why::Panicked(_))
    }

    /// What the task panicked with.
    ///
    /// # Errors
    /// If it did not.
    pub fn try_into_panic(self) -> Result<Box<dyn Any + Send>, JoinError> {
        match self.0 {
            Why::Panicked(payload) => Ok(payload.into_inner().unwrap_or_else(PoisonError::into_inner)),
            why @ Why::Cancelled => Err(JoinError(why)),
        }
    }

    /// What the task panicked with.
    ///
    /// # Panics
    /// If it did not.
    pub fn into_panic(self) -> Box<dyn Any + Send> {
        match self.try_into_panic() {
            Ok(payload) => payload,
            Err(_) => panic!("the task did not panic"),
        }
    }
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Why::Cancelled => "the task was cancelled",
            Why::Panicked(_) => "the task panicked",
        })
    }
}

impl fmt::Debug for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Why::Cancelled => "JoinError::Cancelled",
            Why::Panicked(_) => "JoinError::Panic(...)",
        })
    }
}

impl std::error::Error for JoinError {}

impl<T> JoinHandle<T> {
    /// Drops the future of the task where it waits. If it has ended, nothing happens.
    #[track_caller]
    pub fn abort(&self) {
        self.any.abort(Location::caller());
    }

    /// Whether the task has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.any.is_finished(Location::caller())
    }

    /// Another way to abort it.
    pub fn abort_handle(&self) -> AbortHandle {
        AbortHandle(Arc::clone(&self.any))
    }
}

impl AbortHandle {
    /// As [`JoinHandle::abort`].
    #[track_caller]
    pub fn abort(&self) {
        self.0.abort(Location::caller());
    }

    /// As [`JoinHandle::is_finished`].
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.0.is_finished(Location::caller())
    }
}

impl fmt::Debug for AbortHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AbortHandle").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}

impl<T> Unpin for JoinHandle<T> {}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        assert!(!this.done, "a `JoinHandle` was polled after its task had been joined");
        match this.cell.model.poll(&mut this.ticket, context, &JOIN, 0) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(_) => {
                this.done = true;
                match this.cell.model.with(Option::take) {
                    Some(result) => Poll::Ready(result),
                    None => Poll::Ready(Err(JoinError(Why::Cancelled))),
                }
            }
        }
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        self.cell.model.abandon(&mut self.ticket);
    }
}

/// Starts a task.
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    start(future, Location::caller(), false, || ())
}

/// Starts a task that may wait for ever when all others have ended.
#[track_caller]
pub fn spawn_daemon<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    start(future, Location::caller(), true, || ())
}

/// The same; when it has ended, however that may be, `then` is called in its place.
#[track_caller]
pub fn spawn_daemon_then<F>(future: F, then: impl FnOnce() + Send + 'static) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    start(future, Location::caller(), true, then)
}

/// Runs a function that may block, beside others.
#[track_caller]
pub fn spawn_blocking<F, T>(function: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    begin(Location::caller(), false, |_| move || Some(function()), || ())
}

fn start<F>(future: F, at: &'static Location<'static>, daemon: bool, then: impl FnOnce() + Send + 'static) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    let body = |cell: &Arc<Cell<F::Output>>| {
        let cell = Arc::clone(cell);
        move || {
            // Whoever can be aborted can be so before the beginning.
            if cell.abort_of().is_some_and(|abort| super::aborted_at_once(at, abort)) {
                return None;
            }
            let future = pin!(future);
            drive(future, at, || cell.abort_of())
        }
    };
    begin(at, daemon, body, then)
}

/// Starts a process with this body; its output is `None` if it was aborted.
fn begin<T, B>(
    at: &'static Location<'static>,
    daemon: bool,
    body: impl FnOnce(&Arc<Cell<T>>) -> B,
    then: impl FnOnce() + Send + 'static,
) -> JoinHandle<T>
where
    T: Send + 'static,
    B: FnOnce() -> Option<T> + Send + 'static,
{
    let cell = Arc::new(Cell {
        model: Model::new("task", 0, 1, None),
        thread: Mutex::default(),
    });
    let (body, end) = (body(&cell), Arc::clone(&cell));
    let main = move || {
        let result = match caught(body) {
            Ok(Some(output)) => Ok(output),
            Ok(None) => Err(JoinError(Why::Cancelled)),
            Err(payload) => Err(JoinError(Why::Panicked(Mutex::new(payload)))),
        };
        end.model.step_at(at, &FINISH, 0, |_, slot| *slot = Some(result));
        then();
    };
    match cell.model.object() {
        Some(object) => {
            let main: Box<dyn FnOnce()> = Box::new(main);
            current::with(|execution| execution.spawn_task(object, daemon, main));
        }
        None => {
            let thread = std::thread::spawn(main);
            *cell.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread.thread().clone());
        }
    }
    JoinHandle {
        any: Arc::clone(&cell) as Arc<dyn AnyTask>,
        cell,
        ticket: Ticket::at(at),
        done: false,
    }
}
