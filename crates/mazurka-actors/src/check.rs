//! `system.check().assert_ok()`: a test of a few lines.

use crate::certificate::{self, Certifying};
use crate::checked::Checked;
use crate::counterexample;
use crate::environment;
use crate::progress_line::ProgressLine;
use crate::system::System;
use crate::turns::{Found, Turns};
use mazurka_core::schedule::{Recording, Schedule, replay};
use mazurka_core::{
    Algorithm, FoundFailure, Limit, Options, Order, Outcome, Progress, Search, StatefulOptions, Status, Unobserved, Verdict, search,
    stateful_search,
};
use mazurka_report::{Paint, columns, schedule_file, verdict};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The longest execution that is followed unless the test says otherwise.
const MAX_DEPTH: u64 = 10_000;

/// The most memory, in bytes, that a test program may hold while a check goes on, unless the test says otherwise.
const MEMORY: u64 = 4 << 30;
/// The longest time that a check takes unless the test says otherwise.
const TIMEOUT: Duration = Duration::from_secs(15 * 60);

/// A check of a system, about to run.
///
/// Unless [`Check::algorithm`] chooses one, three searches take turns: `optimal` runs one execution per trace, `source+merge` also merges equal
/// states, and `stateful` comes to an end where a protocol goes round for ever. The first that knows the answer gives the verdict, and the
/// first failure ends the check.
#[must_use = "a check does nothing until `run` or `assert_ok`"]
pub struct Check {
    system: System,
    options: Options,
    /// Whether an algorithm was chosen; otherwise several take turns.
    chosen: bool,
    /// The name of the test.
    name: String,
    /// Whether the verdict is to be proved, and where the proof is to be kept.
    proof: Option<Option<PathBuf>>,
}

impl System {
    /// Begins a check of every order in which the messages can be delivered.
    pub fn check(self) -> Check {
        let mut options = Options::new(Algorithm::parse("optimal").expect("optimal is an algorithm"));
        options.limits.depth = Some(MAX_DEPTH);
        options.limits.memory = Some(MEMORY);
        options.limits.time = Some(TIMEOUT);
        let mut check = Check {
            system: self,
            options,
            chosen: false,
            name: environment::name_of_check(),
            proof: certificate::is_asked_for().then_some(None),
        };
        check.system.shows_positions = true;
        if let Some(name) = environment::value("MAZURKA_ALGORITHM") {
            check = check.algorithm(&name);
        }
        check
    }
}

impl Check {
    /// Chooses the algorithm by its name on the command line.
    ///
    /// # Panics
    /// If there is none of that name.
    #[track_caller]
    pub fn algorithm(mut self, name: &str) -> Self {
        let name = environment::value("MAZURKA_ALGORITHM").unwrap_or_else(|| name.to_owned());
        self.options.algorithm = match Algorithm::parse(&name) {
            Ok(algorithm) => algorithm,
            Err(unknown) => panic!("{unknown}"),
        };
        self.chosen = true;
        self
    }

    /// Ends the check as `incomplete` after this time. `MAZURKA_TIMEOUT` in the environment says so for every check.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.options.limits.time = Some(time);
        self
    }

    /// Ends the check as `incomplete` when the test program holds so many bytes of memory. By default that is 4 GB.
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.options.limits.memory = Some(bytes);
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
    #[track_caller]
    pub fn run(mut self) -> Checked {
        let start = Instant::now();
        if let Some(objection) = self.system.symmetry_objection() {
            panic!("{objection}");
        }
        self.options.limits.time = environment::timeout().or(self.options.limits.time);
        let certifying = self.proof.as_ref().map(|_| Certifying::begin(&self.system, &mut self.options));
        let Found { algorithm, outcome } = match (&certifying, self.chosen) {
            _ if self.system.failure_at_start().is_some() => self.fail_at_start(),
            (None, false) => self.take_turns(),
            _ => self.search(certifying.as_ref()),
        };
        let (chosen, outcome, witnesses) = match outcome.verdict {
            Verdict::Complete if !self.system.promises.is_empty() => self.ask_about_promises(algorithm, outcome, start),
            _ => (algorithm, outcome, Vec::new()),
        };
        self.options.algorithm = chosen;
        if let Some(wrong) = self.system.wrong_declaration() {
            panic!("{wrong}");
        }
        let elapsed = start.elapsed();
        let keep = self.proof.flatten();
        // Promises are not part of what a certificate says.
        let verified = certifying.and_then(|certifying| certifying.end(&self.options, &outcome, keep.as_deref()));
        let checked = Checked {
            name: self.name,
            elapsed,
            verified,
            witnesses,
            system: self.system,
            options: self.options,
            outcome,
        };
        checked.obey_environment();
        checked
    }

    /// Goes through the graph of all states, for what happens some day.
    fn ask_about_promises(
        &self,
        algorithm: Algorithm,
        mut outcome: Outcome,
        begun: Instant,
    ) -> (Algorithm, Outcome, Vec<(String, Recording)>) {
        let limits = self.options.limits;
        let mut line = ProgressLine::new();
        let mut stop = |states: usize| {
            if !states.is_multiple_of(1 << 10) {
                return None;
            }
            let counts = outcome.counts;
            line.tell(|| {
                let mut progress = Progress::default();
                progress.counts = counts;
                progress.counts.states = states as u64;
                progress
            });
            let late = limits.time.is_some_and(|limit| begun.elapsed() >= limit);
            let large = || {
                limits
                    .memory
                    .zip(mazurka_core::resident_bytes())
                    .is_some_and(|(limit, used)| used >= limit)
            };
            if late {
                Some(Limit::Time)
            } else {
                large().then_some(Limit::Memory)
            }
        };
        match self.system.keep_promises(&mut stop) {
            Err(limit) => {
                outcome.verdict = Verdict::Incomplete;
                outcome.limit = Some(limit);
                (algorithm, outcome, Vec::new())
            }
            Ok(answers) => {
                outcome.counts.states = answers.states;
                for found in answers.broken {
                    outcome.verdict = Verdict::Violation;
                    outcome.failure_counts[found.failure.kind as usize] += 1;
                    outcome.failures.push(found);
                }
                (Algorithm::parse("stateful").unwrap_or(algorithm), outcome, answers.witnesses)
            }
        }
    }

    /// What is wrong before any step is.
    fn fail_at_start(&self) -> Found {
        let mut outcome = Outcome::new(Verdict::Violation);
        outcome.ended_by_failure = true;
        if let Some(failure) = self.system.failure_at_start() {
            outcome.failure_counts[failure.kind as usize] += 1;
            outcome.failures.push(FoundFailure {
                failure,
                schedule: Vec::new(),
                repeats: None,
                after_executions: 0,
            });
        }
        let algorithm = self.options.algorithm;
        Found { algorithm, outcome }
    }

    /// The search that was chosen.
    #[track_caller]
    fn search(&self, certifying: Option<&Certifying<'_>>) -> Found {
        let (system, options) = (&self.system, &self.options);
        let algorithm = options.algorithm;
        assert!(
            !self.chosen || !system.symmetry.any() || algorithm.is_stateful(),
            "`{algorithm}` cannot take interchangeable actors together: it goes through executions, and in one of them every actor is itself; \
             take `stateful`, or leave out `interchangeable`"
        );
        let begun: Result<Box<dyn Search + '_>, _> = match certifying {
            Some(certifying) => search(system, options, certifying.clone()),
            None if algorithm.is_stateful() => {
                let shortest = StatefulOptions::default().shortest(true);
                stateful_search(system, options, shortest).map(|search| search as Box<dyn Search>)
            }
            None => search(system, options, Unobserved),
        };
        let mut search = begun.unwrap_or_else(|e| panic!("{e}"));
        let mut line = ProgressLine::new();
        while system.wrong_declaration().is_none() && search.advance(1 << 12) == Status::Running {
            line.tell(|| search.progress());
        }
        let outcome = search.outcome();
        Found { algorithm, outcome }
    }

    /// Several searches, none of which was chosen. The time is that of all together.
    #[track_caller]
    fn take_turns(&self) -> Found {
        let begun = Instant::now();
        let limit = self.options.limits.time;
        let mut options = self.options.clone();
        options.limits.time = None;
        let mut turns = Turns::new(&self.system, &options).unwrap_or_else(|e| panic!("{e}"));
        let mut line = ProgressLine::new();
        loop {
            if let Some(found) = turns.advance() {
                return found;
            }
            let late = limit.is_some_and(|limit| begun.elapsed() >= limit);
            if late || self.system.wrong_declaration().is_some() {
                let mut found = turns.best_so_far();
                if found.outcome.verdict == Verdict::Incomplete {
                    found.outcome.limit = Some(Limit::Time);
                }
                return found;
            }
            line.tell(|| turns.progress());
        }
    }

    /// Runs the check and panics with a readable counterexample unless every delivery order is covered and nothing failed.
    ///
    /// With `MAZURKA_REPLAY` in the environment, the test whose schedule that file has runs it instead and shows what happens.
    ///
    /// # Panics
    /// See above.
    #[track_caller]
    pub fn assert_ok(self) {
        if let Some(schedule) = environment::to_replay(&self.name) {
            let shown = self.run_again(&schedule);
            panic!("replayed instead of checked:\n{shown}");
        }
        let checked = self.run();
        if checked.outcome.verdict != Verdict::Complete {
            panic!("{}", checked.report_with_saved_schedule());
        }
    }

    /// Runs one schedule as a counterexample prints it, and says what happened.
    ///
    /// # Panics
    /// If a step of the schedule does not exist, which happens when the system was changed since.
    pub fn replay(self, schedule: &str) -> String {
        self.run_again(&Schedule {
            steps: schedule.split_whitespace().map(counterexample::planned).collect(),
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
