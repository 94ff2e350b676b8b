//! Merging against brute force and the plain algorithm: every equality, with few cones and little memory, on random programs and on
//! mutants of hard ones.
//! The seeds are fixed, so a failure reproduces.

use mazurka_core::Order;
use mazurka_laboratory::litmus::{Litmus, Merged, Reached, check_merged, check_plain};
use mazurka_laboratory::{Campaign, Report, campaign};
use mazurka_litmus::families::CORPUS;
use mazurka_litmus::{Footprints, Machine};

fn merging(programs: u64, mutants: u64, seed: u64) -> Campaign {
    Campaign {
        programs,
        mutants,
        seed,
        algorithms: Vec::new(),
        merging: true,
        // The tests run side by side.
        threads: 1,
        ..Campaign::default()
    }
}

fn run(campaign: &Campaign) -> Report {
    // Programs as users write them have a test of their own (`users.rs`).
    let litmus = Litmus {
        users: 0,
        ..Litmus::default()
    };
    campaign::run(&litmus, campaign, |_| {})
}

/// Each way of merging is compared on so many random programs, and on so many mutants, by two tests each.
const COMPARED: u64 = 14_000;

fn clean(programs: u64, mutants: u64, seed: u64) {
    let report = run(&merging(programs, mutants, seed));
    assert!(report.findings.is_empty(), "{}", report.differences());
    // Every eighth program has dynamic footprints, for which states must be equal.
    assert!(
        report.programs * 7 / 8 >= COMPARED / 2,
        "too many programs were too large: {report:?}"
    );
}

#[test]
fn no_way_of_merging_misses_anything_on_random_programs() {
    clean(8_200, 0, 21);
}

#[test]
fn no_way_of_merging_misses_anything_on_more_random_programs() {
    clean(8_200, 0, 23);
}

#[test]
fn no_way_of_merging_misses_anything_on_mutants_of_hard_programs() {
    clean(0, 8_200, 22);
}

#[test]
fn no_way_of_merging_misses_anything_on_more_mutants_of_hard_programs() {
    clean(0, 8_200, 24);
}

#[test]
fn every_counterexample_in_many_orders() {
    for example in CORPUS {
        for footprints in [Footprints::Static, Footprints::Dynamic] {
            let machine = Machine::parse(example.text).unwrap().with_footprints(footprints);
            let reached = Reached::from(&machine, 100_000).unwrap();
            let orders = std::iter::once(Order::Fifo).chain((0..20).map(Order::Random));
            for order in orders {
                for merged in Merged::ALL {
                    let checked = check_merged(&machine, &reached, merged, order);
                    if let Err(what) = checked.and_then(|()| check_plain(&machine, merged, order)) {
                        panic!("{} ({footprints:?} footprints, {order:?}, {merged}): {what}", example.name);
                    }
                }
            }
        }
    }
}

/// What becomes of cones under a step is remembered. Over `x=y`, a guard that reads `x` looks at `y`: steps that write other values to `y` are other
/// steps then. That was overlooked once, and `finals` and `outcomes` lost an ending in one of three orders.
#[test]
fn steps_that_write_what_is_copied_to_where_a_guard_reads_are_told_apart() {
    for text in CORPUS.iter().filter(|e| e.name.starts_with("merge-copies")).map(|e| e.text) {
        let machine = Machine::parse(text).unwrap();
        let reached = Reached::from(&machine, 1_000).unwrap();
        for order in std::iter::once(Order::Fifo).chain((0..50).map(Order::Random)) {
            for merged in Merged::ALL {
                let checked = check_merged(&machine, &reached, merged, order);
                assert_eq!(checked, Ok(()), "{text} ({order:?}, {merged})");
            }
        }
    }
}

/// Y0 loses two final states if the successors of a woken state inherit all that sleeps there now, in about one of 6,000 orders.
#[test]
fn a_woken_state_passes_on_only_what_slept_at_both_visits() {
    let text = CORPUS.iter().find(|e| e.name == "Y0").unwrap().text;
    let machine = Machine::parse(text).unwrap();
    let reached = Reached::from(&machine, 100_000).unwrap();
    for merged in Merged::ALL {
        assert_eq!(check_merged(&machine, &reached, merged, Order::Random(1367)), Ok(()), "{merged}");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_where_it_was() {
    let whole = run(&merging(200, 200, 9));
    let first = run(&merging(128, 0, 9));
    let rest = Campaign {
        first: first.next,
        ..merging(200, 200, 9)
    };
    let rest = run(&rest);
    assert_eq!((first.next, rest.next), (128, 400));
    assert_eq!(whole.programs, first.programs + rest.programs);
    assert_eq!(whole.comparisons, first.comparisons + rest.comparisons);
}
