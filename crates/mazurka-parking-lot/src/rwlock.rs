//! A lock for many readers or one writer, as `parking_lot::RwLock`.

use mazurka_native::model::shared_lock::{Access, Held, SharedLock};
use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::time::Duration;

/// A lock around some data.
pub struct RwLock<T: ?Sized> {
    lock: SharedLock,
    data: UnsafeCell<T>,
}

// SAFETY: the data is reached through guards only, which the lock gives out to many readers or one writer.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}

/// As [`RwLock::new`].
pub const fn const_rwlock<T>(data: T) -> RwLock<T> {
    RwLock::new(data)
}

impl<T> RwLock<T> {
    /// Around this.
    pub const fn new(data: T) -> Self {
        RwLock {
            lock: SharedLock::new("RwLock"),
            data: UnsafeCell::new(data),
        }
    }

    /// The data.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits to read.
    #[track_caller]
    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        let at = Location::caller();
        RwLockReadGuard::of(self, self.lock.within(self).take(Access::Read, false, at), at)
    }

    /// Waits to read, but not for those who wait to write.
    #[track_caller]
    pub fn read_recursive(&self) -> RwLockReadGuard<'_, T> {
        let at = Location::caller();
        RwLockReadGuard::of(self, self.lock.within(self).take(Access::Read, true, at), at)
    }

    /// Waits to write.
    #[track_caller]
    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        let at = Location::caller();
        RwLockWriteGuard::of(self, self.lock.within(self).take(Access::Write, false, at), at)
    }

    /// Waits to read, and perhaps to write later.
    #[track_caller]
    pub fn upgradable_read(&self) -> RwLockUpgradableReadGuard<'_, T> {
        let at = Location::caller();
        RwLockUpgradableReadGuard::of(self, self.lock.within(self).take(Access::Upgradable, false, at), at)
    }

    /// Reads if nobody writes or waits to.
    #[track_caller]
    pub fn try_read(&self) -> Option<RwLockReadGuard<'_, T>> {
        let held = self.lock.within(self).try_take(Access::Read)?;
        Some(RwLockReadGuard::of(self, held, Location::caller()))
    }

    /// Writes if nobody has the lock.
    #[track_caller]
    pub fn try_write(&self) -> Option<RwLockWriteGuard<'_, T>> {
        let held = self.lock.within(self).try_take(Access::Write)?;
        Some(RwLockWriteGuard::of(self, held, Location::caller()))
    }

    /// Reads, and perhaps writes later, if nobody else does that.
    #[track_caller]
    pub fn try_upgradable_read(&self) -> Option<RwLockUpgradableReadGuard<'_, T>> {
        let held = self.lock.within(self).try_take(Access::Upgradable)?;
        Some(RwLockUpgradableReadGuard::of(self, held, Location::caller()))
    }

    /// Waits to read, for so long at most.
    #[track_caller]
    pub fn try_read_for(&self, time: Duration) -> Option<RwLockReadGuard<'_, T>> {
        let held = self.lock.within(self).take_within(Access::Read, time)?;
        Some(RwLockReadGuard::of(self, held, Location::caller()))
    }

    /// Waits to write, for so long at most.
    #[track_caller]
    pub fn try_write_for(&self, time: Duration) -> Option<RwLockWriteGuard<'_, T>> {
        let held = self.lock.within(self).take_within(Access::Write, time)?;
        Some(RwLockWriteGuard::of(self, held, Location::caller()))
    }

    /// Whether somebody has it.
    #[track_caller]
    pub fn is_locked(&self) -> bool {
        self.lock.within(self).look() != (false, false)
    }

    /// Whether somebody writes.
    #[track_caller]
    pub fn is_locked_exclusive(&self) -> bool {
        self.lock.within(self).look().1
    }

    /// The data, which nobody else can see now.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
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
    ($(#[$doc:meta])* $name:ident, $access:expr) => {
        $(#[$doc])*
        #[must_use = "if unused the RwLock will immediately unlock"]
        pub struct $name<'a, T: ?Sized> {
            lock: &'a SharedLock,
            data: *mut T,
            held: Held,
            at: &'static Location<'static>,
            marker: PhantomData<&'a mut T>,
        }

        // SAFETY: a guard shared is the data shared.
        unsafe impl<T: ?Sized + Sync> Sync for $name<'_, T> {}

        impl<'a, T: ?Sized> $name<'a, T> {
            #[allow(dead_code)]
            fn of(lock: &'a RwLock<T>, held: Held, at: &'static Location<'static>) -> Self {
                Self::new(&lock.lock, lock.data.get(), held, at)
            }

            fn new(lock: &'a SharedLock, data: *mut T, held: Held, at: &'static Location<'static>) -> Self {
                $name {
                    lock,
                    data,
                    held,
                    at,
                    marker: PhantomData,
                }
            }

            /// Keeps the lock: its parts.
            #[allow(dead_code)]
            fn parts(self) -> (&'a SharedLock, *mut T, Held, &'static Location<'static>) {
                let parts = (self.lock, self.data, self.held, self.at);
                std::mem::forget(self);
                parts
            }
        }

        impl<T: ?Sized> Deref for $name<'_, T> {
            type Target = T;

            fn deref(&self) -> &T {
                // SAFETY: whoever has the guard has the lock, and as long as it is shared nobody writes.
                unsafe { &*self.data }
            }
        }

        impl<T: ?Sized> Drop for $name<'_, T> {
            fn drop(&mut self) {
                self.lock.give_back($access, self.held, self.at);
            }
        }

        impl<T: ?Sized + fmt::Debug> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(f)
            }
        }
    };
}

guard! {
    /// The right to read.
    RwLockReadGuard, Access::Read
}

guard! {
    /// The right to write.
    RwLockWriteGuard, Access::Write
}

guard! {
    /// The right to read, and perhaps to write later.
    RwLockUpgradableReadGuard, Access::Upgradable
}

guard! {
    /// The right to read a part.
    MappedRwLockReadGuard, Access::Read
}

guard! {
    /// The right to write a part.
    MappedRwLockWriteGuard, Access::Write
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: whoever has the guard has the lock alone, and the guard is borrowed alone.
        unsafe { &mut *self.data }
    }
}

impl<T: ?Sized> DerefMut for MappedRwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: whoever has the guard has the lock alone, and the guard is borrowed alone.
        unsafe { &mut *self.data }
    }
}

impl<'a, T: ?Sized> RwLockReadGuard<'a, T> {
    /// The right to read a part.
    pub fn map<U: ?Sized>(this: Self, part: impl FnOnce(&T) -> &U) -> MappedRwLockReadGuard<'a, U> {
        let data = std::ptr::from_ref(part(&this)).cast_mut();
        let (lock, _, held, at) = this.parts();
        MappedRwLockReadGuard::new(lock, data, held, at)
    }
}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    /// The right to write a part.
    pub fn map<U: ?Sized>(mut this: Self, part: impl FnOnce(&mut T) -> &mut U) -> MappedRwLockWriteGuard<'a, U> {
        let data: *mut U = part(&mut this);
        let (lock, _, held, at) = this.parts();
        MappedRwLockWriteGuard::new(lock, data, held, at)
    }

    /// From writing to reading, without a moment in which others write.
    #[track_caller]
    pub fn downgrade(this: Self) -> RwLockReadGuard<'a, T> {
        let (lock, data, ..) = this.parts();
        RwLockReadGuard::new(lock, data, lock.downgrade(Access::Read), Location::caller())
    }
}

impl<'a, T: ?Sized> RwLockUpgradableReadGuard<'a, T> {
    /// Waits for the readers to leave, and writes.
    #[track_caller]
    pub fn upgrade(this: Self) -> RwLockWriteGuard<'a, T> {
        let (lock, data, ..) = this.parts();
        lock.upgrade();
        RwLockWriteGuard::new(lock, data, Held::now(), Location::caller())
    }

    /// Writes if nobody else reads.
    ///
    /// # Errors
    /// With the guard, if somebody does.
    #[track_caller]
    pub fn try_upgrade(this: Self) -> Result<RwLockWriteGuard<'a, T>, Self> {
        if !this.lock.try_upgrade() {
            return Err(this);
        }
        let (lock, data, ..) = this.parts();
        Ok(RwLockWriteGuard::new(lock, data, Held::now(), Location::caller()))
    }
}
