//! The searches: one file per algorithm, one driver for all of them.

pub(crate) mod actor_sets;
pub(crate) mod backtrack;
#[cfg(feature = "published")]
pub(crate) mod basset;
pub(crate) mod context;
mod cuts;
mod delays;
pub(crate) mod dpor;
mod estimate;
pub(crate) mod exploration;
mod known_choices;
pub(crate) mod naive;
mod observed;
pub(crate) mod observers;
mod open_reversals;
pub(crate) mod optimal;
pub(crate) mod optimal_context;
mod parallel;
mod preemptions;
#[cfg(feature = "published")]
pub(crate) mod published_context;
pub(crate) mod resumable;
mod reversal;
mod reversals;
mod rounds;
mod skipped;
mod sleep_sequences;
pub(crate) mod source;
mod stateless;
pub(crate) mod strategy;
pub(crate) mod trans;
pub(crate) mod units;

use crate::algorithm::{Covers, Make};
use crate::bound::Departure;
use crate::driver::Driver;
use crate::program::Program;
use crate::running::Running;
use crate::sample::SamplingWalk;
use crate::search::{Observer, Options, Search, SearchError};
use crate::world::{Facts, World};
use delays::Delays;
pub use exploration::random_rank;
pub use parallel::{Crew, Seat, Sharing, parallel_search};
use preemptions::Preemptions;
use stateless::Stateless;
use strategy::Strategy;

/// A search of `program`, told to `observer`, that keeps snapshots (or rebuilds states, if the options say so).
///
/// ```
/// # use mazurka_core::*;
/// # fn check<P: Program>(program: &P) -> Result<Outcome, SearchError> where P::State: Clone {
/// let mut search = search(program, &Options::new(Algorithm::parse("optimal")?), Unobserved)?;
/// while search.advance(10_000) == Status::Running {
///     let _executions = search.progress().counts.executions;
/// }
/// let outcome = search.outcome();
/// # Ok(outcome) }
/// ```
pub fn search<'p, P, O>(program: &'p P, options: &Options, observer: O) -> Result<Box<dyn Search + 'p>, SearchError>
where
    P: Program,
    P::State: Clone,
    O: Observer<P::State> + 'p,
{
    if options.replay {
        replaying_search(program, options, observer)
    } else {
        start(
            Facts::of(program),
            Box::new(Running::with_snapshots(program, Box::new(observer))),
            options,
        )
    }
}

/// A search of a program whose states cannot be copied: they are rebuilt by running their schedule from the start.
pub fn replaying_search<'p, P, O>(program: &'p P, options: &Options, observer: O) -> Result<Box<dyn Search + 'p>, SearchError>
where
    P: Program,
    O: Observer<P::State> + 'p,
{
    start(
        Facts::of(program),
        Box::new(Running::rebuilding(program, Box::new(observer))),
        options,
    )
}

/// A search from the initial state, where `world` is.
fn start<'p>(facts: Facts<'p>, world: Box<dyn World + 'p>, options: &Options) -> Result<Box<dyn Search + 'p>, SearchError> {
    if let Some(sampling) = options.sampling {
        let walk = SamplingWalk::new(facts, world, options, sampling);
        return Ok(Box::new(Driver::new(walk, options)));
    }
    if let Some(bound) = options.bound {
        let start = Start { facts, world, options };
        return match bound.counted {
            Departure::Preemption => {
                let every = options.algorithm.about().promise.covers == Covers::Interleavings;
                start.with(Preemptions::new(
                    bound,
                    facts.features.static_footprints && !facts.features.names_given_again && !every,
                ))
            }
            Departure::Delay => start.with(Delays::new(bound)),
        };
    }
    options.algorithm.fits(facts.features)?;
    match options.algorithm.about().make {
        Make::Executions(make) => make(Start { facts, world, options }),
        Make::States(_) => Err(SearchError::Unfit {
            name: options.algorithm.name(),
            reason: "its front end does not say which states are equal; take `optimal`",
        }),
    }
}

/// What a search starts with: a program at its initial state.
pub struct Start<'p, 'o> {
    pub(crate) facts: Facts<'p>,
    pub(crate) world: Box<dyn World + 'p>,
    pub(crate) options: &'o Options,
}

impl<'p> Start<'p, '_> {
    /// A search through executions that the strategy chooses.
    ///
    /// # Errors
    /// None: the type is that of [`Make::Executions`](crate::strategy::Make::Executions), whose constructors may refuse to start.
    pub fn with(self, strategy: impl Strategy + 'p) -> Result<Box<dyn Search + 'p>, SearchError> {
        let walk = Stateless::new(self.facts, self.world, self.options, strategy);
        Ok(Box::new(Driver::new(walk, self.options)))
    }
}
