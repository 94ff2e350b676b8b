//! What threads share, as in `loom::sync`.

use mazurka_native::model::{Model, Rule};

pub use mazurka_native::sync::{
    Arc, Barrier, Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard, WaitTimeoutResult, Weak,
};
pub use std::sync::{LockResult, TryLockResult};

/// Channels, as in `loom::sync::mpsc`.
pub mod mpsc {
    pub use mazurka_native::sync::mpsc::{Receiver, Sender, channel};
}

/// Atomics, as in `loom::sync::atomic`.
pub mod atomic {
    pub use mazurka_native::sync::atomic::*;

    /// As [`crate::hint::spin_loop`], by its old name.
    #[track_caller]
    pub fn spin_loop_hint() {
        crate::hint::spin_loop();
    }
}

static NOTIFY: Rule = Rule {
    name: "notify",
    touches: |touches| {
        touches.update(0);
    },
    apply: |state, _| {
        state.numbers[0] = 1;
        0
    },
    ..Rule::STEP
};

static WAIT: Rule = Rule {
    name: "wait for",
    awaits: "a notification of",
    touches: |touches| {
        touches.guard(0);
        touches.update(0);
    },
    enabled: |state, _| state.numbers[0] == 1,
    apply: |state, _| {
        state.numbers[0] = 0;
        0
    },
    ..Rule::STEP
};

/// Wakes one thread, as `loom::sync::Notify`.
pub struct Notify(Model<()>);

impl Notify {
    /// Of which nobody was notified.
    pub fn new() -> Self {
        Notify(Model::new("Notify", 0, 1, ()))
    }

    /// The next wait, or the one under way, ends.
    #[track_caller]
    pub fn notify(&self) {
        self.0.step(&NOTIFY, 0, |_, ()| ());
    }

    /// Waits for a notification. It does not end without one.
    #[track_caller]
    pub fn wait(&self) {
        self.0.step(&WAIT, 0, |_, ()| ());
    }
}

impl Default for Notify {
    fn default() -> Self {
        Notify::new()
    }
}

impl std::fmt::Debug for Notify {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Notify").finish_non_exhaustive()
    }
}
