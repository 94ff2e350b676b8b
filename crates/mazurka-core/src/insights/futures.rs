//! What processes may touch from a state on.

use crate::footprint::Footprint;
use crate::program::Process;

/// A program that knows what its processes may touch in all their future.
///
/// *Good for* `source+context` and `optimal+context`, which must know what they leave out.
/// *Without it* they assume that every process may touch anything, and leave out less.
pub trait Futures<S> {
    /// Adds everything that an unfinished process may touch in any execution from `state` on: by its steps, the pending ones included, with
    /// what their guards read *as guards*, and by the steps of all processes that it or its descendants start. Locations that no step
    /// could touch so far, those of things still to be made, may be left out: nothing that was executed conflicts there. Returns false if
    /// that is not known of this process.
    fn future(&self, state: &S, process: Process, out: &mut Footprint) -> bool;
}
