//! A fuzzing campaign: many random programs, several threads, one report. The same for every language; a language only says how its
//! program number `n` is made and compared.

use mazurka_core::Algorithm;
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// What to fuzz, and how long.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// How many random programs.
    pub programs: u64,
    /// How many mutants of programs that are known to be hard besides, where the language has such; their numbers come after those of
    /// the random programs.
    pub mutants: u64,
    /// Decides which programs; the same seed gives the same programs.
    pub seed: u64,
    /// The number of the first program: a run that was stopped goes on from there.
    pub first: u64,
    /// Which algorithms. Those that claim nothing, or do not fit a program, are left out.
    pub algorithms: Vec<Algorithm>,
    /// Every way of merging besides, where the language knows more than one.
    pub merging: bool,
    /// Searches within bounds on preemptions and delays besides.
    pub bounds: bool,
    /// `optimal` in random orders of branches and messages besides.
    pub any_order: bool,
    /// Most programs are small, so that there can be many.
    pub small: bool,
    /// Stop after so many differences.
    pub max_findings: usize,
    /// How many threads.
    pub threads: usize,
    /// Asked now and then whether to stop before the end.
    pub stop: Option<fn() -> bool>,
}

impl Default for Campaign {
    fn default() -> Self {
        Campaign {
            programs: 10_000,
            mutants: 0,
            seed: 1,
            first: 0,
            algorithms: Algorithm::all().collect(),
            merging: false,
            bounds: false,
            any_order: false,
            small: false,
            max_findings: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from).min(8),
            stop: None,
        }
    }
}

impl Campaign {
    /// All programs, mutants too.
    pub fn total(&self) -> u64 {
        self.programs.saturating_add(self.mutants)
    }
}

/// A language whose programs can be fuzzed.
pub trait Language: Sync {
    /// As the command line spells it.
    fn name(&self) -> &'static str;

    /// Every shape that its random programs can have. [`Report::shapes`] counts how many did.
    fn shapes(&self) -> &'static [&'static str];

    /// Makes program `number` of the campaign, compares, and adds to the report. What it does is a function of the campaign's seed and
    /// the number, whichever thread runs it (see [`crate::random::Numbers::nth`]).
    fn one(&self, campaign: &Campaign, number: u64, report: &mut Report);
}

/// A program on which two judges differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which program of the run.
    pub number: u64,
    /// Where it came from: a class of random programs, `mutant`.
    pub origin: String,
    /// What differs, on the shrunk program.
    pub what: String,
    /// The shrunk program.
    pub program: String,
    /// A test that shows it, where one can be written.
    pub test: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "program {} ({}): {}", self.number, self.origin, self.what)?;
        for line in self.program.lines() {
            writeln!(f, "    {line}")?;
        }
        match &self.test {
            Some(test) => writeln!(f, "as a test:\n\n{test}"),
            None => Ok(()),
        }
    }
}

/// How many programs had which shape. Shapes are detected on the finished program, not claimed by what wrote it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shapes(BTreeMap<&'static str, u64>);

impl Shapes {
    /// Counts one program with these shapes, each once.
    pub fn add(&mut self, shapes: impl IntoIterator<Item = &'static str>) {
        let mut own: Vec<&'static str> = shapes.into_iter().collect();
        own.sort_unstable();
        own.dedup();
        for shape in own {
            *self.0.entry(shape).or_default() += 1;
        }
    }

    /// How many programs had that shape.
    pub fn count(&self, shape: &str) -> u64 {
        self.0.get(shape).copied().unwrap_or(0)
    }

    /// Those that no program had.
    pub fn missing(&self, all: &[&'static str]) -> Vec<&'static str> {
        all.iter().copied().filter(|shape| self.count(shape) == 0).collect()
    }

    fn join(&mut self, other: Shapes) {
        for (shape, n) in other.0 {
            *self.0.entry(shape).or_default() += n;
        }
    }
}

/// What a campaign did and found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Programs that were compared.
    pub programs: u64,
    /// Programs that were too large for brute force and left out, or replaced by others.
    pub skipped: u64,
    /// Runs of algorithms that were compared.
    pub comparisons: u64,
    /// The differences, in the order of the programs.
    pub findings: Vec<Finding>,
    /// The shapes of the programs that were compared.
    pub shapes: Shapes,
    /// Every program before this number is done.
    pub next: u64,
}

impl Report {
    /// The findings as one text, for tests: empty if there is none.
    pub fn differences(&self) -> String {
        let findings: Vec<String> = self.findings.iter().map(ToString::to_string).collect();
        findings.join("\n")
    }

    fn join(&mut self, other: Report) {
        self.programs += other.programs;
        self.skipped += other.skipped;
        self.comparisons += other.comparisons;
        self.findings.extend(other.findings);
        self.shapes.join(other.shapes);
    }
}

/// Programs are handed out in batches of this size, so that all before the next one are done when a campaign is stopped.
const BATCH: u64 = 32;

/// Runs a campaign. `progress` is told how many programs are done.
pub fn run(language: &dyn Language, campaign: &Campaign, mut progress: impl FnMut(u64)) -> Report {
    let shared = Shared {
        language,
        campaign,
        next: AtomicU64::new(campaign.first),
        found: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        report: Mutex::new(Report::default()),
    };
    std::thread::scope(|scope| {
        for _ in 1..campaign.threads.max(1) {
            scope.spawn(|| shared.work(&mut |_| {}));
        }
        shared.work(&mut progress);
    });
    let next = shared.next.load(Ordering::Relaxed).min(campaign.total());
    let mut report = shared.report.into_inner().unwrap_or_else(|e| e.into_inner());
    report.next = next;
    report.findings.sort_by_key(|f| f.number);
    report
}

struct Shared<'c> {
    language: &'c dyn Language,
    campaign: &'c Campaign,
    next: AtomicU64,
    found: AtomicUsize,
    stop: AtomicBool,
    report: Mutex<Report>,
}

impl Shared<'_> {
    fn work(&self, progress: &mut dyn FnMut(u64)) {
        let (mut own, total) = (Report::default(), self.campaign.total());
        let stopped = || self.campaign.stop.is_some_and(|stop| stop());
        while !self.stop.load(Ordering::Relaxed) && !stopped() {
            let first = self.next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= total {
                break;
            }
            progress(first);
            let before = own.findings.len();
            for number in first..first.saturating_add(BATCH).min(total) {
                self.one(number, &mut own);
            }
            let new = own.findings.len() - before;
            if self.found.fetch_add(new, Ordering::Relaxed) + new >= self.campaign.max_findings {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        self.report.lock().unwrap_or_else(|e| e.into_inner()).join(own);
    }

    /// A panic is a finding like any other: the number says which program it was.
    fn one(&self, number: u64, report: &mut Report) {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.language.one(self.campaign, number, report)));
        if let Err(panic) = outcome {
            report.findings.push(Finding {
                number,
                origin: "panic".to_owned(),
                what: said(&*panic),
                program: String::new(),
                test: None,
            });
        }
    }
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it panicked".to_owned())
}
