//! Execution graphs per second on the families of the literature: `cargo run --release -p mazurka-weak --example graphs`.

use mazurka_weak::{Answer, Counts, Ending, Fault, Graph, Limits, Location, Next, Order, Program, Search, Seen, model};
use std::time::Instant;

/// Threads that store and load, one after the other.
struct Threads(Vec<Vec<Access>>);

#[derive(Clone, Copy)]
enum Access {
    Load(u32),
    Store(u32, u64),
    Add(u32),
}

impl Program for Threads {
    /// How many accesses each thread has taken.
    type Run = Vec<usize>;

    fn start(&self) -> Vec<usize> {
        vec![0; self.0.len()]
    }

    fn threads(&self, run: &Vec<usize>) -> u32 {
        run.len() as u32
    }

    fn next(&self, run: &Vec<usize>, thread: u32) -> Next {
        match self.0[thread as usize].get(run[thread as usize]) {
            None => Next::Done,
            Some(Access::Load(x)) => Next::read(Location(*x), Order::Relaxed),
            Some(Access::Add(x)) => Next::update(Location(*x), Order::Relaxed, Order::Relaxed),
            Some(Access::Store(x, value)) => Next::Write {
                location: Location(*x),
                order: Order::Relaxed,
                value: *value,
            },
        }
    }

    fn answer(&self, run: &Vec<usize>, thread: u32, read: u64) -> Answer {
        match self.0[thread as usize][run[thread as usize]] {
            Access::Add(_) => Answer::Write(read + 1),
            _ => Answer::Read,
        }
    }

    fn take(&self, run: &mut Vec<usize>, thread: u32, _: Seen<'_>) {
        run[thread as usize] += 1;
    }

    fn initial(&self, _: &Vec<usize>, _: Location) -> u64 {
        0
    }

    fn fault(&self, _: &Vec<usize>) -> Option<Fault> {
        None
    }
}

fn counts(threads: &[Vec<Access>], name: &str) -> Option<Counts> {
    let mut search = Search::new(Threads(threads.to_vec()), model(name)?, Limits::default());
    search.run(&mut |_: &Graph, _: &Vec<usize>, _: &Ending| true);
    Some(search.counts())
}

fn main() {
    use Access::{Add, Load, Store};
    let ring = |n: u32| (0..n).map(|i| vec![Store(i, 1), Load((i + 1) % n)]).collect::<Vec<_>>();
    let writers = |n: u32| (0..n).map(|i| vec![Store(0, u64::from(i) + 1)]).collect::<Vec<_>>();
    let readers = |n: u32| {
        (0..=n)
            .map(|i| vec![if i == 0 { Store(0, 1) } else { Load(0) }])
            .collect::<Vec<_>>()
    };
    let adders = |n: u32| (0..n).map(|_| vec![Add(0)]).collect::<Vec<_>>();
    let twice = |n: u32| (0..n).map(|i| vec![Store(i, 1), Store((i + 1) % n, 2)]).collect::<Vec<_>>();
    let programs = [
        ("sb(10)", ring(10)),
        ("writers(8)", writers(8)),
        ("readers(14)", readers(14)),
        ("fetch_add(8)", adders(8)),
        ("2+2W(8)", twice(8)),
    ];
    println!("program       model    graphs   seconds   graphs/s");
    for (program, threads) in &programs {
        for name in ["sc", "tso", "rc11"] {
            let begun = Instant::now();
            let Some(counts) = counts(threads, name) else { continue };
            let seconds = begun.elapsed().as_secs_f64();
            println!(
                "{program:13} {name:5} {:9} {seconds:9.3} {:10.0}",
                counts.graphs,
                counts.graphs as f64 / seconds
            );
        }
    }
}
