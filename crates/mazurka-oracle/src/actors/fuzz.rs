//! Every algorithm, order, granularity and delivery against brute force on random actor programs.

use super::generate::generate;
use super::mutate::{HARD, mutate};
use super::script::Script;
use super::shrink::shrink;
use crate::claims::Claims;
use crate::compare::{Difference, compare};
use crate::enumerate::{Budget, Exceeded, Truth, enumerate};
use crate::random::Numbers;
use crate::seen::explore;
use mazurka_actors::{Delivery, Dependency, System};
use mazurka_core::{Algorithm, Options, Order, Program};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What to fuzz.
#[derive(Clone, Debug)]
pub struct ActorFuzz {
    /// How many random programs; every other one has constraints.
    pub programs: u64,
    /// How many mutants of programs that are known to be hard besides.
    pub mutants: u64,
    /// Decides which programs; the same seed gives the same programs.
    pub seed: u64,
    /// Which algorithms. Those that do not fit a granularity or a delivery are left out there.
    pub algorithms: Vec<Algorithm>,
    /// In which orders.
    pub orders: Vec<Order>,
    /// Stop after so many differences.
    pub max_findings: usize,
    /// How many threads.
    pub threads: usize,
}

impl Default for ActorFuzz {
    fn default() -> Self {
        ActorFuzz {
            programs: 10_000,
            mutants: 0,
            seed: 1,
            algorithms: Algorithm::all().filter(|a| !a.is_stateful()).collect(),
            orders: vec![Order::Fifo, Order::Eca, Order::Lca, Order::Stable, Order::Random(1)],
            max_findings: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from).min(8),
        }
    }
}

/// An actor program on which an algorithm and brute force differ.
#[derive(Clone, Debug)]
pub struct ActorFinding {
    /// Which program of the run, from 0; mutants come after random programs.
    pub number: u64,
    /// What differs, on the shrunk program.
    pub difference: Difference,
    /// How finely steps on one actor were told apart.
    pub dependency: Dependency,
    /// How messages were delivered.
    pub delivery: Delivery,
    /// The shrunk program.
    pub program: Script,
}

impl fmt::Display for ActorFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "actor program {} ({}, {}): {}",
            self.number, self.dependency, self.delivery, self.difference
        )?;
        for line in self.program.to_string().lines() {
            writeln!(f, "    {line}")?;
        }
        Ok(())
    }
}

/// What a fuzzing run did and found.
#[derive(Clone, Debug, Default)]
pub struct ActorReport {
    /// Programs that were compared, per granularity and delivery.
    pub programs: u64,
    /// Programs that were too large for brute force and replaced by others.
    pub skipped: u64,
    /// Runs of algorithms.
    pub comparisons: u64,
    /// The differences, in the order of the programs.
    pub findings: Vec<ActorFinding>,
}

impl ActorReport {
    fn join(&mut self, other: ActorReport) {
        self.programs += other.programs;
        self.skipped += other.skipped;
        self.comparisons += other.comparisons;
        self.findings.extend(other.findings);
    }
}

/// Runs the comparison. `progress` is told how many programs are done.
pub fn fuzz_actors(fuzz: &ActorFuzz, mut progress: impl FnMut(u64)) -> ActorReport {
    const BATCH: u64 = 32;
    let total = fuzz.programs + fuzz.mutants;
    let hard: Vec<Script> = HARD
        .iter()
        .map(|text| Script::parse(text).expect("the hard programs are well-formed"))
        .collect();
    let (next, report) = (AtomicU64::new(0), Mutex::new(ActorReport::default()));
    let work = |progress: &mut dyn FnMut(u64)| {
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= total {
                return;
            }
            progress(first);
            let mut own = ActorReport::default();
            for number in first..(first + BATCH).min(total) {
                one(fuzz, &hard, number, &mut own);
            }
            let mut report = report.lock().unwrap_or_else(|e| e.into_inner());
            report.join(own);
            if report.findings.len() >= fuzz.max_findings {
                next.store(total, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..fuzz.threads.max(1) {
            scope.spawn(|| work(&mut |_| {}));
        }
        work(&mut progress);
    });
    let mut report = report.into_inner().unwrap_or_else(|e| e.into_inner());
    report.findings.sort_by_key(|f| f.number);
    report
}

/// One program: the first of its sequence that is small enough.
fn one(fuzz: &ActorFuzz, hard: &[Script], number: u64, report: &mut ActorReport) {
    let mut numbers = Numbers::nth(fuzz.seed, number);
    let script = loop {
        let script = if number < fuzz.programs {
            generate(&mut numbers, number % 2 == 1)
        } else {
            let hard = &hard[numbers.below(hard.len())];
            mutate(&mut numbers, hard)
        };
        match truth(&script.system().dependency(Dependency::Actor)) {
            Some(truth) if truth.interleavings > 1 => break script,
            _ => report.skipped += 1,
        }
    };
    let seed = numbers.next() % 1_000_000;
    let deliveries: &[Delivery] = match number % 16 {
        14 => &[Delivery::PairFifo],
        15 => &[Delivery::MailboxFifo],
        _ => &[Delivery::Unordered],
    };
    for &delivery in deliveries {
        for dependency in [Dependency::Actor, Dependency::Field] {
            report.programs += 1;
            let setting = Setting { dependency, delivery };
            let (system, truth) = setting.prepare(&script).expect("the finer dependency has no more traces");
            for &algorithm in &fuzz.algorithms {
                if Claims::of(algorithm.name()).is_none() || algorithm.fits(system.features()).is_err() {
                    continue;
                }
                for &order in &fuzz.orders {
                    let order = match order {
                        Order::Random(own) => Order::Random(own ^ seed),
                        other => other,
                    };
                    report.comparisons += 1;
                    if check(&system, &truth, algorithm, order).is_err() {
                        report.findings.push(finding(number, &script, setting, algorithm, order));
                    }
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Setting {
    dependency: Dependency,
    delivery: Delivery,
}

impl Setting {
    fn prepare(self, script: &Script) -> Option<(System, Truth)> {
        let system = script.system().dependency(self.dependency).deliver(self.delivery);
        let truth = truth(&system)?;
        Some((system, truth))
    }
}

/// What there is to find; `None` if the program is too large.
///
/// # Panics
/// If the footprints are wrong: that would be an error in this project.
fn truth(system: &System) -> Option<Truth> {
    const SMALL: Budget = Budget { prefixes: 600, depth: 12 };
    const MAX_INTERLEAVINGS: u128 = 150;
    match enumerate(system, SMALL, System::fingerprint) {
        Ok(truth) => (truth.interleavings <= MAX_INTERLEAVINGS).then_some(truth),
        Err(Exceeded::Budget) => None,
        Err(Exceeded::WrongFootprints(schedule)) => panic!("wrong footprints after {schedule:?}"),
    }
}

/// Runs an algorithm on a system of actors and compares.
///
/// # Errors
/// What differs.
pub fn check(system: &System, truth: &Truth, algorithm: Algorithm, order: Order) -> Result<(), Difference> {
    let name = algorithm.name();
    let Some(claims) = Claims::of(name) else { return Ok(()) };
    let options = Options {
        order,
        keep_going: true,
        ..Options::new(algorithm)
    };
    let differs = |what| Difference {
        algorithm: name.to_owned(),
        order,
        what,
    };
    match explore(system, &options, System::fingerprint) {
        Err(error) => Err(differs(error.to_string())),
        Ok((seen, _)) => compare(truth, &seen, claims).map_err(differs),
    }
}

fn finding(number: u64, script: &Script, setting: Setting, algorithm: Algorithm, order: Order) -> ActorFinding {
    let difference = |script: &Script| {
        let (system, truth) = setting.prepare(script)?;
        check(&system, &truth, algorithm, order).err()
    };
    let program = shrink(script, |s| difference(s).is_some());
    ActorFinding {
        number,
        difference: difference(&program).expect("shrinking keeps the difference"),
        dependency: setting.dependency,
        delivery: setting.delivery,
        program,
    }
}
