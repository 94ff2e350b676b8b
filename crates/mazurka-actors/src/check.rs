//! `system.check().assert_ok()`: a test of a few lines.

use crate::certificate::{self, Certifying};
use crate::counterexample::{self, counterexample, first_difference};
use crate::system::System;
use mazurka_core::schedule::{Planned, Schedule, plan, replay};
use mazurka_core::{Algorithm, Failure, FailureKind, Limit, Options, Order, Outcome, Status, Unobserved, Verdict, search};
use mazurka_report::units::counted;
use mazurka_report::{Paint, Summary, columns, schedule_file, verdict};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The longest execution that is followed unless the test says otherwise.
const MAX_DEPTH: u64 = 10_000;

/// A search of a system, about to run. By default it is `optimal`: one execution per trace, the first failure ends it.
#[must_use = "a check does nothing until `run` or `assert_ok`"]
pub struct Check {
    system: System,
    options: Options,
    /// Whether the verdict is to be proved, and where the proof is to be kept.
    proof: Option<Option<PathBuf>>,
}

impl System {
    /// Begins a check of every order in which the messages can be delivered.
    pub fn check(self) -> Check {
        let mut options = Options::new(Algorithm::parse("optimal").expect("optimal is an algorithm"));
        options.limits.depth = Some(MAX_DEPTH);
        Check {
            system: self,
            options,
            proof: certificate::is_asked_for().then_some(None),
        }
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

    /// Has the verdict proved to a checker that shares no code with the search, as `mazurka check --verify` does; `MAZURKA_VERIFY=1` in the environment
    /// does that for every check.
    pub fn verified(mut self) -> Self {
        self.proof.get_or_insert(None);
        self
    }

    /// The same, and keeps the certificate in a file.
    pub fn certificate(mut self, path: impl Into<PathBuf>) -> Self {
        self.proof = Some(Some(path.into()));
        self
    }

    /// Whether the certificate in a file, which [`Check::certificate`] has written, proves something about this system; in words what, or why not.
    pub fn verify(self, path: impl AsRef<Path>) -> Result<String, String> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        certificate::verify(&self.system, &self.options, &bytes)
    }

    /// Runs the check.
    ///
    /// # Panics
    /// If the algorithm cannot be used on this system, with the reason; if a handler touches or sends what it does not declare; or if the verdict is to be
    /// proved and that fails.
    pub fn run(mut self) -> Checked {
        let start = Instant::now();
        let certifying = self.proof.as_ref().map(|_| Certifying::begin(&self.system, &mut self.options));
        let outcome = {
            let begun = match &certifying {
                Some(certifying) => search(&self.system, &self.options, certifying.clone()),
                None => search(&self.system, &self.options, Unobserved),
            };
            let mut search = begun.unwrap_or_else(|e| panic!("{e}"));
            while self.system.wrong_declaration().is_none() && search.advance(1 << 12) == Status::Running {}
            search.outcome()
        };
        if let Some(wrong) = self.system.wrong_declaration() {
            panic!("{wrong}");
        }
        let elapsed = start.elapsed();
        let keep = self.proof.flatten();
        let verified = certifying.and_then(|certifying| certifying.end(&self.options, &outcome, keep.as_deref()));
        Checked {
            elapsed,
            verified,
            system: self.system,
            options: self.options,
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
        let step = |key: &str| Planned {
            process: key.to_owned(),
            ..Planned::default()
        };
        self.run_again(&Schedule {
            steps: schedule.split_whitespace().map(step).collect(),
            ..Schedule::default()
        })
    }

    /// Runs a schedule that was saved with [`Checked::save_schedule`], and says what happened.
    ///
    /// # Panics
    /// If the file cannot be read, is no schedule, or has a step that does not exist any more.
    pub fn replay_file(self, path: impl AsRef<Path>) -> String {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()));
        let schedule = schedule_file::read(&text).unwrap_or_else(|e| panic!("{} is not a schedule: {e}", path.display()));
        self.run_again(&schedule)
    }

    fn run_again(self, schedule: &Schedule) -> String {
        let replayed = replay(&self.system, schedule);
        if let Some(divergence) = replayed.divergences.first() {
            panic!(
                "the schedule does not fit the system: step {}, message {}, {}",
                divergence.planned + 1,
                divergence.expected.process,
                counterexample::reason(&divergence.reason)
            );
        }
        let paint = Paint::default();
        format!(
            "{}\n{}",
            columns::render(&replayed.recording, paint),
            verdict::explanation(&replayed.recording, paint)
        )
    }
}

/// A check that was run.
pub struct Checked {
    system: System,
    options: Options,
    outcome: Outcome,
    elapsed: Duration,
    verified: Option<String>,
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
        let executions = counted(self.outcome.counts.executions, "execution");
        match (self.outcome.verdict, self.summary().counterexamples.first()) {
            (_, Some(counterexample)) => verdict::failure(counterexample, Paint::default()),
            (Verdict::Incomplete, None) => {
                let limit = self.outcome.limit.map_or("a limit", Limit::name);
                format!("incomplete: {limit} was reached; {executions} covered, nothing failed so far")
            }
            (_, None) => match &self.verified {
                None => format!("complete: {executions}, nothing failed"),
                Some(verified) => format!("complete: {executions}, nothing failed; {verified}"),
            },
        }
    }

    /// Everything about the run, for the functions of `mazurka-report`: the HTML page, JUnit, SARIF.
    pub fn summary(&self) -> Summary {
        let first = self.outcome.failures.first();
        Summary {
            program: "system".to_owned(),
            arguments: Vec::new(),
            algorithm: self.options.algorithm.name().to_owned(),
            order: match self.options.order {
                Order::Random(seed) => format!("random:{seed}"),
                other => format!("{other:?}").to_lowercase(),
            },
            dependency: format!("{:?}", self.system.dependency).to_lowercase(),
            outcome: self.outcome.clone(),
            counterexamples: first.map(|found| counterexample(&self.system, found)).into_iter().collect(),
            endless: None,
            final_states: None,
            elapsed: self.elapsed,
            peak_memory: None,
            stats: None,
            tree: None,
            comparison: Vec::new(),
            sources: Vec::new(),
            notes: Vec::new(),
            verified: self.verified.clone(),
            samples: Vec::new(),
            made: None,
        }
    }

    /// Saves the minimised schedule of the first failure for [`Check::replay_file`]; false if there is none.
    pub fn save_schedule(&self, path: impl AsRef<Path>) -> std::io::Result<bool> {
        let summary = self.summary();
        let Some(counterexample) = summary.counterexamples.first() else {
            return Ok(false);
        };
        let schedule = Schedule {
            program: summary.program.clone(),
            arguments: Vec::new(),
            failure: counterexample.recording.failure.as_ref().map(|f| (f.kind, f.message.clone())),
            steps: plan(&counterexample.recording),
        };
        std::fs::write(path, schedule_file::write(&schedule))?;
        Ok(true)
    }
}
