//! A condition variable, as `parking_lot::Condvar`. Nobody wakes up without reason.

use crate::mutex::MutexGuard;
use mazurka_native::model::{Model, Rule, fresh_number};
use std::panic::Location;
use std::time::{Duration, Instant};

/// In the queue: was notified.
const NOTIFIED: u64 = 1 << 32;

/// Who waits; those who were notified come no more.
static ENTER: Rule = Rule {
    name: "begin to wait for",
    touches: |t| {
        t.update(0);
    },
    apply: |state, call| {
        state.list.push(call.argument);
        0
    },
    ..Rule::STEP
};

static WAIT: Rule = Rule {
    name: "be woken by",
    awaits: "a notification of",
    touches: |t| {
        t.guard(0).update(0);
    },
    enabled: |state, call| state.list.contains(&(call.argument | NOTIFIED)),
    apply: |state, call| {
        state.list.retain(|e| *e != call.argument | NOTIFIED);
        0
    },
    ..Rule::STEP
};

/// The time is over; the answer is 1 if there was a notification after all.
static LEAVE: Rule = Rule {
    name: "stop waiting for",
    touches: |t| {
        t.update(0);
    },
    apply: |state, call| {
        let notified = state.list.contains(&(call.argument | NOTIFIED));
        state.list.retain(|e| *e & !NOTIFIED != call.argument);
        u32::from(notified)
    },
    ..Rule::STEP
};

/// The answer is how many were woken, at most as many as the argument says.
static NOTIFY: Rule = Rule {
    name: "notify",
    touches: |t| {
        t.update(0);
    },
    apply: |state, call| {
        let waiting = state.list.iter_mut().filter(|e| **e & NOTIFIED == 0);
        waiting.take(call.argument as usize).map(|e| *e |= NOTIFIED).count() as u32
    },
    signals: true,
    ..Rule::STEP
};

/// A condition variable.
#[derive(Debug)]
pub struct Condvar(Model<()>);

/// How a wait with a time limit ended.
#[derive(Debug, PartialEq, Eq, Copy, Clone)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Whether the time was over.
    pub fn timed_out(self) -> bool {
        self.0
    }
}

impl Condvar {
    /// For which nobody waits.
    pub const fn new() -> Self {
        Condvar(Model::new("Condvar", 0, 1, ()))
    }

    /// Wakes the thread that has waited longest: whether there was one.
    #[track_caller]
    pub fn notify_one(&self) -> bool {
        self.0.step(&NOTIFY, 1, |woken, ()| woken > 0)
    }

    /// Wakes all threads that wait: how many.
    #[track_caller]
    pub fn notify_all(&self) -> usize {
        self.0.step(&NOTIFY, u64::from(u32::MAX), |woken, ()| woken as usize)
    }

    /// Gives the lock back and waits for a notification, then for the lock.
    #[track_caller]
    pub fn wait<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>) {
        let at = Location::caller();
        let me = self.enter(guard, at);
        self.0.step_at(at, &WAIT, me, |_, ()| ());
        guard.mutex.relock(at);
    }

    /// The same as long as the function is true.
    #[track_caller]
    pub fn wait_while<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>, mut condition: impl FnMut(&mut T) -> bool) {
        while condition(guard) {
            self.wait(guard);
        }
    }

    /// Waits for so long at most.
    #[track_caller]
    pub fn wait_for<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>, time: Duration) -> WaitTimeoutResult {
        let at = Location::caller();
        let me = self.enter(guard, at);
        let over = self.0.step_within(time, &WAIT, me, |_, ()| ()).is_none();
        let over = over && self.0.step_at(at, &LEAVE, me, |notified, ()| notified == 0);
        guard.mutex.relock(at);
        WaitTimeoutResult(over)
    }

    /// Waits until then.
    #[track_caller]
    pub fn wait_until<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>, deadline: Instant) -> WaitTimeoutResult {
        self.wait_for(guard, deadline.saturating_duration_since(Instant::now()))
    }

    /// Whoever waits comes before who notifies after the lock was given back.
    fn enter<T: ?Sized>(&self, guard: &MutexGuard<'_, T>, at: &'static Location<'static>) -> u64 {
        let me = u64::from(fresh_number());
        self.0.step_at(at, &ENTER, me, |_, ()| ());
        guard.mutex.unlock(at);
        me
    }
}

impl Default for Condvar {
    fn default() -> Self {
        Condvar::new()
    }
}
