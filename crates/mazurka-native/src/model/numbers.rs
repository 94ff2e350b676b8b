//! Numbers by which models tell apart those who wait for them.

use crate::runtime::current;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A number, not 0, that nobody else gets in this execution; outside of a check, nobody else for a long time.
pub fn fresh_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    current::with(|execution| execution.fresh_number()).unwrap_or_else(|| NEXT.fetch_add(1, Relaxed).max(1))
}

/// How many steps the running thread has taken, and which it is. Outside of a check it is always the same.
pub fn steps_so_far() -> (u32, u32) {
    current::with(|execution| (execution.process(), execution.running().steps)).unwrap_or_default()
}
