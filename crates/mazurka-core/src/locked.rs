//! What a lock protects, whether or not somebody panicked with it: programs under test may, and searches go on.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks it.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nobody else can have locked it.
pub(crate) fn locked_mut<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}
