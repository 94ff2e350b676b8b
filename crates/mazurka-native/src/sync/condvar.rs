//! A condition variable, as [`std::sync::Condvar`].

use super::mutex::{Held, MutexGuard};
use crate::runtime::current::{self, visible};
use crate::runtime::id::Id;
use crate::runtime::op::{Object, Op};
use std::fmt;
use std::sync::{LockResult, PoisonError};
use std::time::Duration;

/// As [`std::sync::Condvar`]. In a check, `notify_one` wakes the thread that has waited longest, threads do not wake up without reason,
/// and a wait with a timeout may end at any time.
#[derive(Default)]
pub struct Condvar {
    id: Id,
    real: std::sync::Condvar,
}

/// As [`std::sync::WaitTimeoutResult`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Whether the time was over before a notification came.
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    /// For which nobody waits.
    pub const fn new() -> Self {
        Condvar {
            id: Id::new(),
            real: std::sync::Condvar::new(),
        }
    }

    /// Gives the mutex back, waits for a notification, and takes the mutex again.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn wait<'a, T: ?Sized>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        match self.wait_for(guard, None) {
            Ok((guard, _)) => Ok(guard),
            Err(poisoned) => Err(PoisonError::new(poisoned.into_inner().0)),
        }
    }

    /// Waits as long as the condition holds.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn wait_while<'a, T: ?Sized, F>(&self, mut guard: MutexGuard<'a, T>, mut condition: F) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        while condition(&mut *guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// Waits at most so long. In a check the time may be over at any moment.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn wait_timeout<'a, T: ?Sized>(
        &self,
        guard: MutexGuard<'a, T>,
        timeout: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        self.wait_for(guard, Some(timeout))
    }

    /// Waits at most so long as the condition holds.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn wait_timeout_while<'a, T: ?Sized, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        timeout: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>
    where
        F: FnMut(&mut T) -> bool,
    {
        loop {
            if !condition(&mut *guard) {
                return Ok((guard, WaitTimeoutResult(false)));
            }
            let (again, result) = self.wait_timeout(guard, timeout)?;
            guard = again;
            if result.timed_out() {
                let over = condition(&mut *guard);
                return Ok((guard, WaitTimeoutResult(over)));
            }
        }
    }

    /// Wakes one of those that wait.
    #[track_caller]
    pub fn notify_one(&self) {
        match self.object() {
            Some(object) => {
                visible(Op::NotifyOne(object));
            }
            None => self.real.notify_one(),
        }
    }

    /// Wakes all that wait.
    #[track_caller]
    pub fn notify_all(&self) {
        match self.object() {
            Some(object) => {
                visible(Op::NotifyAll(object));
            }
            None => self.real.notify_all(),
        }
    }

    fn object(&self) -> Option<Object> {
        self.id.of(self, "Condvar")
    }

    #[track_caller]
    fn wait_for<'a, T: ?Sized>(
        &self,
        guard: MutexGuard<'a, T>,
        timeout: Option<Duration>,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let (lock, held) = guard.give_up();
        let (held, timed_out) = match (self.object(), held) {
            (Some(condvar), Held::Checked(object)) => {
                if current::with(|execution| execution.is_guided()) == Some(true) {
                    // In a graph an event is about one object. Nobody else has the lock in between.
                    visible(Op::Enqueue(condvar));
                    visible(Op::Unlock(object));
                } else {
                    visible(Op::BeginWait { condvar, lock: object });
                }
                let timed = timeout.is_some();
                let over = visible(Op::EndWait { condvar, timed }) == Some(1);
                if over {
                    crate::time::pass(timeout.unwrap_or_default());
                }
                visible(Op::Lock(object));
                (Held::Checked(object), over)
            }
            (_, Held::Real(real)) => match timeout {
                None => (Held::Real(self.real.wait(real).unwrap_or_else(PoisonError::into_inner)), false),
                Some(timeout) => {
                    let (real, result) = self.real.wait_timeout(real, timeout).unwrap_or_else(PoisonError::into_inner);
                    (Held::Real(real), result.timed_out())
                }
            },
            // A mutex that was locked in a check is waited for outside of it: the execution is over.
            (None, checked) => (checked, true),
        };
        let result = (lock.guard(held), WaitTimeoutResult(timed_out));
        if lock.poisoned() {
            Err(PoisonError::new(result))
        } else {
            Ok(result)
        }
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condvar").finish_non_exhaustive()
    }
}
