//! The fast search against the plain one.

use super::explore::{Explored, Rules, explore};
use mazurka_core::{FailureKind, Fingerprint, Observe, Options, Outcome, Program};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Whether a merging search did exactly what the plain algorithm does: the same executions, cuts and steps, the same states looked up,
/// found and stored, the same final states and failures.
///
/// Two things that the fast search does are no part of the rule. With a bound on cones or memory, or with any other limit, it may explore
/// more or less, and is not compared; nor is it when it dropped its store, which it does with large programs where next to nothing is
/// ever found.
///
/// # Errors
/// What differs.
pub fn same_as_plain<P>(program: &P, options: &Options, outcome: &Outcome, finals: &FxHashSet<Fingerprint>) -> Result<(), String>
where
    P: Program,
    P::State: Clone,
{
    let Some(merged) = &outcome.merged else { return Ok(()) };
    if options.cone_cap.is_some() || options.limits.memory.is_some() || outcome.limit.is_some() || merged.store_dropped {
        return Ok(());
    }
    // Where values cannot be seen, states are equal or not, if need be up to values that nobody can read any more.
    let seen = program.insights().comparable.is_some();
    let rules = Rules {
        observe: if seen { merged.observe } else { Observe::States },
        only_live: !seen && matches!(merged.observe, Observe::Outcomes | Observe::Failures),
        exchange_tasks: merged.tasks_exchanged,
        order: options.order,
    };
    let plain = explore(program, rules);
    let counts = &outcome.counts;
    let figures = [
        ("executions", counts.executions, plain.counts.executions),
        ("deadlocks", counts.deadlocks, plain.counts.deadlocks),
        ("executions blocked by sleep", counts.blocked, plain.counts.blocked),
        ("cuts", counts.cut, plain.counts.cut),
        ("steps", counts.steps, plain.counts.steps),
        ("states", counts.states, plain.counts.states),
        ("steps in the longest execution", counts.max_depth, plain.counts.max_depth),
        ("lookups", merged.lookups, plain.lookups),
        ("hits", merged.hits, plain.hits),
        ("stored states", merged.most_stored, plain.stored),
    ];
    for (what, fast, plain) in figures {
        if fast != plain {
            return Err(format!("{fast} {what}, but the plain algorithm has {plain}"));
        }
    }
    if *finals != plain.finals {
        return Err("other final states than the plain algorithm".to_owned());
    }
    same_failures(outcome, &plain)
}

fn same_failures(outcome: &Outcome, plain: &Explored) -> Result<(), String> {
    for kind in FailureKind::ALL.into_iter().filter(|k| *k != FailureKind::Deadlock) {
        let fast = outcome.failure_counts[kind as usize];
        let plain = plain.failures.iter().filter(|f| f.kind == kind).count() as u64;
        if fast != plain {
            return Err(format!(
                "{fast} failures of kind {}, but the plain algorithm has {plain}",
                kind.name()
            ));
        }
    }
    // What a panic said is not told by the plain algorithm.
    let is_told = |kind: FailureKind| !matches!(kind, FailureKind::Deadlock | FailureKind::Panic);
    let fast = outcome.failures.iter().map(|f| &f.failure).filter(|f| is_told(f.kind));
    let plain = plain.failures.iter().filter(|f| is_told(f.kind));
    let fast: BTreeSet<String> = fast.map(|f| format!("{f:?}")).collect();
    let plain: BTreeSet<String> = plain.map(|f| format!("{f:?}")).collect();
    match fast.symmetric_difference(&plain).next() {
        None => Ok(()),
        Some(one) => Err(format!("of it and the plain algorithm only one reports {one}")),
    }
}
