//! A lock, as `parking_lot::Mutex`.

use mazurka_native::model::permits::{LOCK, Permits};
use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::time::{Duration, Instant};

/// A lock around some data.
pub struct Mutex<T: ?Sized> {
    lock: Permits,
    data: UnsafeCell<T>,
}

// SAFETY: the data is reached through guards only, and the one permit says that there is one at a time.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

/// As [`Mutex::new`].
pub const fn const_mutex<T>(data: T) -> Mutex<T> {
    Mutex::new(data)
}

impl<T> Mutex<T> {
    /// Around this.
    pub const fn new(data: T) -> Self {
        Mutex {
            lock: Permits::new("Mutex", 1, &LOCK),
            data: UnsafeCell::new(data),
        }
    }

    /// The data.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits for the lock.
    #[track_caller]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.relock(Location::caller());
        self.guard()
    }

    /// Takes the lock if it is free.
    #[track_caller]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.lock.within(self).try_acquire(1).ok().map(|()| self.guard())
    }

    /// Waits for the lock, for so long at most.
    #[track_caller]
    pub fn try_lock_for(&self, time: Duration) -> Option<MutexGuard<'_, T>> {
        self.lock.within(self).acquire_within(time).then(|| self.guard())
    }

    /// Waits for the lock until then.
    #[track_caller]
    pub fn try_lock_until(&self, deadline: Instant) -> Option<MutexGuard<'_, T>> {
        self.try_lock_for(deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether somebody has it.
    #[track_caller]
    pub fn is_locked(&self) -> bool {
        self.lock.within(self).available() == 0
    }

    /// The data, which nobody else can see now.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }

    #[track_caller]
    fn guard(&self) -> MutexGuard<'_, T> {
        MutexGuard {
            mutex: self,
            at: Location::caller(),
            marker: PhantomData,
        }
    }

    pub(crate) fn relock(&self, at: &'static Location<'static>) {
        // It is never closed.
        let _ = self.lock.within(self).acquire_blocking(at, 1);
    }

    pub(crate) fn unlock(&self, at: &'static Location<'static>) {
        self.lock.release_at(at, 1);
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Mutex::new(T::default())
    }
}

impl<T> From<T> for Mutex<T> {
    fn from(data: T) -> Self {
        Mutex::new(data)
    }
}

impl<T: ?Sized> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mutex").finish_non_exhaustive()
    }
}

/// The right to the data of a lock.
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MutexGuard<'a, T: ?Sized> {
    pub(crate) mutex: &'a Mutex<T>,
    at: &'static Location<'static>,
    /// It stays in its thread.
    marker: PhantomData<*mut ()>,
}

// SAFETY: a guard shared is the data shared.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

/// The right to a part of the data of a lock.
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MappedMutexGuard<'a, T: ?Sized> {
    lock: &'a Permits,
    data: *mut T,
    at: &'static Location<'static>,
    marker: PhantomData<&'a mut T>,
}

// SAFETY: a guard shared is the part shared.
unsafe impl<T: ?Sized + Sync> Sync for MappedMutexGuard<'_, T> {}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// The right to a part.
    pub fn map<U: ?Sized>(mut this: Self, part: impl FnOnce(&mut T) -> &mut U) -> MappedMutexGuard<'a, U> {
        let data: *mut U = part(&mut this);
        let (lock, at) = (&this.mutex.lock, this.at);
        std::mem::forget(this);
        MappedMutexGuard {
            lock,
            data,
            at,
            marker: PhantomData,
        }
    }

    /// Calls a function while others may have the lock.
    #[track_caller]
    pub fn unlocked<R>(this: &mut Self, function: impl FnOnce() -> R) -> R {
        /// Takes it again, however the function ends.
        struct Again<'a, T: ?Sized>(&'a Mutex<T>, &'static Location<'static>);
        impl<T: ?Sized> Drop for Again<'_, T> {
            fn drop(&mut self) {
                self.0.relock(self.1);
            }
        }
        this.mutex.unlock(this.at);
        let _again = Again(this.mutex, Location::caller());
        function()
    }

    /// As dropping it: who waits is always served in turn.
    pub fn unlock_fair(this: Self) {
        drop(this);
    }

    /// Lets those who wait have the lock.
    #[track_caller]
    pub fn bump(this: &mut Self) {
        Self::unlocked(this, || ());
    }

    /// The lock.
    pub fn mutex(this: &Self) -> &'a Mutex<T> {
        this.mutex
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: whoever has the guard has the lock.
        unsafe { &*self.mutex.data.get() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the guard is borrowed alone.
        unsafe { &mut *self.mutex.data.get() }
    }
}

impl<T: ?Sized> Deref for MappedMutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: it was borrowed from data whose lock this guard has.
        unsafe { &*self.data }
    }
}

impl<T: ?Sized> DerefMut for MappedMutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the guard is borrowed alone.
        unsafe { &mut *self.data }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        self.mutex.unlock(self.at);
    }
}

impl<T: ?Sized> Drop for MappedMutexGuard<'_, T> {
    fn drop(&mut self) {
        self.lock.release_at(self.at, 1);
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MappedMutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
