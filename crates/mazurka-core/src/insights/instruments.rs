//! What steps really do, measured rather than derived from the text.

use crate::footprint::Footprint;
use crate::program::{Location, Transition};

/// A program that can be watched closely and tampered with.
///
/// *Good for* the [laws](crate::laws) alone: they compare what a guard really reads with what was declared, and take a step again after
/// changing what it is said not to touch.
/// *Without it* [`Law::GuardReads`](crate::laws::Law::GuardReads), [`Law::Perturbation`](crate::laws::Law::Perturbation) and
/// [`Law::Overwriting`](crate::laws::Law::Overwriting) are not checked. Searches never ask.
pub trait Instruments<S> {
    /// Adds what evaluating the guard of a pending transition *really* reads, recorded at each read. Returns false if the program cannot
    /// observe its own reads.
    fn guard_reads(&self, state: &S, transition: Transition, out: &mut Footprint) -> bool {
        let _ = (state, transition, out);
        false
    }

    /// Gives the location another value of its type. Returns false if that cannot be done.
    fn perturb(&self, state: &mut S, location: Location, seed: u64) -> bool {
        let _ = (state, location, seed);
        false
    }
}
