//! The table of FORTE'14 reproduces: for programs without futures `optimal` gives the executions of both halves, and the literal
//! algorithm the states.

use mazurka_actors::Dependency;
use mazurka_actors::programs::find;
use mazurka_laboratory::tables::{Mark, forte14};

#[test]
fn the_rows_without_futures_are_equal() {
    let table = forte14(Some(20_000));
    for row in &table.rows {
        let futures = ["DHT", "Mail"].iter().any(|p| row.labels[0].starts_with(p));
        for cell in &row.cells {
            assert!(
                matches!(cell.mark, Mark::Equal | Mark::Skipped) || futures,
                "{} {}",
                row.labels[0],
                cell.text()
            );
            assert!(cell.mark == Mark::Equal || cell.note.is_some(), "{} {}", row.labels[0], cell.text());
        }
    }
    assert_eq!(table.count(Mark::Equal), 63);
}

/// The bounded buffers are too large for the literal algorithm in a test.
#[test]
fn optimal_has_the_executions_of_the_bounded_buffers() {
    for (producers, dependency, executions) in [
        (1, Dependency::Actor, 155_520),
        (1, Dependency::Field, 4_320),
        (2, Dependency::Actor, 1_099_008),
        (2, Dependency::Field, 45_792),
    ] {
        let system = find("bb").unwrap().system(&[("producers", producers)]).unwrap();
        let checked = system.dependency(dependency).check().algorithm("optimal").run();
        assert_eq!(checked.executions(), executions, "{producers} {dependency}");
    }
}

/// Where tasks await futures the paper loses executions; these are the numbers of traces.
#[test]
fn all_traces_of_the_programs_with_futures() {
    for (name, set, actor, field) in [
        ("dht-a", &[][..], 2176, 18),
        ("dht-b", &[], 674, 18),
        ("mail", &[("mails", 2)], 9520, 560),
    ] {
        for (dependency, executions) in [(Dependency::Actor, actor), (Dependency::Field, field)] {
            let system = find(name).unwrap().system(set).unwrap();
            assert_eq!(
                system.dependency(dependency).check().algorithm("optimal").run().executions(),
                executions,
                "{name} {dependency}"
            );
        }
    }
}
