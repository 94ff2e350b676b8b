//! What merging costs and saves: processor time of `source` and `source+merge`, and that of one node of each.
//!
//! `cargo bench -p mazurka-laboratory --features benches --bench merge` measures with criterion; `-- table` prints one table from a single run;
//! `-- once PROGRAM N ALGORITHM` runs one search, for a profiler. Only equal states are merged, so that nodes of one search are nodes of
//! the other, unless `finals` (the default of `source+merge`), `outcomes` or `failures` is one of the words.

use criterion::{BenchmarkId, Criterion};
use mazurka_core::{Algorithm, Counts, Observe, Options, Status, Unobserved, search};
use mazurka_litmus::{Machine, families};
use std::time::{Duration, Instant};

/// Both algorithms end soon on these.
const PROGRAMS: [(&str, &[i64]); 12] = [
    ("prodcons", &[9, 20]),
    ("tasks-fib", &[7]),
    ("tasks-msort", &[12]),
    ("tasks-pi", &[7]),
    ("tasks-psort", &[5]),
    ("tasks-reg2", &[5]),
    ("increment", &[8, 0]),
    ("FR", &[7]),
    ("LW", &[7]),
    ("readers", &[12]),
    ("lastzero", &[10]),
    ("writers", &[8]),
];

/// How long each measurement takes.
const ENOUGH: Duration = Duration::from_millis(400);

fn explore(machine: &Machine, algorithm: &str) -> Counts {
    let observe = std::env::args().find_map(|word| word.parse().ok());
    let options = Options::new(Algorithm::parse(algorithm).expect("a known algorithm"))
        .keep_going(true)
        .observe(observe.unwrap_or(Observe::States));
    let mut search = search(machine, &options, Unobserved).expect("the algorithm fits");
    while search.advance(1 << 20) == Status::Running {}
    search.outcome().counts
}

/// The time that this process had a processor for, where the system tells; otherwise the time that went by since `begun`.
fn processor_time(begun: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or(begun.elapsed(), Duration::from_nanos)
}

/// The mean of as many runs as take a while together: the system tells processor time in steps of milliseconds.
fn mean(machine: &Machine, algorithm: &str) -> (Counts, Duration) {
    let begun = Instant::now();
    let before = processor_time(begun);
    let mut runs = 0;
    loop {
        let counts = explore(machine, algorithm);
        runs += 1;
        let taken = processor_time(begun).saturating_sub(before);
        if taken >= ENOUGH {
            return (counts, taken / runs);
        }
    }
}

fn table() {
    println!(
        "{:<16}{:>10}{:>10}{:>9}{:>8}{:>10}{:>9}{:>9}{:>11}",
        "program", "source ms", "nodes", "ns/node", "", "merge ms", "nodes", "ns/node", "node ratio"
    );
    let mut ratios = Vec::new();
    for (name, values) in PROGRAMS {
        let machine = families::machine(name, values);
        let per_node = |(counts, time): (Counts, Duration)| time.as_secs_f64() * 1e9 / (counts.states + counts.cut) as f64;
        let (source, merge) = (mean(&machine, "source"), mean(&machine, "source+merge"));
        let ratio = per_node(merge) / per_node(source);
        ratios.push(ratio);
        println!(
            "{:<16}{:>10.2}{:>10}{:>9.0}{:>8}{:>10.3}{:>9}{:>9.0}{:>11.2}",
            format!("{name}({})", values[0]),
            source.1.as_secs_f64() * 1e3,
            source.0.states,
            per_node(source),
            format!("1/{:.0}", source.1.as_secs_f64() / merge.1.as_secs_f64()),
            merge.1.as_secs_f64() * 1e3,
            merge.0.states + merge.0.cut,
            per_node(merge),
            ratio
        );
    }
    println!(
        "a merged node costs {:.1} times a plain one on average",
        ratios.iter().sum::<f64>() / ratios.len() as f64
    );
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let Some(at) = words.iter().position(|w| w == "once") {
        let values = words[at + 2].split(',').map(|n| n.parse().expect("a number")).collect::<Vec<i64>>();
        println!("{:?}", explore(&families::machine(&words[at + 1], &values), &words[at + 3]));
        return;
    }
    if words.iter().any(|w| w == "table") {
        return table();
    }
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    for (name, values) in PROGRAMS {
        let machine = families::machine(name, values);
        let mut group = criterion.benchmark_group(format!("{name}({})", values[0]));
        for algorithm in ["source", "source+merge"] {
            group.bench_function(BenchmarkId::from_parameter(algorithm), |b| b.iter(|| explore(&machine, algorithm)));
        }
        group.finish();
    }
    criterion.final_summary();
}
