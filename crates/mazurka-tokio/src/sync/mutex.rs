//! A lock, as `tokio::sync::Mutex`: given to those who wait in the order in which they have come. There is no poisoning.

use mazurka_native::model::permits::{Acquire, LOCK, Permits};
use std::cell::UnsafeCell;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::Arc;

/// A lock around some data.
pub struct Mutex<T: ?Sized> {
    lock: Permits,
    data: UnsafeCell<T>,
}

// SAFETY: the data is reached through guards only, and the one permit says that there is one at a time.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

/// Somebody has the lock.
#[derive(Debug)]
pub struct TryLockError(pub(super) ());

impl fmt::Display for TryLockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("operation would block")
    }
}

impl Error for TryLockError {}

impl<T> Mutex<T> {
    /// Around this.
    pub const fn new(data: T) -> Self {
        Mutex {
            lock: Permits::new("Mutex", 1, &LOCK),
            data: UnsafeCell::new(data),
        }
    }

    /// The same.
    pub const fn const_new(data: T) -> Self {
        Mutex::new(data)
    }

    /// The data.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits for the lock.
    #[track_caller]
    pub fn lock(&self) -> impl Future<Output = MutexGuard<'_, T>> {
        let (acquire, at) = (Acquire::new(self.lock.within(self), 1), Location::caller());
        async move {
            // It is never closed.
            let _ = acquire.await;
            MutexGuard { mutex: self, at }
        }
    }

    /// Waits for the lock, blocking the thread.
    #[track_caller]
    pub fn blocking_lock(&self) -> MutexGuard<'_, T> {
        let at = Location::caller();
        let _ = self.lock.within(self).acquire_blocking(at, 1);
        MutexGuard { mutex: self, at }
    }

    /// Takes the lock if it is free.
    ///
    /// # Errors
    /// If it is not.
    #[track_caller]
    pub fn try_lock(&self) -> Result<MutexGuard<'_, T>, TryLockError> {
        let at = Location::caller();
        self.lock.within(self).try_acquire(1).map_err(|_| TryLockError(()))?;
        Ok(MutexGuard { mutex: self, at })
    }

    /// Waits for the lock; the guard keeps it alive.
    #[track_caller]
    pub fn lock_owned(self: Arc<Self>) -> impl Future<Output = OwnedMutexGuard<T>> {
        let at = Location::caller();
        let acquire = {
            self.lock.within(&*self);
            Acquire::new(Inner(Arc::clone(&self)), 1)
        };
        async move {
            let _ = acquire.await;
            OwnedMutexGuard { mutex: self, at }
        }
    }

    /// Takes the lock if it is free; the guard keeps it alive.
    ///
    /// # Errors
    /// If it is not.
    #[track_caller]
    pub fn try_lock_owned(self: Arc<Self>) -> Result<OwnedMutexGuard<T>, TryLockError> {
        let at = Location::caller();
        self.lock.within(&*self).try_acquire(1).map_err(|_| TryLockError(()))?;
        Ok(OwnedMutexGuard { mutex: self, at })
    }

    /// The data, which nobody else can see now.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }
}

/// A lock that a future keeps alive.
struct Inner<T: ?Sized>(Arc<Mutex<T>>);

impl<T: ?Sized> Deref for Inner<T> {
    type Target = Permits;

    fn deref(&self) -> &Permits {
        &self.0.lock
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
    mutex: &'a Mutex<T>,
    at: &'static Location<'static>,
}

// SAFETY: a guard is a reference to the data that nobody else has.
unsafe impl<T: ?Sized + Send + Sync> Sync for MutexGuard<'_, T> {}

/// The right to the data of a lock, which it keeps alive.
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct OwnedMutexGuard<T: ?Sized> {
    mutex: Arc<Mutex<T>>,
    at: &'static Location<'static>,
}

/// The right to a part of the data of a lock.
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MappedMutexGuard<'a, T: ?Sized> {
    lock: &'a Permits,
    data: *mut T,
    at: &'static Location<'static>,
    marker: PhantomData<&'a mut T>,
}

// SAFETY: as a unique reference to the part.
unsafe impl<T: ?Sized + Send> Send for MappedMutexGuard<'_, T> {}
// SAFETY: as above.
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

    /// The lock.
    pub fn mutex(this: &Self) -> &'a Mutex<T> {
        this.mutex
    }
}

impl<T: ?Sized> OwnedMutexGuard<T> {
    /// The lock.
    pub fn mutex(this: &Self) -> &Arc<Mutex<T>> {
        &this.mutex
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

impl<T: ?Sized> Deref for OwnedMutexGuard<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: whoever has the guard has the lock.
        unsafe { &*self.mutex.data.get() }
    }
}

impl<T: ?Sized> DerefMut for OwnedMutexGuard<T> {
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
        self.mutex.lock.release_at(self.at, 1);
    }
}

impl<T: ?Sized> Drop for OwnedMutexGuard<T> {
    fn drop(&mut self) {
        self.mutex.lock.release_at(self.at, 1);
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

impl<T: ?Sized + fmt::Debug> fmt::Debug for OwnedMutexGuard<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MappedMutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
