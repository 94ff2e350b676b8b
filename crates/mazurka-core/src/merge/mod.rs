//! `source+merge`: one execution per distinct final state.
//!
//! A state that was reached before is not explored again. What makes that sound is that the exploration of a state returns abstract
//! *causal cones*, one for each kind of event that can occur below it: a race between a step and an event below is decided at the state
//! before the step, whether the state after it was explored now or met before. The proof is in `docs/src/soundness-merging.md`.
//!
//! # A tour
//!
//! Begin with the plain form of the same algorithm, `crates/mazurka-laboratory/src/merging`: it has no caches and no numbers, and the
//! fuzzer demands that the search here does exactly the same. Then come the files of the rule:
//!
//! * [`search`]: `Explore(s, Z)` as a loop over an explicit stack. It arrives at a state and cuts, wakes or expands it, chooses steps, and
//!   goes back with what it knows of the future.
//! * [`frame`]: one call of `Explore`: `Z`, `B`, `C` and `Req`, with rule ONE and rule ALL. [`node`] fills it: which processes are
//!   unfinished, their cones, and which of them comes first.
//! * [`edge`]: the way back over a step. Which cones of the state after it pass, which race with it, which grow by it.
//! * [`cone`]: what a cone is. [`guard`]: what it knows of the guard of its last step.
//! * [`view`]: how much of a state the search can see. With fingerprints alone, equal states are merged. [`observe`] sees values: states
//!   are merged if the future of one looks at nothing in which they differ, as its *note* says. [`test`](mod@test) is one thing that a
//!   future looks at.
//! * [`renaming`]: states that differ only in the names of tasks.
//!
//! How it is kept:
//!
//! * [`states`]: the stored states. [`budget`]: what is forgotten when memory is scarce.
//! * [`cone_table`], [`cone_set`]: cones and sets of cones, each stored once and known by number. [`bits`] and [`intern`] are the
//!   containers for that.
//! * [`memo`]: everything that is remembered only to be fast. The rule asks it; nothing depends on what it knows.

mod bits;
mod budget;
mod cone;
mod cone_set;
mod cone_table;
mod edge;
mod frame;
mod guard;
mod intern;
mod memo;
mod node;
mod observe;
mod renaming;
mod search;
mod states;
mod test;
mod view;

use crate::driver::Driver;
use crate::explore::Start;
use crate::search::{Limits, Observe, Options, Search, SearchError};
use observe::ValueView;
use search::Merging;
use view::OpaqueView;

/// A merging search, with as much insight into values as the program offers.
pub(crate) fn merging<'p>(start: Start<'p, '_>) -> Result<Box<dyn Search + 'p>, SearchError> {
    let Start { facts, world, options } = start;
    let unfit = |reason| SearchError::Unfit {
        name: options.algorithm.name(),
        reason,
    };
    let features = facts.features;
    let can_tell = features.static_footprints && features.static_alternatives;
    let comparable = facts.comparable && options.see_values;
    let observe = match (options.observe, comparable) {
        // Equality keeps every final state too, and is as good where no value is ever lost.
        (Observe::Finals, true) if can_tell && facts.overwrites => Observe::Finals,
        (Observe::States | Observe::Finals, _) => Observe::States,
        // Values that nobody can read any more are no part of what is observed.
        (coarser, false) if facts.liveness => coarser,
        (_, false) => {
            return Err(unfit(
                "to tell apart less than final states, merging must know which values can still be read, and of this program that is not \
                 known: its steps are code that may read whatever it can reach. Only equal states can be merged: leave out `--observe`",
            ));
        }
        (_, true) if !can_tell => {
            return Err(unfit(
                "what its steps touch may depend on shared values, and then only equal states can be merged; leave out `--observe`",
            ));
        }
        (coarser, true) => coarser,
    };
    let options = &Options {
        observe,
        exchange_tasks: options.exchange_tasks && comparable,
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
    if !comparable {
        let view = OpaqueView::new(observe);
        return Ok(Box::new(Driver::new(Merging::new(facts, world, options, view), driven)));
    }
    let view = ValueView::new(facts, options.observe, options.exchange_tasks);
    Ok(Box::new(Driver::new(Merging::new(facts, world, options, view), driven)))
}
