//! A long fuzzing run on demand: `cargo run --release -p mazurka-oracle --example campaign -- PROGRAMS MUTANTS SEED [ALGORITHM…]`.

use mazurka_core::Algorithm;
use mazurka_oracle::{FuzzOptions, fuzz};

fn main() {
    let mut words = std::env::args().skip(1);
    let mut number = |default: u64| words.next().and_then(|w| w.parse().ok()).unwrap_or(default);
    let (programs, mutants, seed) = (number(10_000), number(10_000), number(1));
    let named: Vec<Algorithm> = words.filter_map(|w| Algorithm::parse(&w).map_err(|e| eprintln!("{e}")).ok()).collect();
    let algorithms = if named.is_empty() { Algorithm::all().collect() } else { named };
    let report = fuzz(&FuzzOptions { programs, mutants, seed, algorithms, max_findings: 20, ..FuzzOptions::default() }, |_| {});
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
