//! Every algorithm against the reference and brute force on random protocols with faults; the seed is fixed, so a failure reproduces.

use mazurka_laboratory::protocols::{Protocols, SHAPES};
use mazurka_laboratory::{Campaign, campaign};

const RANDOM: u64 = 6_000;

#[test]
fn no_algorithm_misses_or_repeats_anything_on_protocols_with_faults() {
    let fuzz = Campaign {
        programs: RANDOM,
        seed: 22,
        max_findings: 3,
        ..Campaign::default()
    };
    let report = campaign::run(&Protocols, &fuzz, |_| {});
    assert!(report.findings.is_empty(), "{}", report.differences());
    assert_eq!(report.programs, RANDOM);
    assert!(report.comparisons > 5 * RANDOM, "{report:?}");
    assert_eq!(report.shapes.missing(SHAPES), [""; 0], "every shape occurs");
}
