//! Every algorithm against brute force on random programs and on mutants of hard ones; the seed is fixed, so a failure reproduces.

use mazurka_core::Algorithm;
use mazurka_oracle::{FuzzOptions, fuzz};

fn clean(options: &FuzzOptions) {
    let report = fuzz(options, |_| {});
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    assert!(
        report.programs * 10 >= (options.programs + options.mutants) * 9,
        "nearly all programs are small enough: {report:?}"
    );
}

#[test]
fn no_algorithm_misses_or_repeats_anything() {
    clean(&FuzzOptions {
        programs: 20_000,
        mutants: 10_000,
        seed: 7,
        algorithms: Algorithm::all().collect(),
        ..FuzzOptions::default()
    });
}
