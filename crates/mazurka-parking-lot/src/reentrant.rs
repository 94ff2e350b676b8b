//! A lock that its holder may take again, as `parking_lot::ReentrantMutex`.

use mazurka_native::model::permits::{LOCK, Permits};
use mazurka_native::thread::{self, ThreadId};
use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

/// A lock around some data, which is only read.
pub struct ReentrantMutex<T: ?Sized> {
    lock: Permits,
    /// Who has it, and how often. Whoever finds itself here has it.
    holder: Mutex<Option<(ThreadId, usize)>>,
    data: UnsafeCell<T>,
}

// SAFETY: the data is reached through guards only, of one thread at a time.
unsafe impl<T: ?Sized + Send> Send for ReentrantMutex<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for ReentrantMutex<T> {}

/// As [`ReentrantMutex::new`].
pub const fn const_reentrant_mutex<T>(data: T) -> ReentrantMutex<T> {
    ReentrantMutex::new(data)
}

impl<T> ReentrantMutex<T> {
    /// Around this.
    pub const fn new(data: T) -> Self {
        ReentrantMutex {
            lock: Permits::new("ReentrantMutex", 1, &LOCK),
            holder: Mutex::new(None),
            data: UnsafeCell::new(data),
        }
    }

    /// The data.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> ReentrantMutex<T> {
    /// Waits for the lock, unless this thread has it.
    #[track_caller]
    pub fn lock(&self) -> ReentrantMutexGuard<'_, T> {
        let at = Location::caller();
        if !self.again() {
            // It is never closed.
            let _ = self.lock.within(self).acquire_blocking(at, 1);
            self.first();
        }
        self.guard(at)
    }

    /// Takes the lock if it is free, or this thread has it.
    #[track_caller]
    pub fn try_lock(&self) -> Option<ReentrantMutexGuard<'_, T>> {
        if !self.again() {
            self.lock.within(self).try_acquire(1).ok()?;
            self.first();
        }
        Some(self.guard(Location::caller()))
    }

    /// Whether this thread has it.
    pub fn is_owned_by_current_thread(&self) -> bool {
        let me = thread::current().id();
        self.holder().is_some_and(|(id, _)| id == me)
    }

    /// The data, which nobody else can see now.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }

    fn holder(&self) -> std::sync::MutexGuard<'_, Option<(ThreadId, usize)>> {
        self.holder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn again(&self) -> bool {
        let me = thread::current().id();
        match &mut *self.holder() {
            Some((id, times)) if *id == me => {
                *times += 1;
                true
            }
            _ => false,
        }
    }

    fn first(&self) {
        let me = thread::current().id();
        *self.holder() = Some((me, 1));
    }

    fn guard(&self, at: &'static Location<'static>) -> ReentrantMutexGuard<'_, T> {
        ReentrantMutexGuard {
            mutex: self,
            at,
            marker: PhantomData,
        }
    }
}

impl<T: ?Sized> fmt::Debug for ReentrantMutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReentrantMutex").finish_non_exhaustive()
    }
}

/// The right to the data of a lock.
#[must_use = "if unused the ReentrantMutex will immediately unlock"]
pub struct ReentrantMutexGuard<'a, T: ?Sized> {
    mutex: &'a ReentrantMutex<T>,
    at: &'static Location<'static>,
    /// It stays in its thread.
    marker: PhantomData<*mut ()>,
}

impl<T: ?Sized> Deref for ReentrantMutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the thread that has the guard has the lock, and nobody gets more than shared references.
        unsafe { &*self.mutex.data.get() }
    }
}

impl<T: ?Sized> Drop for ReentrantMutexGuard<'_, T> {
    fn drop(&mut self) {
        let last = {
            let mut holder = self.mutex.holder();
            match &mut *holder {
                Some((_, times)) if *times > 1 => {
                    *times -= 1;
                    false
                }
                _ => {
                    *holder = None;
                    true
                }
            }
        };
        if last {
            self.mutex.lock.release_at(self.at, 1);
        }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for ReentrantMutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
