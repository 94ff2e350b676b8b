//! Every algorithm, order and granularity against brute force on random actor programs; the seed is fixed, so a failure reproduces.

use mazurka_oracle::actors::{ActorFuzz, fuzz_actors};

#[test]
fn no_algorithm_misses_or_repeats_anything_on_actors() {
    let fuzz = ActorFuzz {
        programs: std::env::var("ACTOR_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1000),
        seed: 3,
        max_findings: 5,
        ..ActorFuzz::default()
    };
    let report = fuzz_actors(&fuzz, |_| {});
    let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    println!("{} {} {}", report.programs, report.skipped, report.comparisons);
}
