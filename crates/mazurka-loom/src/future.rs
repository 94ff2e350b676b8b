//! Futures, as in `loom::future`.

use std::task::Waker;

pub use mazurka_native::future::block_on;

/// Keeps the waker of one task, which others wake.
#[derive(Debug, Default)]
pub struct AtomicWaker(mazurka_native::future::AtomicWaker);

impl AtomicWaker {
    /// Without a waker.
    pub fn new() -> Self {
        AtomicWaker::default()
    }

    /// Keeps this waker instead of the one that is there.
    #[track_caller]
    pub fn register(&self, waker: Waker) {
        self.0.register(&waker);
    }

    /// Keeps a copy of this waker instead of the one that is there.
    #[track_caller]
    pub fn register_by_ref(&self, waker: &Waker) {
        self.0.register(waker);
    }

    /// Takes the waker out and wakes it.
    #[track_caller]
    pub fn wake(&self) {
        self.0.wake();
    }

    /// Takes the waker out.
    #[track_caller]
    pub fn take_waker(&self) -> Option<Waker> {
        self.0.take()
    }
}
