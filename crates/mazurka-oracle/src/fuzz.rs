//! Differential fuzzing: every algorithm against brute force on random programs.

use crate::compare::{Difference, check, order_name};
use crate::enumerate::{Budget, Exceeded, Truth, enumerate};
use crate::random::{Class, Numbers, generate, hard_programs, mutate};
use crate::shrink::shrink;
use mazurka_core::{Algorithm, Mutation, Options, Order};
use mazurka_litmus::{Footprints, Machine, Model};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// In which order an algorithm tries processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderKind {
    /// Oldest first.
    Fifo,
    /// A random order, another one for each program.
    Random,
}

/// What to fuzz.
#[derive(Clone, Debug)]
pub struct FuzzOptions {
    /// How many random programs.
    pub programs: u64,
    /// How many mutants of known hard programs besides.
    pub mutants: u64,
    /// Decides which programs; the same seed gives the same programs.
    pub seed: u64,
    /// Which algorithms.
    pub algorithms: Vec<Algorithm>,
    /// In which orders each of them runs.
    pub orders: Vec<OrderKind>,
    /// Which kinds of programs.
    pub classes: Vec<Class>,
    /// Whether to use dynamic footprints for every other program (for those algorithms that can).
    pub dynamic: bool,
    /// A deliberate error in the algorithms, to see that it would be noticed.
    pub mutation: Mutation,
    /// Stop after so many differences.
    pub max_findings: usize,
    /// How many threads.
    pub threads: usize,
}

impl Default for FuzzOptions {
    fn default() -> Self {
        FuzzOptions {
            programs: 10_000,
            mutants: 0,
            seed: 1,
            algorithms: Algorithm::all().collect(),
            orders: vec![OrderKind::Fifo, OrderKind::Random],
            classes: Class::ALL.to_vec(),
            dynamic: true,
            mutation: Mutation::None,
            max_findings: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from).min(8),
        }
    }
}

/// A program on which an algorithm and brute force differ.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Which program of the run, from 0; mutants come after random programs.
    pub number: u64,
    /// Where it came from: a class, or `mutant`.
    pub origin: &'static str,
    /// What differs, on the shrunk program.
    pub difference: Difference,
    /// The shrunk program in the notation of [`mazurka_litmus::text`].
    pub program: String,
    /// Which footprints were used.
    pub footprints: Footprints,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding {
            number,
            origin,
            difference,
            program,
            ..
        } = self;
        writeln!(f, "program {number} ({origin}): {difference}")?;
        for line in program.lines() {
            writeln!(f, "    {line}")?;
        }
        writeln!(f, "as a test:\n")?;
        writeln!(f, "#[test]\nfn fuzz_{number}() {{")?;
        let order = match difference.order {
            Order::Random(seed) => format!("Order::Random({seed})"),
            other => format!("Order::{other:?}"),
        };
        writeln!(f, "    // {}: {}", order_name(difference.order), difference.what)?;
        let one_line = program.trim().replace('\n', " ");
        writeln!(
            f,
            "    mazurka_oracle::check_text(\"{}\", {order}, \"{}\");\n}}",
            difference.algorithm,
            one_line.escape_debug()
        )
    }
}

/// What a fuzzing run did and found.
#[derive(Clone, Debug, Default)]
pub struct FuzzReport {
    /// Programs that were compared.
    pub programs: u64,
    /// Programs that were too large for brute force and left out.
    pub skipped: u64,
    /// Runs of algorithms.
    pub comparisons: u64,
    /// The differences, in the order of the programs.
    pub findings: Vec<Finding>,
}

/// Runs the comparison. `progress` is told how many programs are done.
pub fn fuzz(options: &FuzzOptions, mut progress: impl FnMut(u64)) -> FuzzReport {
    let total = options.programs + options.mutants;
    let shared = Shared {
        options,
        hard: hard_programs(),
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        report: Mutex::new(FuzzReport::default()),
    };
    std::thread::scope(|scope| {
        for _ in 1..options.threads.max(1) {
            scope.spawn(|| shared.work(total, &mut |_| {}));
        }
        shared.work(total, &mut progress);
    });
    let mut report = shared.report.into_inner().unwrap_or_else(|e| e.into_inner());
    report.findings.sort_by_key(|f| f.number);
    report
}

/// Programs are handed out in batches of this size.
const BATCH: u64 = 64;

struct Shared<'o> {
    options: &'o FuzzOptions,
    hard: Vec<Model>,
    next: AtomicU64,
    stop: AtomicBool,
    report: Mutex<FuzzReport>,
}

impl Shared<'_> {
    fn work(&self, total: u64, progress: &mut dyn FnMut(u64)) {
        let mut own = FuzzReport::default();
        while !self.stop.load(Ordering::Relaxed) {
            let first = self.next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= total {
                break;
            }
            progress(first);
            for number in first..(first + BATCH).min(total) {
                self.one(number, &mut own);
            }
            if own.findings.len() >= self.options.max_findings {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        let mut report = self.report.lock().unwrap_or_else(|e| e.into_inner());
        report.programs += own.programs;
        report.skipped += own.skipped;
        report.comparisons += own.comparisons;
        report.findings.extend(own.findings);
    }

    fn one(&self, number: u64, report: &mut FuzzReport) {
        let options = self.options;
        let mut numbers = Numbers::nth(options.seed, number);
        let (model, origin) = if number < options.programs && !options.classes.is_empty() {
            let class = options.classes[(number % options.classes.len() as u64) as usize];
            (generate(&mut numbers, class), class.name())
        } else {
            let hard = &self.hard[numbers.below(self.hard.len())];
            (mutate(&mut numbers, hard), "mutant")
        };
        let footprints = if options.dynamic && number % 8 == 7 {
            Footprints::Dynamic
        } else {
            Footprints::Static
        };
        let seed = numbers.next() % 1_000_000;
        let Some((machine, truth)) = prepare(&model, footprints) else {
            report.skipped += 1;
            return;
        };
        report.programs += 1;
        for &algorithm in &options.algorithms {
            for order in &options.orders {
                let order = match order {
                    OrderKind::Fifo => Order::Fifo,
                    OrderKind::Random => Order::Random(seed),
                };
                let run = Options {
                    order,
                    keep_going: true,
                    mutation: options.mutation,
                    ..Options::new(algorithm)
                };
                report.comparisons += 1;
                if check(&machine, &truth, &run).is_err() {
                    report.findings.push(finding(number, origin, &model, footprints, &run));
                }
            }
        }
    }
}

/// Programs with more prefixes of traces than this are left out.
const SMALL: Budget = Budget {
    prefixes: 4_000,
    depth: 60,
};
/// Programs with more interleavings than this are left out.
const MAX_INTERLEAVINGS: u128 = 20_000;

/// The compiled program and what there is to find in it; `None` if it is too large.
///
/// # Panics
/// If its footprints are wrong: that would be an error in this project.
fn prepare(model: &Model, footprints: Footprints) -> Option<(Machine, Truth)> {
    let machine = Machine::new(model.clone()).ok()?.with_footprints(footprints);
    match enumerate(&machine, SMALL, Machine::outcome) {
        Ok(truth) => (truth.interleavings <= MAX_INTERLEAVINGS).then_some((machine, truth)),
        Err(Exceeded::Budget) => None,
        Err(Exceeded::WrongFootprints(schedule)) => panic!("wrong footprints after {schedule:?} in\n{model}"),
    }
}

/// Shrinks a program that shows a difference.
fn finding(number: u64, origin: &'static str, model: &Model, footprints: Footprints, options: &Options) -> Finding {
    let difference = |m: &Model| {
        let (machine, truth) = prepare(m, footprints)?;
        check(&machine, &truth, options).err()
    };
    let small = shrink(model, |m| difference(m).is_some());
    Finding {
        number,
        origin,
        difference: difference(&small).expect("shrinking keeps the difference"),
        program: small.to_string(),
        footprints,
    }
}
