//! `system.check().assert_ok()`: a test of a few lines.

use crate::counterexample::{self, first_difference};
use crate::system::System;
use mazurka_core::schedule::{Budget, Planned, minimise, replay};
use mazurka_core::{Algorithm, Failure, FailureKind, FoundFailure, Limit, Options, Order, Outcome, Status, Unobserved, Verdict, search};

/// The longest execution that is followed unless the test says otherwise.
const MAX_DEPTH: u64 = 10_000;

/// A search of a system, about to run. By default it is `optimal`: one execution per trace, the first failure ends it.
#[must_use = "a check does nothing until `run` or `assert_ok`"]
pub struct Check {
    system: System,
    options: Options,
}

impl System {
    /// Begins a check of every order in which the messages can be delivered.
    pub fn check(self) -> Check {
        let mut options = Options::new(Algorithm::parse("optimal").expect("optimal is an algorithm"));
        options.limits.depth = Some(MAX_DEPTH);
        Check { system: self, options }
    }
}

impl Check {
    /// Chooses the algorithm by its name on the command line.
    ///
    /// # Panics
    /// If there is none of that name.
    pub fn algorithm(mut self, name: &str) -> Self {
        self.options.algorithm = Algorithm::parse(name).unwrap_or_else(|e| panic!("{e}"));
        self
    }

    /// Chooses which message is tried first.
    pub fn order(mut self, order: Order) -> Self {
        self.options.order = order;
        self
    }

    /// Ends the check as `incomplete` after so many executions.
    pub fn max_executions(mut self, executions: u64) -> Self {
        self.options.limits.executions = Some(executions);
        self
    }

    /// Follows no execution further than this; if one goes on the check is `incomplete`.
    pub fn max_depth(mut self, steps: u64) -> Self {
        self.options.limits.depth = Some(steps);
        self
    }

    /// Messages that are never accepted are no failure.
    pub fn ignore_deadlocks(mut self) -> Self {
        self.options.deadlock_is_error = false;
        self
    }

    /// Does not stop at the first failure.
    pub fn keep_going(mut self) -> Self {
        self.options.keep_going = true;
        self
    }

    /// Runs the check.
    ///
    /// # Panics
    /// If the algorithm cannot be used on this system, with the reason.
    pub fn run(self) -> Checked {
        let outcome = {
            let mut search = search(&self.system, &self.options, Unobserved).unwrap_or_else(|e| panic!("{e}"));
            while search.advance(1 << 20) == Status::Running {}
            search.outcome()
        };
        Checked {
            system: self.system,
            outcome,
        }
    }

    /// Runs the check and panics with a readable counterexample unless every delivery order is covered and nothing failed.
    pub fn assert_ok(self) {
        let checked = self.run();
        if checked.outcome.verdict != Verdict::Complete {
            panic!("{}", checked.report());
        }
    }

    /// Runs one schedule as a counterexample prints it, and says what happened.
    ///
    /// # Panics
    /// If a step of the schedule does not exist, which happens when the system was changed since.
    pub fn replay(self, schedule: &str) -> String {
        let steps: Vec<Planned> = schedule
            .split_whitespace()
            .map(|key| Planned {
                process: key.to_owned(),
                ..Planned::default()
            })
            .collect();
        let replayed = replay(&self.system, &steps);
        if let Some(divergence) = replayed.divergences.first() {
            panic!(
                "the schedule does not fit the system: step {}, message {}, {}",
                divergence.planned + 1,
                divergence.expected.process,
                counterexample::reason(&divergence.reason)
            );
        }
        counterexample::render(&replayed.recording)
    }
}

/// A check that was run.
pub struct Checked {
    system: System,
    outcome: Outcome,
}

impl Checked {
    /// What the search found.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// How many complete executions there were.
    pub fn executions(&self) -> u64 {
        self.outcome.counts.executions
    }

    /// What went wrong, without the schedules.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.outcome.failures.iter().map(|f| &f.failure)
    }

    /// The verdict in words; with a violation its first counterexample and how to replay it.
    pub fn report(&self) -> String {
        let executions = self.outcome.counts.executions;
        match (self.outcome.verdict, self.outcome.failures.first()) {
            (_, Some(found)) => self.violation(found),
            (Verdict::Incomplete, _) => {
                let limit = self.outcome.limit.map_or("a limit", Limit::name);
                format!("incomplete: {limit} was reached; {executions} executions are covered, nothing failed so far")
            }
            _ => format!("complete: {executions} executions, nothing failed"),
        }
    }

    fn violation(&self, found: &FoundFailure) -> String {
        if let Some((step, what)) = first_difference(&self.system, &found.schedule) {
            return format!(
                "violation: {}: the same schedule does not do the same again\nfirst difference at step {step}: {what}\n",
                FailureKind::Nondeterminism.name()
            );
        }
        let minimised = minimise(&self.system, &found.schedule, &found.failure, Budget::default());
        counterexample::violation(&self.system, &minimised.schedule, found)
    }
}
