//! The execution that is running on this thread of the operating system, as the library under test reaches it.

use super::allocations;
use super::execution::Execution;
use super::id::{Id, Stranger};
use super::op::{Object, Op};
use corosensei::Yielder;
use std::cell::Cell;
use std::panic::Location;
use std::ptr::null_mut;

thread_local! {
    /// Not null exactly while code under test runs.
    static CURRENT: Cell<*mut Execution> = const { Cell::new(null_mut()) };
}

/// Whether code under test is running here.
#[inline]
pub(crate) fn is_active() -> bool {
    !CURRENT.get().is_null()
}

/// Makes an execution the current one while `run` lasts.
pub(crate) fn enter<R>(execution: &mut Execution, run: impl FnOnce(*mut Execution) -> R) -> R {
    /// Nothing runs any more, however it ended.
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            allocations::tell(None);
            CURRENT.set(null_mut());
        }
    }
    let pointer: *mut Execution = execution;
    CURRENT.set(pointer);
    let _leave = Leave;
    allocations::tell(Some(told));
    run(pointer)
}

/// Does something with the current execution, if there is one. Allocations meanwhile are not the code's under test.
pub(crate) fn with<R>(what: impl FnOnce(&mut Execution) -> R) -> Option<R> {
    let current = CURRENT.get();
    if current.is_null() {
        return None;
    }
    allocations::tell(None);
    // SAFETY: `enter` keeps the execution alive while the pointer is set, and holds no reference to it while code under test runs. `what`
    // runs no code under test, so there is no second reference.
    let result = what(unsafe { &mut *current });
    allocations::tell(Some(told));
    Some(result)
}

fn told(start: usize, size: usize) {
    with(|execution| execution.allocated(start, size));
}

/// A coroutine has begun to run.
pub(crate) fn started(yielder: &Yielder<(), ()>) {
    with(|execution| execution.running().set_yielder(yielder));
}

/// Publishes an operation, waits until it is taken, and gives its answer. Outside of a check, nothing happens, and there is no answer.
#[track_caller]
pub(crate) fn visible(op: Op) -> Option<u32> {
    publish(op, Location::caller())
}

/// [`visible`], at another place. What the thread could not do while it was unwound comes first.
pub(crate) fn publish(op: Op, at: &'static Location<'static>) -> Option<u32> {
    if !std::thread::panicking() {
        catch_up();
    }
    suspend(op, at)
}

/// Does what the thread could not do while it was unwound.
pub(crate) fn catch_up() {
    while let Some((op, at)) = with(Execution::next_deferred).flatten() {
        suspend(op, at);
    }
}

fn suspend(op: Op, at: &'static Location<'static>) -> Option<u32> {
    let yielder = with(|execution| execution.publish(op, at))?;
    if let Some(yielder) = yielder {
        allocations::tell(None);
        // SAFETY: the yielder is that of the running coroutine, which lives on the stack that this code runs on.
        unsafe { (*yielder).suspend(()) };
        allocations::tell(Some(told));
    }
    with(|execution| execution.running().answer)
}

/// The object at an address, of this kind and size, outside of a check `None`.
pub(crate) fn object(known: &Id, address: *const u8, size: usize, kind: &'static str) -> Option<Result<Object, Stranger>> {
    with(|execution| execution.object(known, address, size, kind))
}
