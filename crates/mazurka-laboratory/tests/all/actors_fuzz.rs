//! Every algorithm, order and granularity against the reference and brute force on random actor programs and on mutants of hard ones; the
//! seed is fixed, so a failure reproduces.

use mazurka_laboratory::actors::{Actors, SHAPES};
use mazurka_laboratory::{Campaign, campaign};

const RANDOM: u64 = 6_000;
const MUTANTS: u64 = 6_000;

#[test]
fn no_algorithm_misses_or_repeats_anything_on_actors() {
    let fuzz = Campaign {
        programs: RANDOM,
        mutants: MUTANTS,
        seed: 3,
        max_findings: 5,
        ..Campaign::default()
    };
    let report = campaign::run(&Actors::default(), &fuzz, |_| {});
    assert!(report.findings.is_empty(), "{}", report.differences());
    assert_eq!(report.programs, RANDOM + MUTANTS);
    assert!(report.comparisons > 50 * (RANDOM + MUTANTS), "{report:?}");
    assert_eq!(report.shapes.missing(SHAPES), [""; 0], "every shape occurs");
    for delivery in ["unordered delivery", "pair FIFO delivery", "mailbox FIFO delivery"] {
        assert_eq!(report.shapes.count(delivery), (RANDOM + MUTANTS) / 3, "{delivery}");
    }
}
