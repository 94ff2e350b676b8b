//! The other programs under `benchmarks/abs`: numbers of classes, final states and failures, as their headers and the papers say.

use crate::run::common::{dependency, explore, model};
use mazurka_core::{Dependency, FailureKind, Outcome};

fn outcome(file: &str, n: Option<u32>, by: Dependency, algorithm: &str) -> Outcome {
    let path = format!("{}/../../benchmarks/abs/{file}.abs", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let options = dependency(by).parameters(n.iter().map(|n| ("n".to_owned(), n.to_string())).collect());
    explore(&model(&text, &options), algorithm)
}

/// Classes by actor and by field, and final states, of programs in which nothing fails.
#[test]
fn classes_and_final_states() {
    for (file, n, actor, field, finals) in [
        // FORTE'12
        ("registry", None, 6, 2, 2),
        ("quicksort", None, 32, 32, 1),
        ("pi-stop", Some(4), 24, 24, 1),
        ("pipesort", None, 288, 288, 64),
        ("chameneos", None, 216, 216, 9),
        ("leader", None, 492, 492, 54),
        ("shortpath4", None, 126, 126, 1),
        ("shortpath5", None, 296, 296, 1),
        ("regsim6", Some(4), 24, 24, 6),
        // CAV'17 and ISSTA'19
        ("pqr", None, 6, 6, 2),
        ("running-example", None, 6, 6, 2),
        ("producer-consumer", Some(3), 20, 20, 8),
        ("producer-consumer", Some(5), 252, 252, 32),
        ("floating-read", Some(3), 24, 24, 12),
        ("floating-read-assert", Some(3), 24, 24, 3),
        ("last-write", Some(4), 24, 24, 4),
        ("msort", None, 16, 16, 1),
        ("reg", Some(3), 48, 48, 1),
        ("absolute", Some(3), 24, 24, 2),
        ("factorial", None, 18, 8, 2),
    ] {
        for (by, classes) in [(Dependency::Actor, actor), (Dependency::Field, field)] {
            let outcome = outcome(file, n, by, "optimal");
            assert!(outcome.failures.is_empty(), "{file}: {:?}", outcome.failures);
            assert_eq!(outcome.counts.blocked, 0, "{file} by {by}");
            assert_eq!(outcome.counts.executions, classes, "{file} by {by}");
            assert_eq!(outcome.distinct_final_states, Some(finals), "{file} by {by}");
        }
    }
}

/// The models of the kind that users write.
#[test]
fn models_that_are_right() {
    for file in [
        "philosophers-ordered",
        "bounded-buffer",
        "readers-writers",
        "two-phase-commit",
        "leader-election",
        "lamport",
    ] {
        let outcome = outcome(file, None, Dependency::Field, "optimal");
        assert!(outcome.failures.is_empty(), "{file}: {:?}", outcome.failures);
        assert!(outcome.counts.executions > 1, "{file}");
    }
}

#[test]
fn models_that_are_wrong() {
    for (file, kind) in [
        ("philosophers", FailureKind::Deadlock),
        ("database-protocol", FailureKind::Deadlock),
        ("replicated-counter", FailureKind::Assertion),
    ] {
        let outcome = outcome(file, None, Dependency::Field, "optimal");
        assert!(
            outcome.failures.iter().all(|f| f.failure.kind == kind),
            "{file}: {:?}",
            outcome.failures
        );
        let failed = outcome.failure_counts[kind as usize];
        assert!(
            0 < failed && failed < outcome.counts.executions,
            "{file}: some executions fail, not all"
        );
    }
}

/// Writes that nobody reads need no order: n*2^(n-1)+1 for FR(n), n for LW(n) (ISSTA'19).
#[test]
fn observers_do_not_order_writes_that_nobody_reads() {
    for (file, n, classes) in [("floating-read", 3, 13), ("floating-read", 4, 33), ("last-write", 4, 4)] {
        let outcome = outcome(file, Some(n), Dependency::Field, "optimal+observers");
        assert_eq!(outcome.counts.executions, classes, "{file}({n})");
    }
}

/// With merging there is one execution for each final state (CAV'17, Table 1: 8, 32).
#[test]
fn merging_leaves_one_execution_for_each_final_state() {
    for (n, finals) in [(3, 8), (5, 32)] {
        let outcome = outcome("producer-consumer", Some(n), Dependency::Field, "source+merge");
        assert_eq!((outcome.counts.executions, outcome.distinct_final_states), (finals, Some(finals)));
    }
}
