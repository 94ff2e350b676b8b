//! What a search found: the verdict, the counts, the failures with their schedules.

use crate::bound::Bounded;
use crate::describe::Position;
use crate::program::Transition;
use crate::sample::Sampled;
use crate::search::Observe;

/// The kind of a failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FailureKind {
    /// An assertion or property did not hold.
    Assertion,
    /// Nothing is enabled, and some process is still waiting.
    Deadlock,
    /// An exception was not caught.
    Exception,
    /// User code panicked.
    Panic,
    /// The program behaved differently when the same schedule was run again.
    Nondeterminism,
    /// No execution ends (`--livelock`).
    Livelock,
    /// Two accesses to plain data, one of which writes, that nothing orders.
    DataRace,
    /// Something was not given back in the end.
    Leak,
    /// What is asked of executions without end does not hold.
    Property,
    /// Not a failure of the program: a step is larger than this tool takes. It ends the search, which is incomplete then.
    Limit,
}

impl FailureKind {
    /// Every kind of failure, in the order of reports.
    pub const ALL: [FailureKind; 9] = [
        Self::Assertion,
        Self::Deadlock,
        Self::Exception,
        Self::Panic,
        Self::Nondeterminism,
        Self::Livelock,
        Self::DataRace,
        Self::Leak,
        Self::Property,
    ];

    /// The word used in every output.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion",
            FailureKind::Deadlock => "deadlock",
            FailureKind::Exception => "exception",
            FailureKind::Panic => "panic",
            FailureKind::Nondeterminism => "nondeterminism",
            FailureKind::Livelock => "livelock",
            FailureKind::DataRace => "data race",
            FailureKind::Leak => "leak",
            FailureKind::Property => "violated property",
            FailureKind::Limit => "limit",
        }
    }
}

/// A failure of the program under test.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Failure {
    /// What kind.
    pub kind: FailureKind,
    /// One sentence with the values that matter.
    pub message: String,
    /// Where in the source.
    pub at: Option<Position>,
}

/// A failure with the schedule that leads to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundFailure {
    /// What failed.
    pub failure: Failure,
    /// The transitions from the start up to and including the failing one.
    pub schedule: Vec<Transition>,
    /// For an execution that never ends: how many transitions come before those that repeat for ever. As many as there are if its last
    /// state stays for ever.
    pub repeats: Option<usize>,
    /// How many executions had been completed when it was found.
    pub after_executions: u64,
}

/// The limit that ended a search early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// `--max-executions`.
    Executions,
    /// `--max-depth`: at least one execution was cut at this depth.
    Depth,
    /// `--timeout`.
    Time,
    /// `--memory`.
    Memory,
    /// Ctrl-C.
    Interrupt,
    /// A step was larger than this tool takes.
    Step,
    /// `--budget`: as many random executions were run as were asked for.
    Budget,
    /// `--preemptions`: every execution with so many is covered, and there are others.
    Preemptions,
    /// `--delays`: every execution with so many is covered, and there are others.
    Delays,
}

impl Limit {
    /// The word used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Executions => "max-executions",
            Limit::Depth => "max-depth",
            Limit::Time => "timeout",
            Limit::Memory => "memory",
            Limit::Interrupt => "interrupt",
            Limit::Step => "step",
            Limit::Budget => "budget",
            Limit::Preemptions => "preemptions",
            Limit::Delays => "delays",
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every interleaving is covered and nothing failed.
    Complete,
    /// A failure was found.
    Violation,
    /// A limit was reached before the end, and nothing failed so far.
    Incomplete,
}

impl Verdict {
    /// The word used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Complete => "complete",
            Verdict::Violation => "violation",
            Verdict::Incomplete => "incomplete",
        }
    }
}

/// What the search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Executions that ran to their end, deadlocked ones included.
    pub executions: u64,
    /// Executions abandoned because everything enabled slept.
    pub blocked: u64,
    /// Executions abandoned because their state had been reached before.
    pub cut: u64,
    /// Steps not taken because the state they lead to had been reached before.
    pub skipped: u64,
    /// How often a process was taken to touch anything in its future, because the program does not know better (see
    /// [`Futures`](crate::Futures)).
    pub unknown_futures: u64,
    /// Steps run by the search along its tree.
    pub steps: u64,
    /// Steps run in addition, to rebuild a state or to test a reversal.
    pub extra_steps: u64,
    /// Nodes of the search tree.
    pub states: u64,
    /// The longest execution.
    pub max_depth: u64,
    /// Executions that ended in a deadlock.
    pub deadlocks: u64,
}

impl Counts {
    /// Adds what another worker did.
    pub(crate) fn add(&mut self, other: &Counts) {
        self.executions += other.executions;
        self.blocked += other.blocked;
        self.cut += other.cut;
        self.skipped += other.skipped;
        self.unknown_futures += other.unknown_futures;
        self.steps += other.steps;
        self.extra_steps += other.extra_steps;
        self.states += other.states;
        self.max_depth = self.max_depth.max(other.max_depth);
        self.deadlocks += other.deadlocks;
    }
}

/// What a merging search did with its states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Merged {
    /// Which states counted as equal.
    pub observe: Observe,
    /// Whether tasks that differ only in their names counted as equal.
    pub tasks_exchanged: bool,
    /// How often a state was looked up.
    pub lookups: u64,
    /// How often it was found.
    pub hits: u64,
    /// The most states stored at one time.
    pub most_stored: u64,
    /// Roughly the most bytes taken at one time by stored states and what is known of their futures.
    pub most_bytes: u64,
    /// States evicted to stay within the memory limit; some may have been explored again.
    pub evicted: u64,
    /// The store was dropped because almost nothing was found in it.
    pub store_dropped: bool,
}

impl Merged {
    /// One sentence for the verdict: which states were merged, and what that preserves.
    pub fn preserves(&self) -> String {
        let names = if self.tasks_exchanged { " (up to the names of tasks)" } else { "" };
        format!("{}{names}", self.observe.preserves())
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// How it ended.
    pub verdict: Verdict,
    /// The limit that was reached, if one was.
    pub limit: Option<Limit>,
    /// The step that was larger than this tool takes, for [`Limit::Step`].
    pub large_step: Option<Failure>,
    /// What it did.
    pub counts: Counts,
    /// Whether the first failure ended it: there may be others.
    pub ended_by_failure: bool,
    /// The failures, the first of each distinct (kind, message, position) with its schedule.
    pub failures: Vec<FoundFailure>,
    /// How many executions failed, per kind in the order of [`FailureKind::ALL`].
    pub failure_counts: [u64; FailureKind::ALL.len()],
    /// The number of distinct final states, if requested.
    pub distinct_final_states: Option<u64>,
    /// What was merged, if the search merges states.
    pub merged: Option<Merged>,
    /// What a sample has seen, if random executions were run instead of a search.
    pub sampled: Option<Sampled>,
    /// What a bounded search covered.
    pub bounded: Option<Bounded>,
    /// False for algorithms, kept as published, that are known to miss executions.
    pub sound: bool,
}

impl Outcome {
    /// An outcome of a sound search of which nothing else is known yet.
    #[must_use]
    pub fn new(verdict: Verdict) -> Self {
        Outcome {
            verdict,
            limit: None,
            large_step: None,
            counts: Counts::default(),
            ended_by_failure: false,
            failures: Vec::new(),
            failure_counts: [0; FailureKind::ALL.len()],
            distinct_final_states: None,
            merged: None,
            sampled: None,
            bounded: None,
            sound: true,
        }
    }

    /// Whether everything is covered and no execution ends: the program goes on for ever, whatever happens, and whatever fails on the way.
    pub fn never_ends(&self) -> bool {
        let covered = self.verdict != Verdict::Incomplete && self.limit.is_none() && !self.ended_by_failure;
        covered && self.sound && self.counts.executions == 0 && self.counts.blocked == 0
    }

    /// Takes it for a failure that the program goes on for ever, as `schedule` does.
    pub fn fail_as_endless(&mut self, failure: Failure, schedule: Vec<Transition>) {
        self.verdict = Verdict::Violation;
        self.failure_counts[failure.kind as usize] += 1;
        self.failures.push(FoundFailure {
            failure,
            schedule,
            repeats: None,
            after_executions: 0,
        });
    }
}
