//! Every algorithm, order and granularity against brute force on random actor programs and on mutants of hard ones; the seed is fixed, so a
//! failure reproduces.

use mazurka_oracle::actors::Actors;
use mazurka_oracle::{Campaign, campaign};

#[test]
fn no_algorithm_misses_or_repeats_anything_on_actors() {
    let fuzz = Campaign {
        programs: 12_000,
        mutants: 12_000,
        seed: 3,
        max_findings: 5,
        ..Campaign::default()
    };
    let report = campaign::run(&Actors::default(), &fuzz, |_| {});
    assert!(report.findings.is_empty(), "{}", report.differences());
    assert_eq!(report.programs, 48_000, "every program at both granularities");
    assert!(report.comparisons > 1_200_000, "{report:?}");
}
