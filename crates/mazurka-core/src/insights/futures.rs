//! What processes may touch from a state on.

use crate::footprint::Footprint;
use crate::program::Process;

/// A program that knows what its processes may touch in all their future.
///
/// *Good for* `source+context` and `optimal+context`, which must know what they leave out.
/// *Without it* they assume that every process may touch anything, and leave out less.
pub trait Futures<S> {
    /// Adds everything that an unfinished process may touch from here on, in any context: by its steps, the pending ones included, with
    /// what their guards read, and by the steps of all processes that it or its descendants start. Like a footprint, it depends only on
    /// the process's own local state. Returns false if that is not known of this process.
    fn future(&self, state: &S, process: Process, out: &mut Footprint) -> bool;
}
