//! Every algorithm, order and granularity against brute force on random actor programs and on mutants of hard ones; the seed is fixed, so a
//! failure reproduces.

use mazurka_oracle::actors::{ActorFuzz, fuzz_actors};

#[test]
fn no_algorithm_misses_or_repeats_anything_on_actors() {
    let fuzz = ActorFuzz {
        programs: 12_000,
        mutants: 12_000,
        seed: 3,
        max_findings: 5,
        ..ActorFuzz::default()
    };
    let report = fuzz_actors(&fuzz, |_| {});
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    assert_eq!(report.programs, 48_000, "every program at both granularities");
    assert!(report.comparisons > 1_200_000, "{report:?}");
}
