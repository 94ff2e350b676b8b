//! The searches: one file per algorithm, one driver for all of them.

mod actor_sets;
mod backtrack;
mod basset;
mod context;
mod cuts;
mod dpor;
mod estimate;
mod exploration;
mod naive;
mod observed;
mod observers;
mod optimal;
mod optimal_context;
mod published_context;
mod reversals;
mod skipped;
mod sleep_sequences;
mod source;
mod stateless;
mod strategy;
mod trans;

use crate::driver::Driver;
use crate::merge::{Merging, Opaque, Seeing};
use crate::program::Program;
use crate::running::Running;
use crate::search::{Limits, Observe, Observer, Options, Search, SearchError};
use crate::world::{Equality, Facts, World};
use actor_sets::{ActorSets, Marks};
use context::Context;
use context::Independence::{Order, States};
use context::Reading::{AsPublished, Corrected};
pub(crate) use exploration::mix;
use optimal_context::OptimalContext;
use published_context::PublishedContext;
use stateless::Stateless;

/// A search of `program`, told to `observer`, that keeps snapshots (or rebuilds states, if the options say so).
///
/// ```
/// # use mazurka_core::*;
/// # fn check<P: Program>(program: &P) -> Result<Outcome, SearchError> where P::Run: Clone {
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
    P::Run: Clone,
    O: Observer<P> + 'p,
{
    if options.replay {
        replaying_search(program, options, observer)
    } else {
        start(program, Box::new(Running::with_snapshots(program, Box::new(observer))), options)
    }
}

/// A search of a program whose states cannot be copied: they are rebuilt by running their schedule from the start.
pub fn replaying_search<'p, P, O>(program: &'p P, options: &Options, observer: O) -> Result<Box<dyn Search + 'p>, SearchError>
where
    P: Program,
    O: Observer<P> + 'p,
{
    start(program, Box::new(Running::rebuilding(program, Box::new(observer))), options)
}

/// A search from the initial state, where `world` is.
fn start<'p>(facts: &'p dyn Facts, world: Box<dyn World + 'p>, options: &Options) -> Result<Box<dyn Search + 'p>, SearchError> {
    options.algorithm.fits(facts.features())?;
    macro_rules! driven_by {
        ($strategy:expr) => {
            Box::new(Driver::new(Stateless::new(facts, world, options, $strategy), options))
        };
    }
    Ok(match options.algorithm.name() {
        "naive" => driven_by!(naive::Naive::default()),
        "dpor" => driven_by!(dpor::Dpor::new(false)),
        "dpor+sleep" => driven_by!(dpor::Dpor::new(true)),
        "dpor+sleep:as-published" => driven_by!(dpor::Dpor::new(true)),
        "dpor:actors" => driven_by!(ActorSets::new(Marks::None, true)),
        "dpor+tasks" => driven_by!(ActorSets::new(Marks::Repaired, true)),
        "dpor:stable-as-published" => driven_by!(ActorSets::new(Marks::None, false)),
        "dpor+tasks:as-published" => driven_by!(ActorSets::new(Marks::AsPublished, true)),
        "dpor+tasks:stable-as-published" => driven_by!(ActorSets::new(Marks::AsPublished, false)),
        "trans" | "trans:as-published" => driven_by!(trans::Trans::new(false, false)),
        "trans+sleep" => driven_by!(trans::Trans::new(true, false)),
        "trans+sleep:as-published" => driven_by!(trans::Trans::new(true, true)),
        "trans:basset" => driven_by!(basset::Basset::new(false, true)),
        "trans+sleep:basset" => driven_by!(basset::Basset::new(true, true)),
        "trans:basset-as-published" => driven_by!(basset::Basset::new(false, false)),
        "trans+sleep:basset-as-published" => driven_by!(basset::Basset::new(true, false)),
        "source" => driven_by!(source::Source::default()),
        "source+context" => driven_by!(Context::new(Corrected, Order)),
        "source+context:guided" => driven_by!(Context::new(Corrected, Order).guided()),
        "source+context:anticipating" => driven_by!(Context::new(Corrected, Order).anticipating()),
        "source+context:anticipating-guided" => driven_by!(Context::new(Corrected, Order).anticipating().guided()),
        "source+context:states" => driven_by!(Context::new(Corrected, States)),
        "source+context:as-published" => driven_by!(Context::new(AsPublished, Order)),
        "source+context:anticipating-as-published" => driven_by!(Context::new(AsPublished, Order).anticipating()),
        "source+context:states-as-published" => driven_by!(Context::new(AsPublished, States)),
        "optimal" => driven_by!(optimal::Optimal::default()),
        "source+merge" => return merging(facts, world, options),
        "optimal+context" => driven_by!(OptimalContext::new(Equality::Exact)),
        "optimal+context+observers" => driven_by!(OptimalContext::new(Equality::Live)),
        "optimal+context:as-published" => driven_by!(PublishedContext::new(false)),
        "optimal+context+observers:as-published" => driven_by!(PublishedContext::new(true)),
        "optimal+observers" => driven_by!(observers::Observers::default()),
        name if options.algorithm.is_stateful() => {
            return Err(SearchError::Unfit {
                name,
                reason: "its front end does not say which states are equal; take `optimal`",
            });
        }
        name => return Err(SearchError::Unknown { name: name.to_owned() }),
    })
}

/// Merging, with as much insight into values as the program offers.
fn merging<'p>(facts: &'p dyn Facts, world: Box<dyn World + 'p>, options: &Options) -> Result<Box<dyn Search + 'p>, SearchError> {
    let unfit = |reason| SearchError::Unfit {
        name: "source+merge",
        reason,
    };
    let can_tell = facts.features().static_footprints;
    let observe = match (options.observe, facts.is_comparable()) {
        // Equality keeps every final state too, and is as good where no value is ever lost.
        (Observe::Finals, true) if can_tell && facts.overwrites() => Observe::Finals,
        (Observe::States | Observe::Finals, _) => Observe::States,
        (_, false) => return Err(unfit("its states can only be compared as a whole; leave out `--observe`")),
        (_, true) if !can_tell => {
            return Err(unfit(
                "what its steps touch depends on shared values, and then only equal states can be merged; leave out `--observe`",
            ));
        }
        (coarser, true) => coarser,
    };
    let options = &Options {
        observe,
        ..options.clone()
    };
    // The store sees to it that the memory is enough.
    let driven = &Options {
        limits: Limits {
            memory: None,
            ..options.limits
        },
        ..options.clone()
    };
    if !facts.is_comparable() {
        return Ok(Box::new(Driver::new(Merging::new(facts, world, options, Opaque), driven)));
    }
    let lens = Seeing::new(facts, options.observe, options.exchange_tasks);
    Ok(Box::new(Driver::new(Merging::new(facts, world, options, lens), driven)))
}
