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
    for i in 0..120 {
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

/// What is known of a choice in one execution must not be believed in the next, where it may come after other steps (`KnownChoices::forget`).
#[test]
fn choices_of_one_execution_are_not_taken_for_those_of_another() {
    let step = |reads: &[usize], writes: &[(usize, i64)]| Step {
        reads: reads.to_vec(),
        writes: writes.to_vec(),
        ..Step::default()
    };
    let guarded = |x, v, step| Step {
        guard: Some((x, v)),
        ..step
    };
    let chosen = |choices, step| Step { choices, ..step };
    let script = Script {
        processes: vec![
            vec![step(&[2, 2], &[(2, 2)]), step(&[], &[(2, 0), (0, 1)]), step(&[2, 0], &[(0, 0)])],
            vec![step(&[2, 2], &[]), guarded(1, 0, chosen(2, step(&[2, 0], &[(0, 1), (2, 0)])))],
            vec![guarded(2, 1, step(&[], &[(2, 1)]))],
            vec![step(&[1], &[(0, 2), (1, 2)]), chosen(3, step(&[0, 1], &[(1, 2), (1, 0)]))],
        ],
    };
    let (all, _) = explore(&script, "naive", Order::Fifo, false);
    for order in [406, 407, 408] {
        let (seen, _) = explore(&script, "optimal+observers", Order::Random(order), false);
        assert_eq!(seen.outcomes, all.outcomes, "{order}");
    }
}
