//! Programs as users write them: every algorithm, every way of merging and the machine itself against the reference and brute force; the seeds
//! are fixed, so a failure reproduces.

use mazurka_laboratory::litmus::{Litmus, SHAPES};
use mazurka_laboratory::{Campaign, Report, campaign};

fn run(campaign: Campaign) -> Report {
    let litmus = Litmus {
        users: 1,
        ..Litmus::default()
    };
    let campaign = Campaign {
        small: true,
        // The tests run side by side.
        threads: 1,
        ..campaign
    };
    let report = campaign::run(&litmus, &campaign, |_| {});
    assert!(report.findings.is_empty(), "{}", report.differences());
    report
}

#[test]
fn no_shape_is_missing() {
    let report = run(Campaign {
        programs: 3_000,
        algorithms: Vec::new(),
        seed: 31,
        ..Campaign::default()
    });
    assert_eq!(report.shapes.missing(SHAPES), [""; 0]);
}

#[test]
fn the_machine_does_what_the_reference_says() {
    let report = run(Campaign {
        programs: 20_000,
        algorithms: Vec::new(),
        seed: 32,
        ..Campaign::default()
    });
    assert!(report.programs >= 16_000, "too many programs were too large: {report:?}");
}

#[test]
fn every_algorithm_keeps_its_promises() {
    let report = run(Campaign {
        programs: 7_000,
        seed: 33,
        ..Campaign::default()
    });
    assert!(report.programs >= 5_000, "too many programs were too large: {report:?}");
}

#[test]
fn every_way_of_merging_keeps_its_promises() {
    let report = run(Campaign {
        programs: 1_500,
        algorithms: Vec::new(),
        merging: true,
        seed: 34,
        ..Campaign::default()
    });
    assert!(report.programs >= 1_200, "too many programs were too large: {report:?}");
}
