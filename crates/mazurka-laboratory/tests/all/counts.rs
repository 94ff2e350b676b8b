//! The engine explores as many executions as the formulas of the literature say, in whatever order it tries processes.

use mazurka_core::{Algorithm, Options, Order, Status, Unobserved, search};
use mazurka_laboratory::litmus::{Merged, Reached, check_merged};
use mazurka_laboratory::{Budget, enumerate};
use mazurka_litmus::{Machine, family};

const ORDERS: [Order; 4] = [Order::Fifo, Order::Random(1), Order::Random(2), Order::Random(3)];

fn explored(machine: &Machine, algorithm: &str, order: Order) -> (u128, u64) {
    let options = Options::new(Algorithm::parse(algorithm).unwrap()).order(order).keep_going(true);
    let mut search = search(machine, &options, Unobserved).unwrap_or_else(|e| panic!("{e}"));
    while search.advance(1_000_000) == Status::Running {}
    let counts = search.outcome().counts;
    (u128::from(counts.executions), counts.blocked)
}

/// Larger sizes than brute force could enumerate.
const SIZES: &[(&str, &[i64])] = &[
    ("readers", &[0, 1, 4, 9]),
    ("writers", &[1, 2, 4, 6]),
    ("lastwrite", &[1, 3, 5]),
    ("floating", &[1, 3, 5]),
    ("lastzero", &[1, 2, 5, 8]),
    ("incr", &[1, 2, 3]),
    ("incr2", &[1, 2]),
    ("increment", &[1, 3, 5]),
    ("sb", &[2, 4, 8]),
    ("sigma", &[1, 2, 4]),
    ("redundant-writes", &[1, 2, 3]),
    ("fib", &[1, 2, 3, 4]),
    ("popl14", &[0]),
    ("control-flow", &[1, 2, 3]),
    ("lock", &[1, 3, 5]),
    ("philosophers", &[2, 3, 6]),
    ("philosophers-ordered", &[2, 3, 6]),
    ("philo2", &[2, 3]),
    ("filesystem", &[13, 14, 16]),
    ("indexer", &[11, 12]),
    ("peterson", &[1]),
    ("dekker", &[1]),
    ("szymanski", &[1]),
    ("pqr", &[0]),
    ("issta-pqr", &[0]),
    ("prodcons", &[1, 3, 5]),
    ("FR", &[2, 3, 4]),
    ("FR-a", &[2, 3, 4]),
    ("LW", &[2, 3, 4]),
    ("LW-a", &[2, 3, 4]),
    ("abs", &[2, 3]),
    ("tasks-fib", &[4, 5]),
    ("tasks-msort", &[2, 5]),
    ("tasks-qsort", &[2, 5]),
    ("dbp", &[1, 3, 5]),
    ("tasks-pi", &[2, 4]),
    ("tasks-psort", &[2, 3]),
    ("tasks-reg1", &[2, 4]),
    ("tasks-reg2", &[2, 3]),
    ("spawn-tree", &[1, 2]),
];

/// Runs an algorithm on every family, in every order, and compares with a formula of the family.
fn counts_agree(algorithm: &str, unblocked: bool, observed: bool) {
    for (name, sizes) in SIZES {
        let family = family(name).unwrap();
        for n in *sizes {
            let settings = family.settings(&[*n]);
            let values = family.values(&settings).unwrap();
            let formula = if observed { family.observed } else { family.traces };
            let Some(expected) = formula.and_then(|f| f(&values)) else {
                continue;
            };
            for order in ORDERS {
                let machine = family.machine(&settings).unwrap();
                let (executions, blocked) = explored(&machine, algorithm, order);
                assert_eq!(executions, expected, "{algorithm} on {name}({n}), {order:?}");
                assert!(
                    !unblocked || blocked == 0,
                    "{algorithm} on {name}({n}), {order:?}: {blocked} blocked"
                );
            }
        }
    }
}

#[test]
fn source_completes_one_execution_for_each_trace() {
    counts_agree("source", false, false);
}

#[test]
fn optimal_explores_exactly_one_execution_for_each_trace() {
    counts_agree("optimal", true, false);
}

#[test]
fn observers_explore_as_many_executions_as_the_literature_says() {
    counts_agree("optimal+observers", true, true);
}

#[test]
fn the_same_search_twice_does_exactly_the_same() {
    for algorithm in ["naive", "dpor", "source", "optimal", "optimal+observers", "source+merge"] {
        for name in ["lastzero", "philosophers", "prodcons", "spawn-tree"] {
            let outcome = || {
                let machine = mazurka_litmus::families::machine(name, &[2]);
                let options = Options::new(Algorithm::parse(algorithm).unwrap())
                    .order(Order::Random(5))
                    .keep_going(true);
                let mut search = search(&machine, &options, Unobserved).unwrap();
                while search.advance(7) == Status::Running {}
                search.outcome()
            };
            assert_eq!(outcome(), outcome(), "{algorithm} on {name}");
        }
    }
}

/// The larger models of ISSTA'19 as natural programs: no formula is known, so brute force says what there is.
#[test]
fn natural_programs_have_as_many_traces_and_endings_as_brute_force_finds() {
    for (name, values) in [
        ("tasks-qsort", &[5][..]),
        ("dbp-get", &[1]),
        ("dbp-get", &[2]),
        ("mapreduce", &[2, 2]),
        ("mapreduce", &[3, 2]),
        ("sdn", &[1]),
        ("sdn", &[2]),
    ] {
        let machine = mazurka_litmus::families::machine(name, values);
        let truth = enumerate(&machine, Budget::default(), Machine::outcome).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        for algorithm in ["source", "optimal"] {
            for order in ORDERS {
                let (executions, _) = explored(&machine, algorithm, order);
                assert_eq!(executions, truth.traces.len() as u128, "{algorithm} on {name}{values:?}, {order:?}");
            }
        }
        let reached = Reached::from(&machine, 100_000).unwrap();
        for merged in Merged::ALL {
            if let Err(what) = check_merged(&machine, &reached, merged, Order::Fifo) {
                panic!("{merged} on {name}{values:?}: {what}");
            }
        }
    }
}

#[test]
fn one_worker_of_the_database_protocol_has_six_interleavings_two_of_them_deadlocks() {
    let machine = mazurka_litmus::families::machine("dbp-get", &[1]);
    let options = Options::new(Algorithm::parse("naive").unwrap()).keep_going(true);
    let mut search = search(&machine, &options, Unobserved).unwrap();
    while search.advance(1_000) == Status::Running {}
    let counts = search.outcome().counts;
    assert_eq!((counts.executions, counts.deadlocks), (6, 2));
}
