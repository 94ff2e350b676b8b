//! `optimal` by workers that share no memory (`docs/src/cluster.md`).
//!
//! A [`Hub`] has the ordered tree (`docs/src/soundness.md`, "In any order"). It hands out *units*: some leaves, with the part of the tree that decides what
//! sleeps on the way there and what is planned beside it. A [`Runner`] runs the leaves of a unit as the sequential algorithm does, for a while, and answers with a *result*: what
//! it found, what is left to do, and which reversals above its leaves may not be covered yet. The hub inserts these.
//!
//! A result stands for its unit as a whole. What becomes of a unit that nobody answers, or somebody twice, is the business of whoever carries the
//! messages: the hub takes one result for each unit, whichever comes first.

mod away;
mod hub;
mod runner;
mod speech;
mod trace_sum;
mod tree;

pub(super) use away::Away;
pub use hub::{Hub, Taken, Task};
pub use runner::{Runner, Slice};
pub(super) use trace_sum::TraceSum;

use crate::program::Program;
use crate::running::Running;
use crate::search::{Options, SearchError, Unobserved};
use crate::world::{Facts, World};

/// What a search in units needs of a program and its options.
///
/// # Errors
/// If there is no proof that the branches of the algorithm may be run in any order, or if it does not fit the program.
fn fits<'p, P>(program: &'p P, options: &Options) -> Result<(Facts<'p>, Box<dyn World + 'p>), SearchError>
where
    P: Program,
    P::State: Clone,
{
    let algorithm = options.algorithm;
    let alone = |name, reason| Err(SearchError::Alone { name, reason });
    if options.sampling.is_some() {
        return alone("--mode", "random executions of a seed are drawn one after the other");
    }
    if options.bound.is_some() {
        return alone(
            "a search within a bound",
            "there is no proof that its branches may be run in any order",
        );
    }
    if !algorithm.runs_in_parallel() {
        return alone(
            algorithm.name(),
            "there is no proof that its branches may be run in any order; take `optimal`",
        );
    }
    let facts = Facts::of(program);
    algorithm.fits(facts.features)?;
    Ok((facts, Box::new(Running::with_snapshots(program, Box::new(Unobserved)))))
}

impl<'p> Hub<'p> {
    /// Of a search that has not begun.
    ///
    /// # Errors
    /// If there is no proof that the branches of the algorithm may be run in any order, or if it does not fit the program.
    pub fn of<P>(program: &'p P, options: &Options) -> Result<Self, SearchError>
    where
        P: Program,
        P::State: Clone,
    {
        let (facts, world) = fits(program, options)?;
        Ok(Hub::new(facts, world, options))
    }
}

impl<'p> Runner<'p> {
    /// One that can run units of a search of this program with these options.
    ///
    /// # Errors
    /// As [`Hub::of`].
    pub fn of<P>(program: &'p P, options: &Options) -> Result<Self, SearchError>
    where
        P: Program,
        P::State: Clone,
    {
        let (facts, world) = fits(program, options)?;
        Ok(Runner::new(facts, world, options))
    }
}
