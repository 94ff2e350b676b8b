//! A place for one waker.

use crate::sync::Mutex;
use std::sync::PoisonError;
use std::task::Waker;

/// Keeps the waker of one task, which others wake. To register and to wake are atomic: whoever registers before somebody wakes is woken.
#[derive(Debug, Default)]
pub struct AtomicWaker(Mutex<Option<Waker>>);

impl AtomicWaker {
    /// Without a waker.
    pub const fn new() -> Self {
        AtomicWaker(Mutex::new(None))
    }

    /// Keeps this waker instead of the one that is there.
    #[track_caller]
    pub fn register(&self, waker: &Waker) {
        let old = self.0.lock().unwrap_or_else(PoisonError::into_inner).replace(waker.clone());
        drop(old);
    }

    /// Takes the waker out and wakes it.
    #[track_caller]
    pub fn wake(&self) {
        if let Some(waker) = self.take() {
            waker.wake();
        }
    }

    /// Takes the waker out.
    #[track_caller]
    pub fn take(&self) -> Option<Waker> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
