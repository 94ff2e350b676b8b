//! What programs of a check are made of.

pub(super) mod api {
    pub use mazurka_crossbeam_channel::*;
    pub use mazurka_native::thread;

    pub fn jitter() {}
}

// The same text, against another interface.
#[allow(clippy::duplicate_mod)]
#[path = "interpreter.rs"]
pub(super) mod interpreter;
