//! A lock for many readers or one writer, as `tokio::sync::RwLock`: given to those who wait in the order in which they have come, so a writer
//! that waits keeps later readers out.

use super::mutex::TryLockError;
use mazurka_native::model::shared_lock::{Access, Held, SharedLock, Take};
use std::cell::UnsafeCell;
use std::fmt;
use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::Arc;

/// A lock around some data.
pub struct RwLock<T: ?Sized> {
    lock: SharedLock,
    data: UnsafeCell<T>,
}

// SAFETY: the data is reached through guards only, which the lock gives out to many readers or one writer.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}

impl<T> RwLock<T> {
    /// Around this.
    pub const fn new(data: T) -> Self {
        RwLock {
            lock: SharedLock::new("RwLock"),
            data: UnsafeCell::new(data),
        }
    }

    /// The same.
    pub const fn const_new(data: T) -> Self {
        RwLock::new(data)
    }

    /// The data.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits to read.
    #[track_caller]
    pub fn read(&self) -> impl Future<Output = RwLockReadGuard<'_, T>> {
        let (take, at) = (Take::new(self.lock.within(self), Access::Read), Location::caller());
        async move {
            let held = take.await;
            RwLockReadGuard { lock: self, held, at }
        }
    }

    /// Waits to write.
    #[track_caller]
    pub fn write(&self) -> impl Future<Output = RwLockWriteGuard<'_, T>> {
        let (take, at) = (Take::new(self.lock.within(self), Access::Write), Location::caller());
        async move {
            let held = take.await;
            RwLockWriteGuard { lock: self, held, at }
        }
    }

    /// Waits to read; the guard keeps the lock alive.
    #[track_caller]
    pub fn read_owned(self: Arc<Self>) -> impl Future<Output = OwnedRwLockReadGuard<T>> {
        let (take, at) = (Take::new(Inner::of(&self), Access::Read), Location::caller());
        async move {
            let held = take.await;
            OwnedRwLockReadGuard { lock: self, held, at }
        }
    }

    /// Waits to write; the guard keeps the lock alive.
    #[track_caller]
    pub fn write_owned(self: Arc<Self>) -> impl Future<Output = OwnedRwLockWriteGuard<T>> {
        let (take, at) = (Take::new(Inner::of(&self), Access::Write), Location::caller());
        async move {
            let held = take.await;
            OwnedRwLockWriteGuard { lock: self, held, at }
        }
    }

    /// Reads if nobody writes or waits to.
    ///
    /// # Errors
    /// If somebody does.
    #[track_caller]
    pub fn try_read(&self) -> Result<RwLockReadGuard<'_, T>, TryLockError> {
        let held = self.lock.within(self).try_take(Access::Read).ok_or(TryLockError(()))?;
        Ok(RwLockReadGuard {
            lock: self,
            held,
            at: Location::caller(),
        })
    }

    /// Writes if nobody has the lock.
    ///
    /// # Errors
    /// If somebody has.
    #[track_caller]
    pub fn try_write(&self) -> Result<RwLockWriteGuard<'_, T>, TryLockError> {
        let held = self.lock.within(self).try_take(Access::Write).ok_or(TryLockError(()))?;
        Ok(RwLockWriteGuard {
            lock: self,
            held,
            at: Location::caller(),
        })
    }

    /// Waits to read, blocking the thread.
    #[track_caller]
    pub fn blocking_read(&self) -> RwLockReadGuard<'_, T> {
        let at = Location::caller();
        let held = self.lock.within(self).take(Access::Read, false, at);
        RwLockReadGuard { lock: self, held, at }
    }

    /// Waits to write, blocking the thread.
    #[track_caller]
    pub fn blocking_write(&self) -> RwLockWriteGuard<'_, T> {
        let at = Location::caller();
        let held = self.lock.within(self).take(Access::Write, false, at);
        RwLockWriteGuard { lock: self, held, at }
    }

    /// The data, which nobody else can see now.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }
}

/// A lock that a future keeps alive.
struct Inner<T: ?Sized>(Arc<RwLock<T>>);

impl<T: ?Sized> Inner<T> {
    #[track_caller]
    fn of(lock: &Arc<RwLock<T>>) -> Self {
        lock.lock.within(&**lock);
        Inner(Arc::clone(lock))
    }
}

impl<T: ?Sized> Deref for Inner<T> {
    type Target = SharedLock;

    fn deref(&self) -> &SharedLock {
        &self.0.lock
    }
}

impl<T: Default> Default for RwLock<T> {
    fn default() -> Self {
        RwLock::new(T::default())
    }
}

impl<T> From<T> for RwLock<T> {
    fn from(data: T) -> Self {
        RwLock::new(data)
    }
}

impl<T: ?Sized> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RwLock").finish_non_exhaustive()
    }
}

macro_rules! guard {
    ($(#[$doc:meta])* $name:ident<$($life:lifetime)?>, $owner:ty, $access:expr) => {
        $(#[$doc])*
        #[must_use = "if unused the RwLock will immediately unlock"]
        pub struct $name<$($life,)? T: ?Sized> {
            lock: $owner,
            held: Held,
            at: &'static Location<'static>,
        }

        // SAFETY: a guard shared is the data shared.
        unsafe impl<$($life,)? T: ?Sized + Send + Sync> Sync for $name<$($life,)? T> {}

        impl<$($life,)? T: ?Sized> Deref for $name<$($life,)? T> {
            type Target = T;

            fn deref(&self) -> &T {
                // SAFETY: whoever has the guard has the lock, and as long as it is shared nobody writes.
                unsafe { &*self.lock.data.get() }
            }
        }

        impl<$($life,)? T: ?Sized> Drop for $name<$($life,)? T> {
            fn drop(&mut self) {
                self.lock.lock.give_back($access, self.held, self.at);
            }
        }

        impl<$($life,)? T: ?Sized + fmt::Debug> fmt::Debug for $name<$($life,)? T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(f)
            }
        }
    };
}

guard! {
    /// The right to read.
    RwLockReadGuard<'a>, &'a RwLock<T>, Access::Read
}

guard! {
    /// The right to write.
    RwLockWriteGuard<'a>, &'a RwLock<T>, Access::Write
}

guard! {
    /// The right to read, which keeps the lock alive.
    OwnedRwLockReadGuard<>, Arc<RwLock<T>>, Access::Read
}

guard! {
    /// The right to write, which keeps the lock alive.
    OwnedRwLockWriteGuard<>, Arc<RwLock<T>>, Access::Write
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: whoever has the guard has the lock alone, and the guard is borrowed alone.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<T: ?Sized> DerefMut for OwnedRwLockWriteGuard<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: whoever has the guard has the lock alone, and the guard is borrowed alone.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    /// From writing to reading, without a moment in which others write.
    #[track_caller]
    pub fn downgrade(self) -> RwLockReadGuard<'a, T> {
        let lock = self.lock;
        std::mem::forget(self);
        RwLockReadGuard {
            held: lock.lock.downgrade(Access::Read),
            lock,
            at: Location::caller(),
        }
    }
}
