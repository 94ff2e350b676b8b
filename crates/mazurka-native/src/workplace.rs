//! Where a check runs: in a thread of the operating system of its own, watched by the one that wants the result.
//!
//! Code under test may leave that thread in the middle of a panic, or never come back from it. The thread is given up then, not the test program.

use crate::runtime::Watch;
use crate::runtime::lanes::OsThread;
use std::time::Duration;

/// A thread of the operating system for a check.
pub(crate) struct Workplace {
    thread: OsThread,
    patience: Duration,
}

impl Workplace {
    /// A new one, which is given up if a step takes longer than `patience`.
    pub fn new(patience: Duration) -> Self {
        let name = std::thread::current().name().unwrap_or("check").to_owned();
        Workplace {
            thread: OsThread::start(&name),
            patience,
        }
    }

    /// Has `work` done there.
    ///
    /// # Panics
    /// If it panics, or gets stuck.
    pub fn run<R: 'static>(&self, work: impl FnOnce() -> R + 'static) -> R {
        let mut watch = Watch::new(self.patience);
        let interval = watch.interval();
        match self.thread.run_watched(work, interval, || watch.is_stuck()) {
            Some(result) => result,
            None => panic!("{}", watch.explain()),
        }
    }
}
