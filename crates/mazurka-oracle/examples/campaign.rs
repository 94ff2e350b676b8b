//! A long fuzzing run on demand: `cargo run --release -p mazurka-oracle --example campaign --
//! PROGRAMS MUTANTS SEED [ALGORITHM or CLASS…]`; without algorithms or classes, all of them.

use mazurka_core::Algorithm;
use mazurka_oracle::random::Class;
use mazurka_oracle::{FuzzOptions, fuzz};

fn main() {
    let mut words = std::env::args().skip(1);
    let mut number = |default: u64| words.next().and_then(|w| w.parse().ok()).unwrap_or(default);
    let (programs, mutants, seed) = (number(10_000), number(10_000), number(1));
    let (mut algorithms, mut classes) = (Vec::new(), Vec::new());
    for word in words {
        match (Class::ALL.iter().find(|c| c.name() == word), Algorithm::parse(&word)) {
            (Some(class), _) => classes.push(*class),
            (None, Ok(algorithm)) => algorithms.push(algorithm),
            (None, Err(error)) => eprintln!("{error}"),
        }
    }
    if algorithms.is_empty() {
        algorithms = Algorithm::all().collect();
    }
    if classes.is_empty() {
        classes = Class::ALL.to_vec();
    }
    let report = fuzz(
        &FuzzOptions {
            programs,
            mutants,
            seed,
            algorithms,
            classes,
            max_findings: 20,
            ..FuzzOptions::default()
        },
        |_| {},
    );
    for finding in &report.findings {
        println!("{finding}");
    }
    println!(
        "{} programs compared, {} too large, {} comparisons, {} differences",
        report.programs,
        report.skipped,
        report.comparisons,
        report.findings.len()
    );
}
