//! Hints, as in [`std::hint`].

pub use std::hint::{black_box, unreachable_unchecked};

/// The thread goes round in a loop that waits for something. In a check, after a few rounds without anything new, it waits for a change of what it
/// has looked at.
#[track_caller]
pub fn spin_loop() {
    crate::thread::go_round(std::hint::spin_loop);
}
