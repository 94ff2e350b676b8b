//! The façade of `std` that `cargo mazurka test` gives to the code under test.
//!
//! It re-exports all of `std`. What stands here by name shadows what the globs bring: in a check these are the things of the checker,
//! outside of one they do what those of `std` do.

pub use ::std::*;

pub mod collections;
pub mod hash;
pub mod hint;
mod random_state;
pub mod sync;
pub mod thread;
pub mod time;

pub use mazurka_native::thread_local;
