//! `source+merge`: one execution per distinct final state.
//!
//! A state that was reached before is not explored again. What makes that sound is that the exploration of a state returns abstract
//! *causal cones*, one for each kind of event that can occur below it: a race between a step and an event below is decided at the state
//! before the step, whether the state after it was explored now or met before. The proof is in `docs/src/soundness-merging.md`.

mod bits;
mod cone;
mod cone_set;
mod cone_table;
mod edge;
mod fate;
mod frame;
mod guard;
mod intern;
mod isomorphic;
mod lens;
mod node;
mod observe;
mod passage;
mod search;
mod states;
mod test_sets;

use crate::driver::Driver;
use crate::explore::Start;
use crate::search::{Limits, Observe, Options, Search, SearchError};
use lens::Opaque;
use observe::Seeing;
use search::Merging;

/// A merging search, with as much insight into values as the program offers.
pub(crate) fn merging<'p>(start: Start<'p, '_>) -> Result<Box<dyn Search + 'p>, SearchError> {
    let Start { facts, world, options } = start;
    let unfit = |reason| SearchError::Unfit {
        name: options.algorithm.name(),
        reason,
    };
    let features = facts.features;
    let can_tell = features.static_footprints && features.static_alternatives;
    let observe = match (options.observe, facts.comparable) {
        // Equality keeps every final state too, and is as good where no value is ever lost.
        (Observe::Finals, true) if can_tell && facts.overwrites => Observe::Finals,
        (Observe::States | Observe::Finals, _) => Observe::States,
        (_, false) => return Err(unfit("its states can only be compared as a whole; leave out `--observe`")),
        (_, true) if !can_tell => {
            return Err(unfit(
                "what its steps touch may depend on shared values, and then only equal states can be merged; leave out `--observe`",
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
    if !facts.comparable {
        return Ok(Box::new(Driver::new(Merging::new(facts, world, options, Opaque), driven)));
    }
    let lens = Seeing::new(facts, options.observe, options.exchange_tasks);
    Ok(Box::new(Driver::new(Merging::new(facts, world, options, lens), driven)))
}
