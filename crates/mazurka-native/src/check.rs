//! `mazurka::check(|| …)`: every interleaving of threads that can make a difference.

use crate::runtime::{FRUITLESS_ROUNDS, Habits, Native, statics};
use crate::weak;
use crate::workplace::Workplace;
use mazurka_core::laws::{self, Effort};
use mazurka_core::schedule::{Budget, Planned, Replay, Schedule, minimise_by_running, record, replay};
use mazurka_core::{Algorithm, Describe, Failure, Limit, Options, Outcome, Search, Status, Unobserved, Verdict, replaying_search};
use mazurka_report::summary::{Reduced, Source};
use mazurka_report::units::counted;
use mazurka_report::{Counterexample, Paint, Summary, columns, coverage, verdict};
use mazurka_weak::Model;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What every verdict says about memory.
const MEMORY: &str = "under sequential consistency";
/// The longest execution that is followed unless the check says otherwise.
const MAX_DEPTH: u64 = 20_000;
/// The longest time that a step may take unless the check says otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs `f` once for every interleaving of its threads that can make a difference, and panics with a counterexample if one fails.
///
/// In `f`, take threads and everything that they share from this crate. `f` must do the same whenever the same steps are taken: no clocks, no
/// real randomness, nothing that outlives it but the statics of this crate.
///
/// ```should_panic
/// use mazurka_native::sync::atomic::{AtomicU32, Ordering::SeqCst};
/// use mazurka_native::{check, sync::Arc, thread};
///
/// check(|| {
///     let hits = Arc::new(AtomicU32::new(0));
///     let handles: Vec<_> = (0..2)
///         .map(|_| {
///             let hits = Arc::clone(&hits);
///             thread::spawn(move || hits.store(hits.load(SeqCst) + 1, SeqCst))
///         })
///         .collect();
///     handles.into_iter().for_each(|h| h.join().unwrap());
///     assert_eq!(hits.load(SeqCst), 2, "a hit was lost");
/// });
/// ```
///
/// # Panics
/// If something fails, or not everything could be covered.
pub fn check(f: impl Fn() + 'static) {
    Check::new().assert_ok(f);
}

/// Checks run one at a time: statics are there once.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A check that is not as usual.
#[derive(Clone, Debug)]
#[must_use = "a check does nothing until `run` or `assert_ok`"]
pub struct Check {
    pub(crate) options: Options,
    habits: Habits,
    patience: Duration,
    /// Graphs are explored under it instead of interleavings.
    pub(crate) model: Option<&'static dyn Model>,
}

impl Default for Check {
    fn default() -> Self {
        Check::new()
    }
}

impl Check {
    /// As usual: `optimal`, one execution per trace; the first failure ends it.
    pub fn new() -> Self {
        let algorithm = Algorithm::parse("optimal").unwrap_or_else(|e| unreachable!("{e}"));
        let options = Options::new(algorithm);
        let limits = options.limits.depth(MAX_DEPTH);
        Check {
            options: options.limits(limits),
            habits: Habits::default(),
            patience: PATIENCE,
            model: None,
        }
    }

    /// Chooses the algorithm by its name on the command line: `optimal`, `source`, `optimal+observers` or `naive`.
    ///
    /// # Panics
    /// If there is none of that name, or it needs to know the states of a program.
    pub fn algorithm(mut self, name: &str) -> Self {
        const OFFERED: [&str; 4] = ["optimal", "source", "optimal+observers", "naive"];
        assert!(
            OFFERED.contains(&name),
            "`{name}` cannot be used for threads; expected one of {}",
            OFFERED.join(", ")
        );
        self.options.algorithm = Algorithm::parse(name).unwrap_or_else(|e| panic!("{e}"));
        self
    }

    /// Ends the check as `incomplete` after so many executions.
    pub fn max_executions(mut self, executions: u64) -> Self {
        self.options.limits = self.options.limits.executions(executions);
        self
    }

    /// Follows no execution further than so many steps; if one goes on, the check is `incomplete`.
    pub fn max_depth(mut self, steps: u64) -> Self {
        self.options.limits = self.options.limits.depth(steps);
        self
    }

    /// Ends the check as `incomplete` after this time.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.options.limits = self.options.limits.time(time);
        self
    }

    /// Gives up if the code under test does not come to its next operation within this time, because it waits for something that the check does
    /// not see, or goes on for ever. 30 seconds unless it is said otherwise.
    pub fn stuck_after(mut self, time: Duration) -> Self {
        self.patience = time;
        self
    }

    /// Threads that wait for ever are no failure.
    pub fn ignore_deadlocks(mut self) -> Self {
        self.options.deadlock_is_error = false;
        self
    }

    /// Panics of threads other than the main one are no failures, but results for who joins them.
    pub fn allow_panics(mut self) -> Self {
        self.habits.allow_panics = true;
        self
    }

    /// Tasks ([`crate::future`]) may be cancelled wherever they wait: their futures are dropped there.
    pub fn cancel_tasks(mut self) -> Self {
        self.habits.cancels = true;
        self
    }

    /// An `Arc` that nobody drops is a failure. What statics own is not asked for.
    pub fn no_leaks(mut self) -> Self {
        self.habits.no_leaks = true;
        self
    }

    /// A thread that nobody joins is a failure.
    pub fn no_detached_threads(mut self) -> Self {
        self.habits.no_detached = true;
        self
    }

    /// Does not stop at the first failure.
    pub fn keep_going(mut self) -> Self {
        self.options.keep_going = true;
        self
    }

    /// Runs the check.
    ///
    /// The closure runs in another thread of the operating system while this one waits.
    ///
    /// # Panics
    /// Within another check, and if the code under test gets stuck: see [`Check::stuck_after`].
    pub fn run(self, f: impl Fn() + 'static) -> Checked {
        assert!(!crate::runtime::current::is_active(), "a check cannot run within another one");
        let _alone = alone();
        let native = self.native(f);
        native.assert_allocator();
        if cfg!(panic = "abort") {
            panic!("threads cannot be checked with `panic = \"abort\"`: a panic of one execution would end them all");
        }
        let begun = Instant::now();
        let (outcome, weak) = match self.model {
            None => (search(&native, &self.options, self.patience), None),
            Some(model) => {
                self.assert_model_alone(model);
                let (outcome, found) = weak::check(&native, &self.options, model, self.patience);
                (outcome, Some(found))
            }
        };
        let elapsed = begun.elapsed();
        // SAFETY: the search is over, and its last execution is gone.
        unsafe { statics::reset_all() };
        Checked {
            native,
            outcome,
            algorithm: self.options.algorithm.name(),
            elapsed,
            patience: self.patience,
            weak,
        }
    }

    /// The code under test.
    pub(crate) fn native(&self, f: impl Fn() + 'static) -> Rc<Native> {
        let weak = self.model.is_some();
        Rc::new(Native::new(f, Habits { weak, ..self.habits }))
    }

    /// How long a step may take.
    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    /// Refuses what there is for interleavings only.
    pub(crate) fn assert_model_alone(&self, model: &dyn Model) {
        let (name, options) = (model.name(), &self.options);
        let other = match () {
            () if options.algorithm.name() != "optimal" => Some("another algorithm"),
            () if options.sampling.is_some() => Some("random executions"),
            () if options.bound.is_some() => Some("a bound on preemptions or delays"),
            () => None,
        };
        if let Some(other) = other {
            panic!("the memory model `{name}` cannot be combined with {other}: its executions are graphs, not interleavings");
        }
    }

    /// Runs the check, and panics with a counterexample unless everything is covered and nothing failed. Of random executions, and of a bound, all
    /// that was asked for is enough.
    ///
    /// # Panics
    /// See above.
    pub fn assert_ok(self, f: impl Fn() + 'static) {
        let checked = self.run(f);
        if !checked.did_as_asked() {
            panic!("{}", checked.report());
        }
    }

    /// Checks what the search is told about `f`, along so many random walks: that steps which are said to be independent commute, that only who is
    /// said to decides whether a thread must wait, and the other [laws](mazurka_core::laws). For who works on this crate: a broken law is its error.
    /// Returns at how many states they were checked.
    ///
    /// # Errors
    /// The first law that is broken.
    pub fn laws(&self, f: impl Fn() + 'static, walks: u32, seed: u64) -> Result<u64, String> {
        let _alone = alone();
        let native = Native::new(f, self.habits);
        let depth = self.options.limits.depth.unwrap_or(MAX_DEPTH);
        let effort = Effort::new().walks(walks).steps(depth as u32).seed(seed);
        Workplace::new(self.patience).run(move || {
            loop {
                let walked = laws::check_replayed(&native, &effort, &|run| run.seen());
                // What turned out to matter is looked at from the beginning.
                if !native.take_begin_again() {
                    return walked.map(|w| w.states).map_err(|broken| broken.to_string());
                }
            }
        })
    }

    /// Runs one schedule as a counterexample prints it, and shows what happens.
    ///
    /// # Panics
    /// If a step of the schedule does not exist, which happens when the code was changed since.
    pub fn replay(self, f: impl Fn() + 'static, schedule: &str) -> String {
        self.replay_and_tell(f, schedule).0
    }

    fn replay_and_tell(self, f: impl Fn() + 'static, schedule: &str) -> (String, Option<Failure>) {
        let steps = schedule.split_whitespace().map(|step| {
            let (process, choice) = step.split_once(':').unwrap_or((step, "0"));
            Planned {
                process: process.to_owned(),
                choice: choice.parse().unwrap_or(0),
                ..Planned::default()
            }
        });
        let schedule = Schedule {
            repeats: None,
            steps: steps.collect(),
            ..Schedule::default()
        };
        let replayed = self.run_again(f, &schedule);
        if let Some(divergence) = replayed.divergences.first() {
            panic!(
                "the schedule does not fit the code: step {}, of thread {}, cannot be taken",
                divergence.planned + 1,
                divergence.expected.process,
            );
        }
        let paint = Paint::default();
        let shown = format!(
            "{}\n{}",
            columns::render(&replayed.recording, paint),
            verdict::explanation(&replayed.recording, paint)
        );
        (shown, replayed.recording.failure)
    }

    /// Runs one schedule as a counterexample prints it.
    ///
    /// # Panics
    /// With what happens, if it fails, and if a step of it does not exist.
    pub fn assert_replay(self, f: impl Fn() + 'static, schedule: &str) {
        let (shown, failure) = self.replay_and_tell(f, schedule);
        if let Some(failure) = failure {
            panic!("{}\n\n{shown}", failure.message);
        }
    }

    /// Runs one schedule.
    pub(crate) fn run_again(self, f: impl Fn() + 'static, schedule: &Schedule) -> Replay {
        if let Some(model) = self.model {
            panic!(
                "executions under the memory model `{}` are graphs: there is no schedule to replay",
                model.name()
            );
        }
        let _alone = alone();
        let native = Rc::new(Native::new(f, self.habits));
        let (schedule, options) = (schedule.clone(), self.options);
        Workplace::new(self.patience).run(move || {
            loop {
                let replayed = replay(&*native, &schedule);
                // What turned out to matter is looked at from the beginning. The schedule may be of a search that had found out more.
                if !native.take_begin_again() && (replayed.divergences.is_empty() || !finds_out_more(&native, &options)) {
                    return replayed;
                }
            }
        })
    }
}

/// Whether a search finds something that matters and is not looked at yet.
fn finds_out_more(program: &Rc<Native>, options: &Options) -> bool {
    const EXECUTIONS: u64 = 10_000;
    let mut options = options.clone();
    options.limits = options.limits.executions(EXECUTIONS);
    let mut search = UnderWay::start(program, &options);
    while !program.begins_again() && !program.is_spoilt() && search.advance() == Status::Running {}
    drop(search);
    program.take_begin_again()
}

/// A check that was run.
pub struct Checked {
    native: Rc<Native>,
    outcome: Outcome,
    algorithm: &'static str,
    elapsed: Duration,
    patience: Duration,
    /// Under a memory model, what was found besides.
    pub(crate) weak: Option<weak::Found>,
}

/// Searches, again from the beginning when something turns out to matter that was not looked at.
fn search(native: &Rc<Native>, options: &Options, patience: Duration) -> Outcome {
    let mut place = Workplace::new(patience);
    let mut under_way: Option<UnderWay> = None;
    loop {
        let (program, options) = (Rc::clone(native), options.clone());
        let going_on = move || {
            let mut search = under_way.unwrap_or_else(|| UnderWay::start(&program, &options));
            while !program.begins_again() {
                if program.is_spoilt() {
                    return (Some(search), None);
                }
                if search.advance() != Status::Running {
                    break;
                }
            }
            (None, Some(search.outcome()))
        };
        let (search, outcome) = place.run(going_on);
        under_way = search;
        if native.is_spoilt() {
            place = Workplace::new(patience);
            native.moved();
        }
        if let Some(outcome) = outcome
            && !native.take_begin_again()
        {
            return outcome;
        }
    }
}

/// A search with the program that it is about.
struct UnderWay {
    search: Box<dyn Search>,
    /// Dropped after the search, which looks at it.
    _program: Rc<Native>,
}

impl UnderWay {
    fn start(program: &Rc<Native>, options: &Options) -> Self {
        // SAFETY: `_program` keeps it alive as long as the search, and where it is.
        let forever: &'static Native = unsafe { &*Rc::as_ptr(program) };
        UnderWay {
            search: replaying_search(forever, options, Unobserved).unwrap_or_else(|e| panic!("{e}")),
            _program: Rc::clone(program),
        }
    }

    fn advance(&mut self) -> Status {
        self.search.advance(1 << 10)
    }

    fn outcome(self) -> Outcome {
        self.search.outcome()
    }
}

impl Checked {
    /// What the search found.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Whether nothing failed, and everything is covered that was asked for.
    pub(crate) fn did_as_asked(&self) -> bool {
        match self.outcome.verdict {
            Verdict::Complete => true,
            Verdict::Incomplete => coverage::covered(&self.outcome, None).is_some(),
            Verdict::Violation => false,
        }
    }

    /// How many complete executions there were.
    pub fn executions(&self) -> u64 {
        self.outcome.counts.executions
    }

    /// What went wrong, without the schedules.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.outcome.failures.iter().map(|f| &f.failure)
    }

    /// The verdict in words; with a violation its first counterexample and the line that replays it.
    pub fn report(&self) -> String {
        if let Some(found) = self.weak.as_ref().filter(|_| !self.outcome.failures.is_empty()) {
            return self.weak_report(found);
        }
        match self.counterexample() {
            Some(counterexample) => verdict::failure(&counterexample, Paint::default()),
            None => self.without_failure(),
        }
    }

    /// The verdict in words, if nothing failed.
    pub(crate) fn without_failure(&self) -> String {
        let thing = if self.weak.is_some() { "execution graph" } else { "execution" };
        let executions = counted(self.outcome.counts.executions, thing);
        let memory = self.memory();
        match self.outcome.verdict {
            Verdict::Incomplete => match coverage::covered(&self.outcome, None) {
                Some(covered) => {
                    let notes: String = coverage::notes(&self.outcome).iter().map(|note| format!("\n   {note}")).collect();
                    format!("incomplete: {covered}, {memory}{notes}")
                }
                None => {
                    let under = self.weak.as_ref().map_or_else(String::new, |_| format!(" {memory}"));
                    let limit = self.outcome.limit.map_or("a limit", Limit::name);
                    format!("incomplete: {limit} was reached; {executions} covered{under}, nothing failed so far")
                }
            },
            _ => {
                let spins = self.about_spins().map_or_else(String::new, |spins| format!("; {spins}"));
                format!("complete: {executions}, nothing failed, {memory}{spins}")
            }
        }
    }

    /// The first failure under a memory model, with its graph.
    fn weak_report(&self, found: &weak::Found) -> String {
        let Some(first) = self.outcome.failures.first() else {
            return String::new();
        };
        let failure = &first.failure;
        let at = failure
            .at
            .as_ref()
            .map_or(String::new(), |at| format!(" at {}:{}:{}", at.file, at.line, at.column));
        let graphs = counted(self.outcome.counts.executions, "execution graph");
        format!(
            "violation under {}: {}{at}: {}\n\n{}\n   {graphs} and a failing one",
            found.model.name(),
            failure.kind.name(),
            failure.message,
            found.explanation.as_deref().unwrap_or_default(),
        )
    }

    /// Under what the executions were explored.
    fn memory(&self) -> String {
        match &self.weak {
            None => MEMORY.to_owned(),
            Some(found) => format!("under {} ({})", found.model.name(), found.model.about()),
        }
    }

    /// What was assumed of threads that spin, if any did for long.
    fn about_spins(&self) -> Option<String> {
        self.native.awaits_news().then(|| {
            let rounds = if self.weak.is_some() { 0 } else { FRUITLESS_ROUNDS };
            format!("threads that went round more than {rounds} times without anything new were taken to go on until there is")
        })
    }

    /// Everything that reports show, for the program of this name, with one counterexample if something failed.
    pub fn summary(&self, program: &str) -> Summary {
        let counterexample = self.counterexample();
        self.summary_with(program, counterexample)
    }

    /// [`Checked::summary`] with the counterexample that was made of the first failure.
    pub(crate) fn summary_with(&self, program: &str, counterexample: Option<Counterexample>) -> Summary {
        let mut notes = vec![format!("executions are explored {}", self.memory())];
        notes.extend(self.about_spins());
        Summary {
            program: program.to_owned(),
            arguments: Vec::new(),
            algorithm: self.algorithm.to_owned(),
            order: "as threads were started".to_owned(),
            dependency: "object".to_owned(),
            outcome: self.outcome.clone(),
            sources: sources(counterexample.as_ref()),
            counterexamples: counterexample.into_iter().collect(),
            endless: None,
            final_states: None,
            elapsed: self.elapsed,
            peak_memory: None,
            stats: None,
            tree: None,
            comparison: Vec::new(),
            notes,
            unchecked: Vec::new(),
            verified: None,
            samples: Vec::new(),
            made: None,
        }
    }

    /// The first failure, minimised, with the line of code that runs it again.
    pub(crate) fn counterexample(&self) -> Option<Counterexample> {
        if self.weak.is_some() {
            return None;
        }
        let _alone = alone();
        let found = self.outcome.failures.first()?;
        let (native, sought) = (Rc::clone(&self.native), found.clone());
        let (minimised, mut recording) = Workplace::new(self.patience).run(move || {
            let minimised = minimise_by_running(&*native, &sought.schedule, &sought.failure, Budget::default());
            let recording = record(&*native, &minimised.schedule, Some(&sought.failure));
            (minimised, recording)
        });
        self.native.moved();
        if recording.failure.is_none() {
            recording.failure = Some(found.failure.clone());
        }
        let step = |t: &mazurka_core::Transition| match t.choice {
            0 => self.native.process_key(t.process),
            n => format!("{}:{n}", self.native.process_key(t.process)),
        };
        let steps: Vec<String> = recording.steps.iter().map(|s| step(&s.transition)).collect();
        Some(Counterexample {
            after_executions: found.after_executions,
            reduced: Some(Reduced {
                from_steps: minimised.from_steps,
                from_switches: minimised.from_switches,
                best: minimised.best,
            }),
            schedule_file: None,
            replay_command: Some(format!("Check::new().replay(…, \"{}\")", steps.join(" "))),
            recording,
        })
    }
}

/// The files that a counterexample speaks of, as far as they are found from here.
fn sources(counterexample: Option<&Counterexample>) -> Vec<Source> {
    let here = std::env::current_dir().unwrap_or_default();
    // Tests run in the folder of their package; the paths may begin at the one of their workspace.
    let read = |name: &str| here.ancestors().find_map(|folder| std::fs::read_to_string(folder.join(name)).ok());
    counterexample.map_or(Vec::new(), |found| found.sources(read))
}
