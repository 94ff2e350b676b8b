//! Context sensitivity on the programs of CAV'17.

use mazurka_core::{Algorithm, Counts, Ending, Fingerprint, Observer, Options, Order, Program, Status, Transition, Unobserved, search};
use mazurka_litmus::{Machine, Run, families};
use std::cell::RefCell;
use std::collections::BTreeSet;

fn counts(name: &str, values: &[i64], algorithm: &str) -> Counts {
    let machine = families::machine(name, values);
    let options = Options::new(Algorithm::parse(algorithm).unwrap())
        .keep_going(true)
        .deadlock_is_error(false);
    let mut search = search(&machine, &options, Unobserved).unwrap();
    while search.advance(1 << 20) == Status::Running {}
    search.outcome().counts
}

#[test]
fn table_1_of_the_paper_is_reproduced() {
    // N, executions and states of source; of the published algorithm, where a state that is met again counts as executed, then blocked.
    for (n, source, source_states, published, published_states) in [(3, 20, 69, 8, 52), (5, 252, 923, 32, 324), (7, 3432, 12869, 128, 1712)]
    {
        let plain = counts("prodcons", &[n, n], "source");
        assert_eq!((plain.executions, plain.states), (source, source_states), "source, N = {n}");
        // What the repair adds costs nothing here.
        for algorithm in ["source+context:states-as-published", "source+context:states"] {
            let counts = counts("prodcons", &[n, n], algorithm);
            assert_eq!(
                (counts.executions, counts.states + counts.skipped),
                (published, published_states),
                "{algorithm}, N = {n}"
            );
        }
    }
}

#[test]
fn the_repaired_algorithms_explore_what_they_should() {
    for (name, values, executions) in [
        ("pqr", &[][..], 3),
        ("issta-pqr", &[], 2),
        ("increment", &[3], 2),
        ("increment", &[4], 5),
        ("increment", &[5], 16),
        ("prodcons", &[3, 5], 10),
        ("prodcons", &[5, 5], 62),
        ("prodcons", &[7, 7], 408),
        ("readers", &[5], 32),
        ("lastzero", &[5], 64),
        ("floating", &[4], 120),
        ("FR-a", &[2], 2),
        ("FR-a", &[3], 6),
        ("FR-a", &[4], 24),
        ("LW", &[4], 24),
    ] {
        for algorithm in [
            "source+context",
            "source+context:anticipating",
            "source+context:anticipating-guided",
            "optimal+context",
        ] {
            assert_eq!(counts(name, values, algorithm).executions, executions, "{name} {values:?}");
        }
    }
}

#[test]
fn independence_by_states_explores_one_execution_for_increments() {
    for n in 3..6 {
        assert_eq!(counts("increment", &[n], "source+context:states").executions, 1, "{n}");
    }
}

#[test]
fn the_second_algorithm_of_issta19_explores_one_execution_where_all_asserts_hold() {
    for n in 3..6 {
        for family in ["FR-a", "LW-a"] {
            let counts = counts(family, &[n], "optimal+context+observers:as-published");
            assert_eq!(counts.executions, 1, "{family}({n})");
        }
    }
}

/// What is told apart in the end.
type View = fn(&Machine, &Run) -> Fingerprint;

/// Remembers the endings.
struct Endings<'m>(&'m Machine, View, &'m RefCell<BTreeSet<Fingerprint>>);

impl Observer<Run> for Endings<'_> {
    fn execution(&mut self, _: &[Transition], run: &Run, ending: Ending) {
        if matches!(ending, Ending::Finished | Ending::Deadlock) {
            self.2.borrow_mut().insert((self.1)(self.0, run));
        }
    }
}

fn endings(machine: &Machine, view: View, algorithm: &str, order: Order) -> usize {
    let found = RefCell::default();
    let options = Options::new(Algorithm::parse(algorithm).unwrap()).order(order).keep_going(true);
    {
        let mut search = search(machine, &options, Endings(machine, view, &found)).unwrap();
        while search.advance(1 << 20) == Status::Running {}
    }
    found.into_inner().len()
}

#[test]
fn the_published_algorithms_lose_endings() {
    for (name, published, repaired) in [
        (
            "C6",
            "source+context:anticipating-as-published",
            &["source+context:anticipating", "source+context:anticipating-guided"][..],
        ),
        (
            "C6b",
            "source+context:anticipating-as-published",
            &["source+context:anticipating", "source+context:anticipating-guided"],
        ),
        ("C7", "source+context:states-as-published", &["source+context:states"]),
        ("C9", "optimal+context:as-published", &["optimal+context"]),
        ("C10", "optimal+context:as-published", &["optimal+context"]),
        (
            "C11",
            "optimal+context+observers:as-published",
            &["optimal+context", "optimal+context+observers"],
        ),
    ] {
        let machine = families::machine(name, &[]);
        let view: View = if published.contains("observers") {
            Machine::outcome
        } else {
            Machine::fingerprint
        };
        let all = endings(&machine, view, "naive", Order::Fifo);
        let losing = |algorithm: &str| (0..200).any(|seed| endings(&machine, view, algorithm, Order::Random(seed)) < all);
        assert!(losing(published), "{published} on {name}");
        for repaired in repaired {
            assert!(!losing(repaired), "{repaired} on {name}");
        }
    }
}

#[test]
fn the_published_algorithm_loses_a_final_state_of_c4_and_c7() {
    for (text, algorithm, finals) in [
        ("p0:[x=1;l=z] p1:[x=1;y=1] p2:[y=2] p3:[z=1]", "source+context:as-published", 4),
        (
            "init x=1; p0:[z=x][z+=1] p1:[z=2] p2:[x=0]",
            "source+context:states-as-published",
            3,
        ),
    ] {
        let machine = Machine::parse(text).unwrap();
        let finals_of = |name: &str| {
            let options = Options::new(Algorithm::parse(name).unwrap()).final_states(true);
            let mut search = search(&machine, &options, Unobserved).unwrap();
            while search.advance(1 << 20) == Status::Running {}
            search.outcome().distinct_final_states.unwrap()
        };
        assert_eq!(finals_of("naive"), finals, "{text}");
        assert_eq!(finals_of("source+context"), finals, "{text}");
        assert_eq!(finals_of("source+context:guided"), finals, "{text}");
        assert_eq!(finals_of("optimal+context"), finals, "{text}");
        assert_eq!(finals_of(algorithm), finals - 1, "{text}");
    }
}

#[test]
fn equality_up_to_dead_variables_tells_fewer_states_apart() {
    for (name, values, executions) in [
        ("pqr", &[][..], 3),
        ("issta-pqr", &[], 1),
        ("floating", &[2], 5),
        ("floating", &[3], 17),
        ("floating", &[4], 73),
        ("FR-a", &[2], 1),
        ("FR-a", &[3], 5),
        ("FR-a", &[4], 20),
        ("LW", &[3], 6),
        ("LW-a", &[3], 3),
        ("LW-a", &[5], 60),
        ("prodcons", &[3, 5], 10),
        ("lastzero", &[5], 64),
    ] {
        assert_eq!(
            counts(name, values, "optimal+context+observers").executions,
            executions,
            "{name} {values:?}"
        );
    }
}

#[test]
fn what_follows_a_skipped_step_is_not_forgotten_on_c18() {
    // Four processes, straight-line. What follows a skipped step races with what came before the two orders that were compared:
    // who forgets it loses a final state in one of some hundred orders.
    let machine = families::machine("C18", &[]);
    let finals_of = |name: &str, order| {
        let options = Options::new(Algorithm::parse(name).unwrap()).order(order).final_states(true);
        let mut search = search(&machine, &options, Unobserved).unwrap();
        while search.advance(1 << 20) == Status::Running {}
        search.outcome().distinct_final_states.unwrap()
    };
    let all = finals_of("naive", Order::Fifo);
    for name in ["source+context", "source+context:guided", "optimal+context"] {
        let losing = (0..2000).filter(|seed| finals_of(name, Order::Random(*seed)) < all);
        assert_eq!(losing.count(), 0, "{name}");
    }
}
