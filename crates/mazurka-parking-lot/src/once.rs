//! What is done once, as `parking_lot::Once`.

use mazurka_native::sync;

/// Something that is done once.
#[derive(Debug)]
pub struct Once(sync::Once);

/// How far it is.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum OnceState {
    /// Not done, or under way.
    New,
    /// Done.
    Done,
}

impl OnceState {
    /// Whether it is done.
    pub fn done(self) -> bool {
        self == OnceState::Done
    }
}

impl Once {
    /// That was not done.
    pub const fn new() -> Self {
        Once(sync::Once::new())
    }

    /// Does it if nobody did, or waits until it is done.
    ///
    /// # Panics
    /// If it panicked before.
    #[track_caller]
    pub fn call_once(&self, f: impl FnOnce()) {
        self.0.call_once(f);
    }

    /// The same, even if it panicked before.
    #[track_caller]
    pub fn call_once_force(&self, f: impl FnOnce(OnceState)) {
        self.0.call_once_force(|_| f(OnceState::New));
    }

    /// How far it is.
    #[track_caller]
    pub fn state(&self) -> OnceState {
        if self.0.is_completed() { OnceState::Done } else { OnceState::New }
    }
}

impl Default for Once {
    fn default() -> Self {
        Once::new()
    }
}
