//! Merging against brute force.

use mazurka_core::Algorithm;
use mazurka_oracle::{FuzzOptions, fuzz};

#[test]
fn merging_without_seeing_values_misses_nothing() {
    let report = fuzz(
        &FuzzOptions {
            programs: 20_000,
            mutants: 20_000,
            seed: 11,
            algorithms: vec![Algorithm::parse("source+merge").unwrap()],
            max_findings: 3,
            ..FuzzOptions::default()
        },
        |_| {},
    );
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
