//! A mutex, as [`std::sync::Mutex`].

use crate::runtime::current::{self, visible};
use crate::runtime::id::Id;
use crate::runtime::op::{Object, Op};
use std::cell::UnsafeCell;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

/// As [`std::sync::Mutex`].
#[derive(Default)]
pub struct Mutex<T: ?Sized> {
    id: Id,
    poisoned: AtomicBool,
    /// What excludes others outside of a check.
    real: std::sync::Mutex<()>,
    data: UnsafeCell<T>,
}

// SAFETY: whoever has a guard has it alone, in a check by the rules of `Op::Lock`, otherwise by the real mutex.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

/// As [`std::sync::MutexGuard`].
#[must_use = "the mutex is unlocked at once if its guard is not kept"]
pub struct MutexGuard<'a, T: ?Sized> {
    pub(super) lock: &'a Mutex<T>,
    pub(super) held: Held<'a>,
    was_panicking: bool,
    at: &'static Location<'static>,
}

/// What a guard holds.
pub(super) enum Held<'a> {
    /// In a check, this lock.
    Checked(Object),
    /// Otherwise the real one. Also keeps guards in the thread that made them.
    Real(std::sync::MutexGuard<'a, ()>),
}

// SAFETY: a shared guard gives shared access to the data only.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

impl<T> Mutex<T> {
    /// Around a value, unlocked.
    pub const fn new(value: T) -> Self {
        Mutex {
            id: Id::new(),
            poisoned: AtomicBool::new(false),
            real: std::sync::Mutex::new(()),
            data: UnsafeCell::new(value),
        }
    }

    /// The value.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    pub fn into_inner(self) -> LockResult<T> {
        let poisoned = self.poisoned.load(Relaxed);
        result(poisoned, self.data.into_inner())
    }
}

fn result<G>(poisoned: bool, guard: G) -> LockResult<G> {
    if poisoned { Err(PoisonError::new(guard)) } else { Ok(guard) }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits until the mutex is free, and takes it.
    ///
    /// # Errors
    /// If a thread panicked while it had the mutex.
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let held = match self.object() {
            Some(object) => {
                visible(Op::Lock(object));
                Held::Checked(object)
            }
            None => Held::Real(self.real.lock().unwrap_or_else(PoisonError::into_inner)),
        };
        result(self.poisoned.load(Relaxed), self.guard(held))
    }

    /// Takes the mutex if it is free.
    ///
    /// # Errors
    /// If it is not free, or a thread panicked while it had it.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let held = match self.object() {
            Some(object) => {
                let free = visible(Op::TryLock(object)) == Some(1);
                if !free {
                    current::with(|execution| execution.found(object));
                    return Err(TryLockError::WouldBlock);
                }
                Held::Checked(object)
            }
            None => match self.real.try_lock() {
                Ok(guard) => Held::Real(guard),
                Err(TryLockError::Poisoned(poisoned)) => Held::Real(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => return Err(TryLockError::WouldBlock),
            },
        };
        Ok(result(self.poisoned.load(Relaxed), self.guard(held))?)
    }

    /// Whether a thread panicked while it had the mutex.
    #[track_caller]
    pub fn is_poisoned(&self) -> bool {
        if let Some(object) = self.object() {
            visible(Op::Load(object));
        }
        self.poisoned.load(Relaxed)
    }

    /// Forgets that a thread panicked.
    #[track_caller]
    pub fn clear_poison(&self) {
        if let Some(object) = self.object() {
            visible(Op::Update(object));
        }
        self.poisoned.store(false, Relaxed);
    }

    /// The value, which nobody else can see now.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = *self.poisoned.get_mut();
        result(poisoned, self.data.get_mut())
    }

    fn object(&self) -> Option<Object> {
        self.id.of(self, "Mutex")
    }

    #[track_caller]
    pub(super) fn guard<'a>(&'a self, held: Held<'a>) -> MutexGuard<'a, T> {
        MutexGuard {
            lock: self,
            held,
            was_panicking: std::thread::panicking(),
            at: Location::caller(),
        }
    }

    pub(super) fn poisoned(&self) -> bool {
        self.poisoned.load(Relaxed)
    }
}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// The mutex and what the guard holds of it; whoever takes it gives it back.
    pub(super) fn give_up(self) -> (&'a Mutex<T>, Held<'a>) {
        let guard = std::mem::ManuallyDrop::new(self);
        // SAFETY: the guard is not dropped, so what it holds is moved out once.
        (guard.lock, unsafe { std::ptr::read(&raw const guard.held) })
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        if let Held::Checked(object) = self.held {
            current::publish(Op::Unlock(object), self.at);
        }
        // In a check it is seen together with the unlocking.
        if !self.was_panicking && std::thread::panicking() {
            self.lock.poisoned.store(true, Relaxed);
        }
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the guard is the only one.
        unsafe { &*self.lock.data.get() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard is the only one, and borrowed mutably.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<T> From<T> for Mutex<T> {
    fn from(value: T) -> Self {
        Mutex::new(value)
    }
}

impl<T: ?Sized> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // To look at the value would be a step.
        f.debug_struct("Mutex").finish_non_exhaustive()
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
