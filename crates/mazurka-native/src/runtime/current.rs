//! The execution that is running on this thread of the operating system, as the library under test reaches it.

use super::allocations;
use super::execution::Execution;
use super::guided::Intent;
use super::id::{Id, Stranger};
use super::offers::Offer;
use super::op::{Object, Op};
use super::thread::Panic;
use corosensei::Yielder;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
use corosensei::trap::CoroutineTrapHandler;
use std::cell::Cell;
use std::panic::Location;
use std::ptr::null_mut;

thread_local! {
    /// Not null exactly while code under test runs.
    static CURRENT: Cell<*mut Execution> = const { Cell::new(null_mut()) };
}

/// The execution that runs here. Never inlined: a coroutine may go on in another thread of the operating system, and must not remember where
/// the variable of the last one was.
#[inline(never)]
fn current() -> *mut Execution {
    CURRENT.get()
}

/// Whether code under test is running here.
pub(crate) fn is_active() -> bool {
    !current().is_null()
}

/// Whether this code is under test: whether a check is running it.
pub fn is_checking() -> bool {
    is_active()
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
    let current = current();
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

/// [`visible`], at another place.
pub(crate) fn publish(op: Op, at: &'static Location<'static>) -> Option<u32> {
    let yielder = with(|execution| execution.publish(op, at))?;
    suspend(yielder);
    with(|execution| {
        if !op.is_atomic() {
            execution.event_is_over();
        }
        execution.running().answer
    })
}

/// [`publish`] of what belongs to the futures that were polled: they are not left untried by it.
pub(crate) fn publish_quietly(op: Op, at: &'static Location<'static>) -> Option<u32> {
    let untried = with(|execution| std::mem::take(&mut execution.running().polling.untried))?;
    let answer = publish(op, at);
    with(|execution| execution.running().polling.untried = untried);
    answer
}

/// Says what the next operation does to the value of an atomic, where an execution graph has to know.
#[inline]
pub(crate) fn intend(object: Object, memory: impl FnOnce() -> u64, intent: impl FnOnce() -> Intent) {
    with(|execution| {
        if execution.is_guided() {
            execution.intends(Some((object, memory())), intent());
        }
    });
}

/// What the step that was taken reads, and whether what it writes is the last value so far, if an execution graph says that.
#[inline]
pub(crate) fn guided() -> Option<(u64, bool)> {
    with(|execution| execution.guided()).flatten()
}

/// A step of its own, where an execution graph says what happens.
#[track_caller]
pub(crate) fn guided_step(intent: impl FnOnce() -> Intent) {
    let is_guided = with(|execution| {
        let is_guided = execution.is_guided();
        if is_guided {
            execution.intends(None, intent());
        }
        is_guided
    });
    if is_guided == Some(true) {
        publish(Op::Choose(1), Location::caller());
    }
}

/// Suspends the running coroutine.
fn suspend(yielder: *const Yielder<(), ()>) {
    allocations::tell(None);
    // SAFETY: the yielder is that of the running coroutine, which lives on the stack that this code runs on.
    unsafe { (*yielder).suspend(()) };
    allocations::tell(Some(told));
}

/// Suspends the running thread for ever, if code under test is running: all that it can do is to end the process. To be called by a panic hook that has
/// nothing to drop.
pub(crate) fn give_up(why: impl FnOnce() -> Panic) {
    let yielder = with(|execution| execution.would_abort(why(), Location::caller()));
    if let Some(yielder) = yielder {
        #[cfg(unix)]
        super::leave_hook::leave(move || suspend(yielder));
        suspend(yielder);
    }
}

/// The object without a name tag at an address, outside of a check `None`.
pub(crate) fn object_at(address: *const u8, size: usize, value: u64, kind: &'static str) -> Option<Result<Object, Stranger>> {
    with(|execution| execution.object_at(address, size, value, kind))
}

/// Takes one of the offers; which one it was, and its answer. Outside of a check, `None`.
pub(crate) fn take_one(offers: Vec<Offer>) -> Option<(u32, u32)> {
    let yielder = with(|execution| {
        execution.publish_offers(offers);
        execution.running().yielder()
    })?;
    suspend(yielder);
    with(|execution| {
        let idle = execution
            .log()
            .last()
            .is_none_or(|event| matches!(event.op, Op::Time(_) | Op::Choose(1) | Op::AwaitNews));
        let thread = execution.running();
        thread.busy |= !idle;
        (thread.chosen, thread.answer)
    })
}

/// Takes an operation if it can be taken, otherwise the other one; the answer of the first.
pub(crate) fn attempt(op: Op, otherwise: Op, at: &'static Location<'static>) -> Option<u32> {
    with(Execution::went_on_if_untried);
    let (chosen, answer) = take_one(super::offers::either(op, otherwise, at))?;
    (chosen == 0).then_some(answer)
}

/// The object at an address, of this kind and size, outside of a check `None`.
pub(crate) fn object(known: &Id, address: *const u8, size: usize, kind: &'static str) -> Option<Result<Object, Stranger>> {
    with(|execution| execution.object(known, address, size, kind))
}

/// How to make the running thread return at once, if this is an address on its stack. For signal handlers.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn overflowed(address: usize) -> Option<CoroutineTrapHandler<()>> {
    let current = current();
    if current.is_null() {
        return None;
    }
    // SAFETY: `enter` keeps the execution alive while the pointer is set. If the library is in the middle of something with it, which `runs_user_code`
    // tells, only this is read, which does not change while the thread runs.
    let thread = unsafe { (*current).thread_that_runs() };
    thread.on_stack(address).map(|_| thread.trap())
}

/// Whether code under test is running, not what the library does for it.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn runs_user_code() -> bool {
    is_active() && allocations::is_told()
}

/// The running thread has overflowed its stack, and returns now.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn note_overflow() {
    with(|execution| execution.running().overflowed = true);
}
