//! Differential fuzzing: every algorithm and every way of merging against brute force on random programs.

use crate::compare::{Difference, check, order_name};
use crate::enumerate::{Budget, Exceeded, Truth, enumerate};
use crate::merging::{Merged, Reached, check_merged};
use crate::random::{Class, Numbers, generate, hard_programs, mutate};
use crate::shrink::shrink;
use mazurka_core::{Algorithm, Mutation, Options, Order, Program};
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
    /// The number of the first program: a run that was stopped goes on from there.
    pub first: u64,
    /// Which algorithms.
    pub algorithms: Vec<Algorithm>,
    /// Which ways of merging besides. Each takes one of the orders, another one from program to program.
    pub merging: Vec<Merged>,
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
    /// Most programs are small, so that there can be many: one in eight may be as large as usual.
    pub small: bool,
    /// Asked now and then whether to stop before the end.
    pub stop: Option<fn() -> bool>,
}

impl Default for FuzzOptions {
    fn default() -> Self {
        FuzzOptions {
            programs: 10_000,
            mutants: 0,
            seed: 1,
            first: 0,
            algorithms: Algorithm::all().collect(),
            merging: Vec::new(),
            orders: vec![OrderKind::Fifo, OrderKind::Random],
            classes: Class::ALL.to_vec(),
            dynamic: true,
            mutation: Mutation::None,
            max_findings: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from).min(8),
            small: false,
            stop: None,
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
        if Algorithm::parse(&difference.algorithm).is_err() {
            // A way of merging is not named by an algorithm alone.
            return Ok(());
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
    /// Every program before this number is done.
    pub next: u64,
}

/// Runs the comparison. `progress` is told how many programs are done.
pub fn fuzz(options: &FuzzOptions, mut progress: impl FnMut(u64)) -> FuzzReport {
    let total = options.programs + options.mutants;
    let shared = Shared {
        options,
        hard: hard_programs(),
        next: AtomicU64::new(options.first),
        stop: AtomicBool::new(false),
        report: Mutex::new(FuzzReport::default()),
    };
    std::thread::scope(|scope| {
        for _ in 1..options.threads.max(1) {
            scope.spawn(|| shared.work(total, &mut |_| {}));
        }
        shared.work(total, &mut progress);
    });
    let next = shared.next.load(Ordering::Relaxed).min(total);
    let mut report = shared.report.into_inner().unwrap_or_else(|e| e.into_inner());
    report.next = next;
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
        let stopped = || self.options.stop.is_some_and(|stop| stop());
        while !self.stop.load(Ordering::Relaxed) && !stopped() {
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
        let size = if options.small && !number.is_multiple_of(8) {
            &SMALL
        } else {
            &USUAL
        };
        let Some((machine, truths)) = prepare(&model, footprints, options, size) else {
            report.skipped += 1;
            return;
        };
        report.programs += 1;
        let order = |kind: &OrderKind| match kind {
            OrderKind::Fifo => Order::Fifo,
            OrderKind::Random => Order::Random(seed),
        };
        let runs = options.algorithms.iter().flat_map(|a| options.orders.iter().map(move |o| (a, o)));
        let mut trials: Vec<Trial> = runs.map(|(a, o)| Trial::Algorithm(*a, order(o))).collect();
        for (at, merged) in options.merging.iter().enumerate() {
            let turn = at + (number / 8) as usize;
            let Some(kind) = options.orders.get(turn % options.orders.len().max(1)) else {
                continue;
            };
            trials.push(Trial::Merged(*merged, order(kind)));
        }
        for trial in trials {
            report.comparisons += 1;
            if trial.run(&machine, &truths, options.mutation).is_err() {
                let difference = |m: &Model| {
                    let (machine, truths) = prepare(m, footprints, options, &USUAL)?;
                    trial.run(&machine, &truths, options.mutation).err()
                };
                report.findings.push(finding(number, origin, &model, footprints, difference));
            }
        }
    }
}

/// One search that is held against the truth.
#[derive(Clone, Copy)]
enum Trial {
    Algorithm(Algorithm, Order),
    Merged(Merged, Order),
}

impl Trial {
    fn run(self, machine: &Machine, truths: &Truths, mutation: Mutation) -> Result<(), Difference> {
        match self {
            Trial::Algorithm(algorithm, order) => {
                let options = Options {
                    order,
                    keep_going: true,
                    mutation,
                    ..Options::new(algorithm)
                };
                truths.traces.as_ref().map_or(Ok(()), |truth| check(machine, truth, &options))
            }
            Trial::Merged(merged, order) => {
                let Some(reached) = &truths.states else { return Ok(()) };
                check_merged(machine, reached, merged, order, mutation).map_err(|what| Difference {
                    algorithm: merged.to_string(),
                    order,
                    what,
                })
            }
        }
    }
}

/// Programs that are larger than this are left out.
struct Size {
    budget: Budget,
    interleavings: u128,
    states: usize,
}

const USUAL: Size = Size {
    budget: Budget {
        prefixes: 4_000,
        depth: 60,
    },
    interleavings: 20_000,
    states: 3_000,
};
const SMALL: Size = Size {
    budget: Budget { prefixes: 400, depth: 60 },
    interleavings: 500,
    states: 300,
};

/// What brute force found, of what was asked for.
struct Truths {
    traces: Option<Truth>,
    states: Option<Reached>,
}

/// The compiled program and what there is to find in it; `None` if it is too large.
///
/// # Panics
/// If its footprints are wrong: that would be an error in this project.
fn prepare(model: &Model, footprints: Footprints, options: &FuzzOptions, size: &Size) -> Option<(Machine, Truths)> {
    let machine = Machine::new(model.clone()).ok()?.with_footprints(footprints);
    let mut truths = Truths {
        traces: None,
        states: None,
    };
    // States first: they are fewer.
    if !options.merging.is_empty() && machine.features().terminating {
        truths.states = Some(Reached::from(&machine, size.states)?);
    }
    if !options.algorithms.is_empty() {
        let truth = match enumerate(&machine, size.budget, Machine::outcome) {
            Ok(truth) => truth,
            Err(Exceeded::Budget) => return None,
            Err(Exceeded::WrongFootprints(schedule)) => panic!("wrong footprints after {schedule:?} in\n{model}"),
        };
        if truth.interleavings > size.interleavings {
            return None;
        }
        truths.traces = Some(truth);
    }
    Some((machine, truths))
}

/// Shrinks a program that shows a difference.
fn finding(
    number: u64,
    origin: &'static str,
    model: &Model,
    footprints: Footprints,
    difference: impl Fn(&Model) -> Option<Difference>,
) -> Finding {
    let small = shrink(model, |m| difference(m).is_some());
    Finding {
        number,
        origin,
        difference: difference(&small).expect("shrinking keeps the difference"),
        program: small.to_string(),
        footprints,
    }
}
