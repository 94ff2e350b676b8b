//! Executions per second of `optimal` on actor programs: regsim(6) and Fib(7), which took the papers 36 s and 5.4 s.
//!
//! `cargo bench -p mazurka-laboratory --features benches --bench actors`

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use mazurka_actors::programs::find;
use mazurka_core::{Algorithm, Options, Status, Unobserved, search};

const PROGRAMS: [(&str, i64, u64); 3] = [("regsim", 6, 720), ("fibonacci", 7, 4096), ("pi", 6, 720)];

fn optimal(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("actors");
    for (name, n, executions) in PROGRAMS {
        let system = find(name).and_then(|p| p.system(&[("n", n)])).expect("a built-in program");
        let options = Options::new(Algorithm::parse("optimal").expect("a known algorithm"));
        group.throughput(Throughput::Elements(executions));
        group.bench_function(BenchmarkId::new(name, n), |bencher| {
            bencher.iter(|| {
                let mut search = search(&system, &options, Unobserved).expect("optimal fits");
                while search.advance(1 << 20) == Status::Running {}
                assert_eq!(search.outcome().counts.executions, executions);
            });
        });
    }
}

criterion_group!(benches, optimal);
criterion_main!(benches);
