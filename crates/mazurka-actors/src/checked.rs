//! What a check has found.

use crate::counterexample::{counterexample, first_difference};
use crate::environment;
use crate::system::System;
use mazurka_core::schedule::{Recording, Schedule, plan};
use mazurka_core::{Failure, FailureKind, Limit, Options, Order, Outcome, Verdict};
use mazurka_report::units::counted;
use mazurka_report::{Paint, Summary, schedule_file, verdict};
use std::path::Path;
use std::time::Duration;

/// A check that was run.
pub struct Checked {
    pub(crate) name: String,
    pub(crate) system: System,
    pub(crate) options: Options,
    pub(crate) outcome: Outcome,
    pub(crate) elapsed: Duration,
    pub(crate) verified: Option<String>,
    /// The executions that show what sometimes happens, by name.
    pub(crate) witnesses: Vec<(String, Recording)>,
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

    /// What an independent checker says about the verdict, if that was asked for and there is something to prove.
    pub fn verified(&self) -> Option<&str> {
        self.verified.as_deref()
    }

    /// The verdict in words; with a violation its first counterexample, as the `mazurka` command shows it, and the line that replays it.
    pub fn report(&self) -> String {
        if let Some(found) = self.outcome.failures.first()
            && let Some((step, what)) = first_difference(&self.system, &found.schedule)
        {
            return format!(
                "violation: {}: the same schedule does not do the same again\nfirst difference at step {step}: {what}\n",
                FailureKind::Nondeterminism.name()
            );
        }
        let covered = self.covered();
        match (self.outcome.verdict, self.summary().counterexamples.first()) {
            (_, Some(counterexample)) => verdict::failure(counterexample, Paint::default()),
            (Verdict::Incomplete, None) => {
                let limit = self.outcome.limit.map_or("a limit", Limit::name);
                let so_far = match self.executions() + self.outcome.counts.states {
                    0 => " before an execution came to its end;".to_owned(),
                    _ => format!("; {covered} covered,"),
                };
                let incomplete = format!("incomplete: {limit} was reached{so_far} nothing failed so far");
                match self.system.what_grows() {
                    Some(grows) => format!("{incomplete}\n{grows}"),
                    None => incomplete,
                }
            }
            (_, None) => match &self.verified {
                None if self.outcome.never_ends() => format!("complete: {covered}, nothing failed, and no execution ends"),
                None => format!("complete: {covered}, nothing failed"),
                Some(verified) => format!("complete: {covered}, nothing failed; {verified}"),
            },
        }
    }

    /// How much was looked at: a stateful search has states and no executions.
    fn covered(&self) -> String {
        let counts = &self.outcome.counts;
        match self.options.algorithm.is_stateful() {
            true => counted(counts.states, "state"),
            false => counted(counts.executions, "execution"),
        }
    }

    /// The name of the algorithm that gave the verdict.
    pub fn algorithm(&self) -> &'static str {
        self.options.algorithm.name()
    }

    /// The report, and how to see the counterexample again without changing code.
    pub(crate) fn report_with_saved_schedule(&self) -> String {
        let report = self.report();
        match self.schedule().and_then(|schedule| environment::save(&self.name, &schedule)) {
            Some(command) => format!("{}\n   or:        {command}\n", report.trim_end()),
            None => report,
        }
    }

    /// Does what the environment asks after a check.
    pub(crate) fn obey_environment(&self) {
        environment::report(&self.name, || self.summary());
        if environment::is_on("MAZURKA_STATS") {
            let (verdict, counts) = (self.outcome.verdict.name(), &self.outcome.counts);
            let (covered, steps) = (self.covered(), counted(counts.steps, "step"));
            let (algorithm, elapsed) = (self.algorithm(), mazurka_report::units::duration(self.elapsed));
            eprintln!("{}: {verdict}: {covered}, {steps}, {algorithm}, {elapsed}", self.name);
        }
    }

    /// Everything about the run, for the functions of `mazurka-report`: the HTML page, JUnit, SARIF.
    pub fn summary(&self) -> Summary {
        let first = self.outcome.failures.first();
        let counterexample = first.map(|found| counterexample(&self.system, found));
        Summary {
            program: self.name.clone(),
            arguments: Vec::new(),
            algorithm: self.options.algorithm.name().to_owned(),
            order: match self.options.order {
                Order::Random(seed) => format!("random:{seed}"),
                other => format!("{other:?}").to_lowercase(),
            },
            dependency: format!("{:?}", self.system.dependency).to_lowercase(),
            outcome: self.outcome.clone(),
            sources: counterexample
                .as_ref()
                .map_or(Vec::new(), |found| found.sources(environment::source)),
            counterexamples: counterexample.into_iter().collect(),
            endless: None,
            final_states: None,
            elapsed: self.elapsed,
            peak_memory: None,
            stats: None,
            tree: None,
            comparison: Vec::new(),
            notes: Vec::new(),
            unchecked: Vec::new(),
            verified: self.verified.clone(),
            samples: Vec::new(),
            made: None,
        }
    }

    /// Saves the minimised schedule of the first failure for [`Check::replay_file`]; false if there is none.
    pub fn save_schedule(&self, path: impl AsRef<Path>) -> std::io::Result<bool> {
        let Some(schedule) = self.schedule() else { return Ok(false) };
        std::fs::write(path, schedule_file::write(&schedule))?;
        Ok(true)
    }

    fn schedule(&self) -> Option<Schedule> {
        let summary = self.summary();
        let counterexample = summary.counterexamples.first()?;
        Some(Schedule {
            program: self.name.clone(),
            arguments: Vec::new(),
            failure: counterexample.recording.failure.as_ref().map(|f| (f.kind, f.message.clone())),
            steps: plan(&counterexample.recording),
            repeats: None,
        })
    }
}
