//! Traits of the types of [`std::thread`] that follow from nothing else.

use super::{End, JoinHandle, Scope, ScopedJoinHandle};
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};

// SAFETY: the result is reached by who joins the thread only, and `spawn` has asked for results that may be sent.
unsafe impl<T> Send for JoinHandle<T> {}
// SAFETY: a shared handle gives the thread only, not the result.
unsafe impl<T> Sync for JoinHandle<T> {}
// SAFETY: as above.
unsafe impl<T> Send for ScopedJoinHandle<'_, T> {}
// SAFETY: as above.
unsafe impl<T> Sync for ScopedJoinHandle<'_, T> {}

impl<T> UnwindSafe for JoinHandle<T> {}
impl<T> RefUnwindSafe for JoinHandle<T> {}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

#[cfg(unix)]
impl<T> std::os::unix::thread::JoinHandleExt for JoinHandle<T> {
    fn as_pthread_t(&self) -> std::os::unix::thread::RawPthread {
        match &self.end {
            End::Real(handle) => handle.as_pthread_t(),
            End::Checked(_) => panic!("a thread of a check has no thread of the operating system of its own"),
        }
    }

    fn into_pthread_t(self) -> std::os::unix::thread::RawPthread {
        match self.end {
            End::Real(handle) => handle.into_pthread_t(),
            End::Checked(_) => panic!("a thread of a check has no thread of the operating system of its own"),
        }
    }
}
