//! Brute force agrees with the closed formulas: the families are written as the literature means them, and the oracle counts right.

use mazurka_laboratory::{Budget, Truth, enumerate};
use mazurka_litmus::families::CORPUS;
use mazurka_litmus::{Machine, family};

fn truth(machine: &Machine) -> Truth {
    enumerate(machine, Budget::default(), Machine::outcome).unwrap_or_else(|e| panic!("{e:?}"))
}

/// Sizes at which the number of traces is small enough to enumerate all prefixes.
const SIZES: &[(&str, &[i64])] = &[
    ("readers", &[0, 1, 2, 5, 8]),
    ("writers", &[1, 2, 3, 5, 6]),
    ("lastwrite", &[1, 2, 3, 5]),
    ("floating", &[1, 2, 3, 5]),
    ("lastzero", &[1, 2, 3, 5, 7]),
    ("incr", &[1, 2, 3, 4]),
    ("incr2", &[1, 2, 3]),
    ("increment", &[1, 2, 3, 5]),
    ("sb", &[2, 3, 4, 6]),
    ("sigma", &[1, 2, 3, 4]),
    ("redundant-writes", &[1, 2, 3, 4]),
    ("fib", &[1, 2, 3, 4, 5]),
    ("popl14", &[0]),
    ("control-flow", &[1, 2, 3]),
    ("lock", &[1, 2, 3, 5]),
    ("philosophers", &[2, 3, 4, 5]),
    ("philosophers-ordered", &[2, 3, 4, 5]),
    ("philo2", &[2, 3]),
    ("filesystem", &[1, 2, 3]),
    ("indexer", &[1, 2]),
    ("peterson", &[1, 2]),
    ("dekker", &[1, 2]),
    ("szymanski", &[1]),
    ("pqr", &[0]),
    ("issta-pqr", &[0]),
    ("prodcons", &[1, 2, 3, 5]),
    ("FR", &[1, 2, 3, 5]),
    ("FR-a", &[1, 2, 3, 5]),
    ("LW", &[1, 2, 3, 5]),
    ("LW-a", &[1, 2, 3, 5]),
    ("abs", &[1, 2, 3]),
    ("tasks-fib", &[3, 4, 5]),
    ("tasks-msort", &[1, 2, 3, 5]),
    ("dbp", &[1, 2]),
    ("tasks-qsort", &[1, 2, 3, 5]),
    ("tasks-pi", &[1, 2, 3, 4]),
    ("tasks-psort", &[1, 2, 3]),
    ("tasks-reg1", &[1, 2, 3, 4]),
    ("tasks-reg2", &[1, 2, 3]),
    ("spawn-tree", &[0, 1, 2]),
];

#[test]
fn the_traces_of_every_family_are_as_many_as_its_formula_says() {
    for (name, sizes) in SIZES {
        let family = family(name).unwrap();
        for n in *sizes {
            let settings = family.settings(&[*n]);
            let values = family.values(&settings).unwrap();
            let expected = family
                .traces
                .and_then(|f| f(&values))
                .unwrap_or_else(|| panic!("no formula for {name}({n})"));
            let found = truth(&family.machine(&settings).unwrap()).traces.len() as u128;
            assert_eq!(found, expected, "{name}({n})");
        }
    }
}

#[test]
fn every_family_with_a_formula_is_counted() {
    for family in mazurka_litmus::families() {
        let counted = SIZES.iter().any(|(name, _)| *name == family.name);
        assert_eq!(counted, family.traces.is_some(), "{}", family.name);
    }
}

#[test]
fn one_of_the_philosophers_traces_is_a_deadlock() {
    for n in 2..6 {
        assert_eq!(truth(&mazurka_litmus::families::machine("philosophers", &[n])).deadlocked_traces, 1);
        assert_eq!(
            truth(&mazurka_litmus::families::machine("philosophers-ordered", &[n])).deadlocked_traces,
            0
        );
    }
    assert_eq!(truth(&mazurka_litmus::families::machine("philo2", &[2])).deadlocked_traces, 5);
    assert_eq!(truth(&mazurka_litmus::families::machine("philo2", &[3])).deadlocked_traces, 16);
}

#[test]
fn mutual_exclusion_holds() {
    for name in ["peterson", "dekker", "szymanski", "lamport"] {
        let truth = truth(&mazurka_litmus::families::machine(name, &[1]));
        assert!(truth.failures.is_empty(), "{name}: {:?}", truth.failures);
    }
}

#[test]
fn final_states_are_as_many_as_the_tables_say() {
    for (name, n, finals) in [
        ("pqr", 0, 2),
        ("issta-pqr", 0, 2),
        ("readers", 5, 32),
        ("lastzero", 3, 12),
        ("lastzero", 5, 64),
        ("increment", 5, 1),
        ("prodcons", 3, 8),
        ("prodcons", 5, 32),
        ("FR", 3, 12),
        ("FR", 5, 30),
        ("FR-a", 3, 3),
        ("FR-a", 5, 5),
        ("LW", 5, 5),
        ("LW-a", 5, 5),
        ("tasks-pi", 4, 1),
        ("tasks-reg2", 3, 1),
    ] {
        let machine = mazurka_litmus::families::machine(name, &[n]);
        assert_eq!(truth(&machine).finals.len(), finals, "{name}({n})");
    }
}

#[test]
fn what_there_is_to_find_in_the_corpus() {
    let lines: Vec<String> = CORPUS
        .iter()
        .map(|c| {
            let t = truth(&Machine::parse(c.text).unwrap_or_else(|e| panic!("{e}")));
            format!(
                "{:<16} interleavings {:>6}, traces {:>4}, finals {:>3}, outcomes {:>3}, deadlocks {}, failures {}",
                c.name,
                t.interleavings,
                t.traces.len(),
                t.finals.len(),
                t.outcomes.len(),
                t.deadlocks.len(),
                t.failures.len()
            )
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn declared_commuting_additions_are_one_trace() {
    let t = truth(&mazurka_litmus::families::machine("increment", &[6, 1]));
    assert_eq!((t.traces.len(), t.finals.len(), t.interleavings), (1, 1, 720));
}
