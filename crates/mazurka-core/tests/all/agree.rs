//! Every algorithm finds what `naive` finds, on random scripts; `optimal` finds each trace once.

use crate::support::{Rng, Script, Step, explore, random_script};
use mazurka_core::Order;

#[test]
fn every_algorithm_covers_every_trace() {
    let count = std::env::var("SCRIPTS").ok().and_then(|s| s.parse().ok()).unwrap_or(400);
    let mut rng = Rng(std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1));
    for i in 0..count {
        let script = random_script(&mut rng, i % 2 == 0, i % 4 > 1);
        let (all, _) = explore(&script, "naive", Order::Fifo, false);
        for algorithm in ["dpor", "source", "optimal"] {
            for order in [Order::Fifo, Order::Random(i)] {
                let (seen, outcome) = explore(&script, algorithm, order, false);
                assert_eq!(seen.traces, all.traces, "{algorithm} {order:?} {script:?}");
                assert_eq!(seen.finals, all.finals, "{algorithm} {order:?} {script:?}");
                assert_eq!(seen.deadlocks, all.deadlocks, "{algorithm} {order:?} {script:?}");
                if algorithm == "optimal" {
                    assert_eq!(outcome.counts.blocked, 0, "{order:?} {script:?}");
                }
                if algorithm != "dpor" {
                    assert_eq!(seen.executions, seen.traces.len(), "{algorithm} {order:?} {script:?}");
                }
            }
        }
        for order in [Order::Fifo, Order::Random(i)] {
            let (seen, outcome) = explore(&script, "optimal+observers", order, false);
            assert_eq!(seen.outcomes, all.outcomes, "observers {order:?} {script:?}");
            assert!(seen.executions <= all.traces.len(), "observers {order:?} {script:?}");
            assert_eq!(outcome.counts.blocked, 0, "observers {order:?} {script:?}");
        }
    }
}

#[test]
fn alternatives_that_are_not_listed_while_they_wait_are_not_forgotten() {
    let mut rng = Rng(7);
    for i in 0..60 {
        let mut script = random_script(&mut rng, true, true);
        script.processes.iter_mut().flatten().for_each(|s| s.unlisted = true);
        let (all, _) = explore(&script, "naive", Order::Fifo, false);
        for algorithm in ["dpor", "source", "optimal"] {
            let (seen, _) = explore(&script, algorithm, Order::Random(i), false);
            assert_eq!(seen.traces, all.traces, "{algorithm} {script:?}");
        }
    }
}

/// Lets some processes wait for the end of others, the later ones for earlier ones.
fn with_joins(script: &mut Script, rng: &mut Rng) {
    let spawned = |script: &Script, p: usize| script.processes.iter().flatten().any(|s| s.spawns == Some(p));
    for p in 1..script.processes.len() {
        let awaited = rng.below(p);
        if rng.below(2) == 0 && !spawned(script, p) && !spawned(script, awaited) {
            let join = Step {
                joins: Some(awaited),
                reads: vec![rng.below(2)],
                ..Step::default()
            };
            let at = rng.below(script.processes[p].len() + 1);
            script.processes[p].insert(at, join);
        }
    }
}

#[test]
fn steps_that_wait_for_others_without_a_conflict_are_ordered() {
    let mut rng = Rng(11);
    for i in 0..300 {
        let mut script = random_script(&mut rng, i % 3 > 0, i % 4 > 1);
        with_joins(&mut script, &mut rng);
        let (all, _) = explore(&script, "naive", Order::Fifo, false);
        for order in [Order::Fifo, Order::Random(i)] {
            for algorithm in ["source", "optimal"] {
                let (seen, _) = explore(&script, algorithm, order, false);
                assert_eq!(seen.traces, all.traces, "{algorithm} {order:?} {script:?}");
                assert_eq!(seen.executions, seen.traces.len(), "{algorithm} {order:?} {script:?}");
            }
            let (seen, outcome) = explore(&script, "optimal+observers", order, false);
            assert_eq!(seen.outcomes, all.outcomes, "observers {order:?} {script:?}");
            assert!(seen.executions <= all.traces.len(), "observers {order:?} {script:?}");
            assert_eq!(outcome.counts.blocked, 0, "observers {order:?} {script:?}");
        }
    }
}

/// Every execution makes the first choice, and only some the second: what is known of the first in one execution must not be believed in the next,
/// where it comes after other steps.
#[test]
fn choices_of_one_execution_are_not_taken_for_those_of_another() {
    let writes = |x, v| Step {
        writes: vec![(x, v)],
        ..Step::default()
    };
    let reads = |x| Step {
        reads: vec![x],
        ..Step::default()
    };
    for order in 0..40 {
        let choice = Step {
            choices: 3,
            reads: vec![1],
            ..writes(0, 0)
        };
        let sometimes = Step {
            choices: 2,
            guard: Some((0, 0)),
            ..writes(2, 0)
        };
        let script = Script {
            processes: vec![vec![writes(1, 1)], vec![choice], vec![sometimes], vec![reads(1)]],
        };
        let (all, _) = explore(&script, "naive", Order::Fifo, false);
        for algorithm in ["optimal", "optimal+observers"] {
            let (seen, _) = explore(&script, algorithm, Order::Random(order), false);
            assert_eq!(seen.outcomes, all.outcomes, "{algorithm} {order}");
        }
    }
}
