//! One number for all executions of a trace: what happened before what, not in which order it was run.

use crate::trace::{At, Trace};

/// The hashes of the events of the current execution.
///
/// Every event is hashed with its immediate predecessors in happens-before, which are the same in all equivalent executions; the sum over the
/// events stands for the trace.
#[derive(Default)]
pub(super) struct TraceHash {
    events: Vec<u64>,
    sum: u64,
}

impl TraceHash {
    /// The empty execution.
    pub fn clear(&mut self) {
        self.events.clear();
        self.sum = 0;
    }

    /// Adds the last event of the trace.
    pub fn push(&mut self, trace: &Trace) {
        let at: At = trace.len() - 1;
        let transition = trace.event(at).transition;
        let own = u64::from(transition.process.0) << 32 | u64::from(transition.choice);
        let past = trace
            .predecessors(at)
            .iter()
            .fold(0u64, |sum, &e| sum.wrapping_add(scramble(self.events[e as usize])));
        let hash = scramble(past ^ scramble(own.wrapping_add(1)));
        self.events.push(hash);
        self.sum = self.sum.wrapping_add(scramble(hash.wrapping_add(1)));
    }

    /// The hash of the trace.
    pub fn get(&self) -> u64 {
        scramble(self.sum)
    }
}

/// Spreads every bit over all others.
fn scramble(z: u64) -> u64 {
    let z = (z ^ (z >> 32))
        .wrapping_add(0x9E37_79B9_7F4A_7C15)
        .wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z ^ (z >> 32)
}
