//! A read-write lock, as [`std::sync::RwLock`].

use crate::runtime::current::{self, visible};
use crate::runtime::id::Id;
use crate::runtime::op::{Object, Op};
use std::cell::UnsafeCell;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

/// As [`std::sync::RwLock`]. In a check readers do not exclude each other. A writer that waits keeps later readers out, as in `std` on most systems, so a
/// thread that reads twice may wait for ever.
#[derive(Default)]
pub struct RwLock<T: ?Sized> {
    id: Id,
    poisoned: AtomicBool,
    /// What excludes others outside of a check.
    real: std::sync::RwLock<()>,
    data: UnsafeCell<T>,
}

// SAFETY: guards exclude each other as they must, in a check by the rules of `Op::Read` and `Op::Write`, otherwise by the real lock.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: as above; readers share the data.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}

/// As [`std::sync::RwLockReadGuard`].
#[must_use = "the lock is given back at once if its guard is not kept"]
pub struct RwLockReadGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    held: Held<std::sync::RwLockReadGuard<'a, ()>>,
    at: &'static Location<'static>,
}

/// As [`std::sync::RwLockWriteGuard`].
#[must_use = "the lock is given back at once if its guard is not kept"]
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    held: Held<std::sync::RwLockWriteGuard<'a, ()>>,
    was_panicking: bool,
    at: &'static Location<'static>,
}

enum Held<G> {
    Checked(Object),
    Real(G),
}

// SAFETY: a shared guard gives shared access to the data only.
unsafe impl<T: ?Sized + Sync> Sync for RwLockReadGuard<'_, T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for RwLockWriteGuard<'_, T> {}

impl<T> RwLock<T> {
    /// Around a value, unlocked.
    pub const fn new(value: T) -> Self {
        RwLock {
            id: Id::new(),
            poisoned: AtomicBool::new(false),
            real: std::sync::RwLock::new(()),
            data: UnsafeCell::new(value),
        }
    }

    /// The value.
    ///
    /// # Errors
    /// If the lock is poisoned.
    pub fn into_inner(self) -> LockResult<T> {
        let poisoned = self.poisoned.load(Relaxed);
        result(poisoned, self.data.into_inner())
    }
}

fn result<G>(poisoned: bool, guard: G) -> LockResult<G> {
    if poisoned { Err(PoisonError::new(guard)) } else { Ok(guard) }
}

fn tried<G>(result: TryLockResult<G>) -> Result<G, TryLockError<()>> {
    match result {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits until nobody writes, and begins to read.
    ///
    /// # Errors
    /// If a thread panicked while it was writing.
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let held = match self.object() {
            Some(object) => {
                visible(Op::Read(object));
                Held::Checked(object)
            }
            None => Held::Real(self.real.read().unwrap_or_else(PoisonError::into_inner)),
        };
        result(self.poisoned.load(Relaxed), self.reading(held))
    }

    /// Begins to read if nobody writes.
    ///
    /// # Errors
    /// If somebody writes, or a thread panicked while it was writing.
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        let held = match self.object() {
            Some(object) if visible(Op::TryRead(object)) == Some(1) => Held::Checked(object),
            Some(object) => {
                current::with(|execution| execution.found(object));
                return Err(TryLockError::WouldBlock);
            }
            None => match tried(self.real.try_read()) {
                Ok(guard) => Held::Real(guard),
                Err(_) => return Err(TryLockError::WouldBlock),
            },
        };
        Ok(result(self.poisoned.load(Relaxed), self.reading(held))?)
    }

    /// Waits until nobody reads or writes, and begins to write.
    ///
    /// # Errors
    /// If a thread panicked while it was writing.
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let held = match self.object() {
            Some(object) => {
                if current::with(|execution| execution.writers_matter()) == Some(true) {
                    visible(Op::ComeToWrite(object));
                }
                visible(Op::Write(object));
                Held::Checked(object)
            }
            None => Held::Real(self.real.write().unwrap_or_else(PoisonError::into_inner)),
        };
        result(self.poisoned.load(Relaxed), self.writing(held))
    }

    /// Begins to write if nobody reads or writes.
    ///
    /// # Errors
    /// If somebody does, or a thread panicked while it was writing.
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        let held = match self.object() {
            Some(object) if visible(Op::TryWrite(object)) == Some(1) => Held::Checked(object),
            Some(object) => {
                current::with(|execution| execution.found(object));
                return Err(TryLockError::WouldBlock);
            }
            None => match tried(self.real.try_write()) {
                Ok(guard) => Held::Real(guard),
                Err(_) => return Err(TryLockError::WouldBlock),
            },
        };
        Ok(result(self.poisoned.load(Relaxed), self.writing(held))?)
    }

    /// Whether a thread panicked while it was writing.
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
    /// If the lock is poisoned.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = *self.poisoned.get_mut();
        result(poisoned, self.data.get_mut())
    }

    fn object(&self) -> Option<Object> {
        self.id.of(self, "RwLock")
    }

    #[track_caller]
    fn reading<'a>(&'a self, held: Held<std::sync::RwLockReadGuard<'a, ()>>) -> RwLockReadGuard<'a, T> {
        RwLockReadGuard {
            lock: self,
            held,
            at: Location::caller(),
        }
    }

    #[track_caller]
    fn writing<'a>(&'a self, held: Held<std::sync::RwLockWriteGuard<'a, ()>>) -> RwLockWriteGuard<'a, T> {
        RwLockWriteGuard {
            lock: self,
            held,
            was_panicking: std::thread::panicking(),
            at: Location::caller(),
        }
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    fn drop(&mut self) {
        if let Held::Checked(object) = self.held {
            current::publish(Op::EndRead(object), self.at);
        }
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    fn drop(&mut self) {
        if let Held::Checked(object) = self.held {
            current::publish(Op::EndWrite(object), self.at);
        }
        // In a check it is seen together with the unlocking.
        if !self.was_panicking && std::thread::panicking() {
            self.lock.poisoned.store(true, Relaxed);
        }
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: nobody writes while there is a reader.
        unsafe { &*self.lock.data.get() }
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the guard is the only one.
        unsafe { &*self.lock.data.get() }
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard is the only one, and borrowed mutably.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<T> From<T> for RwLock<T> {
    fn from(value: T) -> Self {
        RwLock::new(value)
    }
}

impl<T: ?Sized> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // To look at the value would be a step.
        f.debug_struct("RwLock").finish_non_exhaustive()
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
