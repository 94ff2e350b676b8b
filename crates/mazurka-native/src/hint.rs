//! Hints, as in [`std::hint`].

pub use std::hint::{black_box, unreachable_unchecked};

/// The thread goes round in a loop that waits for something. In a check it then waits until something has changed that it has looked at.
#[track_caller]
pub fn spin_loop() {
    crate::thread::go_round(true, std::hint::spin_loop);
}
