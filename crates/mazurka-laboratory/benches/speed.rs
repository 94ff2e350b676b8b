//! Executions per second of `source` and `optimal`, and the floor: the same new steps with all bookkeeping off.
//!
//! `cargo bench -p mazurka-laboratory --features benches --bench speed` measures everything; `-- table` prints one table of executions per second,
//! R1 (time to explore / time of the floor) and R2 (steps run / steps in the tree) from a single run.

use criterion::{BenchmarkId, Criterion, Throughput};
use mazurka_core::{Algorithm, Options, Status, Unobserved, search};
use mazurka_laboratory::floor::Tape;
use mazurka_litmus::{Machine, families};
use std::time::Instant;

const PROGRAMS: [(&str, i64); 7] = [
    ("writers", 8),
    ("readers", 14),
    ("lastzero", 12),
    ("floating", 7),
    ("fib", 5),
    ("indexer", 15),
    ("philosophers", 8),
];

fn explore(machine: &Machine, algorithm: &str) -> mazurka_core::Counts {
    let options = Options::new(Algorithm::parse(algorithm).expect("a known algorithm")).keep_going(true);
    let mut search = search(machine, &options, Unobserved).expect("the algorithm fits");
    while search.advance(1 << 20) == Status::Running {}
    search.outcome().counts
}

fn table() {
    println!(
        "{:<16}{:<10}{:>12}{:>14}{:>8}{:>8}{:>9}",
        "program", "algorithm", "executions", "executions/s", "R1", "R2", "blocked"
    );
    for (name, n) in PROGRAMS {
        let machine = families::machine(name, &[n]);
        for algorithm in ["source", "optimal"] {
            explore(&machine, algorithm);
            let begun = Instant::now();
            let counts = explore(&machine, algorithm);
            let time = begun.elapsed();
            let tape = Tape::record(&machine, algorithm).expect("the algorithm fits");
            tape.play(&machine);
            let begun = Instant::now();
            tape.play(&machine);
            let floor = begun.elapsed();
            println!(
                "{:<16}{:<10}{:>12}{:>14.0}{:>8.1}{:>8.2}{:>9}",
                format!("{name}({n})"),
                algorithm,
                counts.executions,
                counts.executions as f64 / time.as_secs_f64(),
                time.as_secs_f64() / floor.as_secs_f64(),
                (counts.steps + counts.extra_steps) as f64 / tape.len() as f64,
                counts.blocked
            );
        }
    }
}

fn main() {
    if std::env::args().any(|a| a == "table") {
        return table();
    }
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    for (name, n) in PROGRAMS {
        let machine = families::machine(name, &[n]);
        let mut group = criterion.benchmark_group(format!("{name}({n})"));
        for algorithm in ["source", "optimal"] {
            group.throughput(Throughput::Elements(explore(&machine, algorithm).executions));
            group.bench_function(BenchmarkId::from_parameter(algorithm), |b| b.iter(|| explore(&machine, algorithm)));
            let tape = Tape::record(&machine, algorithm).expect("the algorithm fits");
            group.bench_function(BenchmarkId::new("floor", algorithm), |b| b.iter(|| tape.play(&machine)));
        }
        group.finish();
    }
    criterion.final_summary();
}
