//! Every algorithm finds what `naive` finds, on random scripts; `optimal` finds each trace once.

use crate::support::{Rng, explore, random_script};
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
