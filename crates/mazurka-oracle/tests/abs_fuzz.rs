//! Random ABS models: every algorithm against the reference interpreter and brute force; the seed is fixed, so a failure reproduces.

use mazurka_oracle::abs::{Abs, SHAPES};
use mazurka_oracle::{Campaign, campaign};

#[test]
fn every_algorithm_agrees_with_the_reference_on_random_models() {
    let fuzz = Campaign {
        programs: 400,
        seed: 11,
        // The tests run side by side.
        threads: 1,
        ..Campaign::default()
    };
    let report = campaign::run(&Abs, &fuzz, |_| {});
    assert!(report.findings.is_empty(), "{}", report.differences());
    assert!(report.programs >= 380, "too many models were too large: {report:?}");
    assert_eq!(report.shapes.missing(SHAPES), [""; 0], "shapes that no model had");
}
