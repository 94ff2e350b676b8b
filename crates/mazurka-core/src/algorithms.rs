//! The table of algorithms. Adding one is one file in `explore/` and one row here: nothing else knows any of them by name.

use crate::algorithm::{About, Covers, Make, Needs, Promise};
use crate::explore::actor_sets::{ActorSets, Marks};
#[cfg(feature = "published")]
use crate::explore::basset::Basset;
use crate::explore::context::{Context, Independence, Reading};
use crate::explore::dpor::Dpor;
use crate::explore::naive::Naive;
use crate::explore::observers::Observers;
use crate::explore::optimal::Optimal;
use crate::explore::optimal_context::OptimalContext;
#[cfg(feature = "published")]
use crate::explore::published_context::PublishedContext;
use crate::explore::source::Source;
use crate::explore::trans::Trans;
use crate::merge::merging;
use crate::stateful::Reduction;
use crate::world::Equality;

const NOTHING: Needs = Needs {
    static_footprints: false,
    one_location_per_step: false,
    terminating: false,
    names_given_once: false,
    actors: false,
};
const ANY: Needs = Needs {
    names_given_once: true,
    ..NOTHING
};
const STATIC: Needs = Needs {
    static_footprints: true,
    ..ANY
};
const FINITE: Needs = Needs { terminating: true, ..ANY };
const TRANSITIVE: Needs = Needs {
    static_footprints: true,
    one_location_per_step: true,
    ..ANY
};
const ACTORS: Needs = Needs {
    static_footprints: true,
    actors: true,
    ..ANY
};

const INTERLEAVINGS: Promise = Promise {
    covers: Covers::Interleavings,
    ..TRACES
};
const TRACES: Promise = Promise {
    covers: Covers::Traces,
    once: false,
    unblocked: false,
    failure_values: true,
    preserves: None,
};
const TRACES_ONCE: Promise = Promise { once: true, ..TRACES };
const OPTIMAL: Promise = Promise {
    unblocked: true,
    ..TRACES_ONCE
};
const OBSERVED: Promise = Promise {
    covers: Covers::Outcomes,
    preserves: Some(
        "writes that nobody observes were not ordered: every outcome (final locals), failure and deadlock is covered, final shared values are not",
    ),
    ..OPTIMAL
};
const SAME_STATES: Promise = Promise {
    covers: Covers::Finals,
    once: true,
    unblocked: false,
    failure_values: false,
    preserves: Some(
        "reversals that lead to a state that was reached before were not run to their ends: every final state, failing statement and deadlock is covered",
    ),
};
const SAME_LIVE_STATES: Promise = Promise {
    covers: Covers::Outcomes,
    preserves: Some(
        "reversals that lead to a state that was reached before, but for values that nobody can read any more, were not run to their ends: every outcome (final locals), failing statement and deadlock is covered, final shared values are not",
    ),
    ..SAME_STATES
};
const MERGED: Promise = Promise {
    covers: Covers::Merged,
    preserves: None,
    ..SAME_STATES
};
const STATES: Promise = Promise {
    once: false,
    preserves: None,
    ..SAME_STATES
};

/// Every algorithm. The order is that of `mazurka compare`. Those that only serve to reproduce papers, all unsound ones among them, are here
/// with the feature `published`.
///
/// Not a constant: each crate that names a constant would compile the constructors, and so the searches, once more.
pub static KNOWN: &[About] = &[
    About {
        name: "naive",
        summary: "every interleaving, no reduction",
        sound: true,
        needs: NOTHING,
        promise: INTERLEAVINGS,
        make: Make::Executions(|start| start.with(Naive::default())),
    },
    About {
        name: "dpor",
        summary: "persistent sets, all races (Flanagan and Godefroid, POPL'05, repaired)",
        sound: true,
        needs: STATIC,
        promise: TRACES,
        make: Make::Executions(|start| start.with(Dpor::new(false))),
    },
    About {
        name: "dpor+sleep",
        summary: "dpor with sleep sets",
        sound: true,
        needs: TRANSITIVE,
        promise: TRACES_ONCE,
        make: Make::Executions(|start| start.with(Dpor::new(true))),
    },
    About {
        name: "dpor:actors",
        summary: "persistent sets of actors, all tasks of each in turn (FORTE'14, Fig. 2)",
        sound: true,
        needs: ACTORS,
        promise: TRACES,
        make: Make::Executions(|start| start.with(ActorSets::new(Marks::None, true))),
    },
    About {
        name: "dpor+tasks",
        summary: "dpor:actors with task selection by marks, repaired (FORTE'14, Fig. 6); `optimal --dependency field` does it better",
        sound: true,
        needs: ACTORS,
        promise: TRACES,
        make: Make::Executions(|start| start.with(ActorSets::new(Marks::Repaired, true))),
    },
    About {
        name: "trans",
        summary: "TransDPOR as printed: frozen persistent sets (Tasharofi et al., FORTE'12, Fig. 2)",
        sound: true,
        needs: TRANSITIVE,
        promise: TRACES,
        make: Make::Executions(|start| start.with(Trans::new(false, false))),
    },
    About {
        name: "trans+sleep",
        summary: "trans with sleep sets",
        sound: true,
        needs: TRANSITIVE,
        promise: TRACES_ONCE,
        make: Make::Executions(|start| start.with(Trans::new(true, false))),
    },
    #[cfg(feature = "published")]
    About {
        name: "trans:basset",
        summary: "TransDPOR as the tool behind the tables of FORTE'12 did it, repaired",
        sound: true,
        needs: TRANSITIVE,
        promise: TRACES,
        make: Make::Executions(|start| start.with(Basset::new(false, true))),
    },
    #[cfg(feature = "published")]
    About {
        name: "trans+sleep:basset",
        summary: "trans:basset with sleep sets",
        sound: true,
        needs: TRANSITIVE,
        promise: TRACES_ONCE,
        make: Make::Executions(|start| start.with(Basset::new(true, true))),
    },
    About {
        name: "source",
        summary: "source sets with sleep sets (Abdulla et al., POPL'14)",
        sound: true,
        needs: STATIC,
        promise: TRACES_ONCE,
        make: Make::Executions(|start| start.with(Source::default())),
    },
    About {
        name: "source+context",
        summary: "source, where a reversal that leads to the same state is not run to its end (CAV'17, repaired); `source+merge` does it better",
        sound: true,
        needs: STATIC,
        promise: SAME_STATES,
        make: Make::Executions(|start| start.with(Context::new(Reading::Corrected, Independence::Order))),
    },
    About {
        name: "source+context:guided",
        summary: "source+context that tries the shortest sleep sequences first (CAV'17, Sect. 5.3)",
        sound: true,
        needs: STATIC,
        promise: SAME_STATES,
        make: Make::Executions(|start| start.with(Context::new(Reading::Corrected, Independence::Order).guided())),
    },
    About {
        name: "source+context:anticipating",
        summary: "source+context that tries nothing beside a skipped step that is independent of all that can still happen (CAV'17, Sect. 5.3)",
        sound: true,
        needs: STATIC,
        promise: SAME_STATES,
        make: Make::Executions(|start| start.with(Context::new(Reading::Corrected, Independence::Order).anticipating())),
    },
    About {
        name: "source+context:anticipating-guided",
        summary: "both optimisations of CAV'17, Sect. 5.3",
        sound: true,
        needs: STATIC,
        promise: SAME_STATES,
        make: Make::Executions(|start| start.with(Context::new(Reading::Corrected, Independence::Order).anticipating().guided())),
    },
    About {
        name: "source+context:states",
        summary: "source+context with independence read as equality of states (CAV'17, line 15, repaired): fewer executions, more work for each",
        sound: true,
        needs: STATIC,
        promise: SAME_STATES,
        make: Make::Executions(|start| start.with(Context::new(Reading::Corrected, Independence::States))),
    },
    #[cfg(feature = "published")]
    About {
        name: "source+context:as-published",
        summary: "CAV'17, Algorithm 1 as printed: misses executions (program C4)",
        sound: false,
        needs: STATIC,
        promise: SAME_STATES,
        make: Make::Executions(|start| start.with(Context::new(Reading::AsPublished, Independence::Order))),
    },
    #[cfg(feature = "published")]
    About {
        name: "source+context:anticipating-as-published",
        summary: "the same with the anticipating cuts of CAV'17, Sect. 5.3, as printed: misses executions (program C6)",
        sound: false,
        needs: STATIC,
        promise: SAME_STATES,
        make: Make::Executions(|start| start.with(Context::new(Reading::AsPublished, Independence::Order).anticipating())),
    },
    #[cfg(feature = "published")]
    About {
        name: "source+context:states-as-published",
        summary: "the same with line 15 read as equality of states, as in CAV'17, Table 1: misses executions (program C7)",
        sound: false,
        needs: STATIC,
        promise: SAME_STATES,
        make: Make::Executions(|start| start.with(Context::new(Reading::AsPublished, Independence::States))),
    },
    About {
        name: "optimal",
        summary: "wakeup trees: one execution per trace, none blocked (POPL'14, JACM'17)",
        sound: true,
        needs: STATIC,
        promise: OPTIMAL,
        make: Make::Executions(|start| start.with(Optimal::default())),
    },
    About {
        name: "optimal+observers",
        summary: "writes that nobody observes are not ordered (Aronis et al., TACAS'18, with guards)",
        sound: true,
        needs: STATIC,
        promise: OBSERVED,
        make: Make::Executions(|start| start.with(Observers::default())),
    },
    About {
        name: "optimal+context",
        summary: "optimal, where a reversal that leads to the same state is not run to its end (ISSTA'19, repaired)",
        sound: true,
        needs: STATIC,
        promise: SAME_STATES,
        make: Make::Executions(|start| start.with(OptimalContext::new(Equality::Exact))),
    },
    About {
        name: "optimal+context+observers",
        summary: "optimal+context with states equal up to variables nobody can read any more (ISSTA'19, Algorithm 2, repaired)",
        sound: true,
        needs: STATIC,
        promise: SAME_LIVE_STATES,
        make: Make::Executions(|start| start.with(OptimalContext::new(Equality::Live))),
    },
    #[cfg(feature = "published")]
    About {
        name: "optimal+context:as-published",
        summary: "ISSTA'19, Algorithm 1 as printed: misses executions (programs C9, C10)",
        sound: false,
        needs: STATIC,
        promise: SAME_STATES,
        make: Make::Executions(|start| start.with(PublishedContext::new(false))),
    },
    #[cfg(feature = "published")]
    About {
        name: "optimal+context+observers:as-published",
        summary: "ISSTA'19, Algorithm 2 as printed: misses outcomes (program C11)",
        sound: false,
        needs: STATIC,
        promise: SAME_LIVE_STATES,
        make: Make::Executions(|start| start.with(PublishedContext::new(true))),
    },
    About {
        name: "source+merge",
        summary: "states reached before are merged, with causal cones: one execution per distinct final state",
        sound: true,
        needs: FINITE,
        promise: MERGED,
        make: Make::Executions(merging),
    },
    About {
        name: "stateful",
        summary: "every reachable state once, no reduction; cyclic state spaces too",
        sound: true,
        needs: NOTHING,
        promise: STATES,
        make: Make::States(Reduction::None),
    },
    About {
        name: "stateful+persistent",
        summary: "stateful, from each state only a statically computed persistent set",
        sound: true,
        needs: ANY,
        promise: STATES,
        make: Make::States(Reduction::Persistent),
    },
    About {
        name: "stateful+source",
        summary: "stateful, from each state only a statically computed source set (Abdulla et al., 2017, Theorem 3)",
        sound: true,
        needs: ANY,
        promise: STATES,
        make: Make::States(Reduction::Source),
    },
    #[cfg(feature = "published")]
    About {
        name: "dpor+sleep:as-published",
        summary: "persistent sets with sleep sets on steps that touch several locations: misses executions (C2, A4)",
        sound: false,
        needs: ANY,
        promise: TRACES_ONCE,
        make: Make::Executions(|start| start.with(Dpor::new(true))),
    },
    #[cfg(feature = "published")]
    About {
        name: "dpor:stable-as-published",
        summary: "dpor:actors that trusts a selected actor to be stable and never backtracks: misses executions (A6)",
        sound: false,
        needs: ACTORS,
        promise: TRACES,
        make: Make::Executions(|start| start.with(ActorSets::new(Marks::None, false))),
    },
    #[cfg(feature = "published")]
    About {
        name: "dpor+tasks:as-published",
        summary: "task selection by the marks of FORTE'14 Fig. 6: misses executions (A5)",
        sound: false,
        needs: ACTORS,
        promise: TRACES,
        make: Make::Executions(|start| start.with(ActorSets::new(Marks::AsPublished, true))),
    },
    #[cfg(feature = "published")]
    About {
        name: "dpor+tasks:stable-as-published",
        summary: "both selections of FORTE'14 as published: misses executions (A5, A6)",
        sound: false,
        needs: ACTORS,
        promise: TRACES,
        make: Make::Executions(|start| start.with(ActorSets::new(Marks::AsPublished, false))),
    },
    #[cfg(feature = "published")]
    About {
        name: "trans:as-published",
        summary: "TransDPOR on steps that touch several locations: misses executions (A3)",
        sound: false,
        needs: ANY,
        promise: TRACES,
        make: Make::Executions(|start| start.with(Trans::new(false, false))),
    },
    #[cfg(feature = "published")]
    About {
        name: "trans+sleep:as-published",
        summary: "TransDPOR where a sleeping message freezes: misses executions (A2)",
        sound: false,
        needs: ANY,
        promise: TRACES_ONCE,
        make: Make::Executions(|start| start.with(Trans::new(true, true))),
    },
    #[cfg(feature = "published")]
    About {
        name: "trans:basset-as-published",
        summary: "TransDPOR as in the tool, blind to messages that stay disabled: misses executions (A1)",
        sound: false,
        needs: ANY,
        promise: TRACES,
        make: Make::Executions(|start| start.with(Basset::new(false, false))),
    },
    #[cfg(feature = "published")]
    About {
        name: "trans+sleep:basset-as-published",
        summary: "trans:basset-as-published with sleep sets: misses executions (A1)",
        sound: false,
        needs: ANY,
        promise: TRACES_ONCE,
        make: Make::Executions(|start| start.with(Basset::new(true, false))),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Merging says it itself, by what it was asked to observe; a stateful search has nothing to explain.
    #[test]
    fn who_covers_less_than_every_trace_says_what_is_preserved() {
        for about in KNOWN {
            let Promise { covers, preserves, .. } = about.promise;
            let speaks_for_itself = covers == Covers::Merged || matches!(about.make, Make::States(_));
            assert_eq!(preserves.is_some(), covers > Covers::Traces && !speaks_for_itself, "{}", about.name);
        }
    }

    #[test]
    fn one_algorithm_has_as_many_executions_as_there_are_traces() {
        let optimal: Vec<&str> = KNOWN.iter().filter(|a| a.promise == OPTIMAL).map(|a| a.name).collect();
        assert_eq!(optimal, ["optimal"]);
    }
}
