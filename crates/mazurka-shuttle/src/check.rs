//! Running tests.

use crate::config::{Config, MaxSteps};
use crate::scheduler::{DfsScheduler, PctScheduler, RandomScheduler, ReplayScheduler, Scheduler, UrwRandomScheduler};
use mazurka_core::{Limit, Verdict};
use mazurka_native::Check;
use std::path::Path;
use std::sync::Arc;

/// Runs a test by a scheduler.
#[derive(Debug)]
pub struct Runner<S> {
    scheduler: S,
    config: Config,
}

impl<S: Scheduler + 'static> Runner<S> {
    /// By this scheduler.
    pub fn new(scheduler: S, config: Config) -> Self {
        Runner { scheduler, config }
    }

    /// Runs the test: how many executions there were.
    ///
    /// # Panics
    /// If something fails in an execution, or there is a deadlock.
    pub fn run<F>(self, f: F) -> usize
    where
        F: Fn() + Send + Sync + 'static,
    {
        run(&self.scheduler, &self.config, f)
    }
}

fn run(scheduler: &dyn Scheduler, config: &Config, f: impl Fn() + 'static) -> usize {
    if let Some(schedule) = scheduler.schedule() {
        Check::new().assert_replay(f, schedule.trim());
        return 1;
    }
    let mut check = Check::new();
    if let Some(executions) = scheduler.iterations() {
        check = check.max_executions(executions as u64);
    }
    if let MaxSteps::FailAfter(steps) | MaxSteps::ContinueAfter(steps) = config.max_steps {
        check = check.max_depth(steps as u64);
    }
    if let Some(time) = config.max_time {
        check = check.timeout(time);
    }
    let checked = check.run(f);
    let too_long = checked.outcome().limit == Some(Limit::Depth) && matches!(config.max_steps, MaxSteps::FailAfter(_));
    match checked.outcome().verdict {
        Verdict::Complete => {}
        Verdict::Incomplete if !too_long => {
            if !config.silence_warnings {
                eprintln!("{}", checked.report());
            }
        }
        // What it said comes first and as it is: `should_panic` looks for it.
        _ => {
            let said = checked
                .failures()
                .next()
                .map_or(String::new(), |failure| format!("{}\n\n", failure.message));
            panic!("{said}{}", checked.report());
        }
    }
    checked.executions() as usize
}

/// Runs a test by several schedulers. One is enough: they are all the same.
#[derive(Default)]
pub struct PortfolioRunner {
    schedulers: Vec<Box<dyn Scheduler + Send>>,
    config: Config,
}

impl PortfolioRunner {
    /// Without schedulers.
    pub fn new(_stop_on_first_failure: bool, config: Config) -> Self {
        PortfolioRunner {
            schedulers: Vec::new(),
            config,
        }
    }

    /// One more.
    pub fn add(&mut self, scheduler: impl Scheduler + Send + 'static) {
        self.schedulers.push(Box::new(scheduler));
    }

    /// Runs the test.
    ///
    /// # Panics
    /// If something fails in an execution, or there is a deadlock.
    pub fn run<F>(self, f: F)
    where
        F: Fn() + Send + Sync + 'static,
    {
        let f = Arc::new(f);
        for scheduler in &self.schedulers {
            let f = Arc::clone(&f);
            run(scheduler.as_ref(), &self.config, move || f());
        }
    }
}

impl std::fmt::Debug for PortfolioRunner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PortfolioRunner").finish_non_exhaustive()
    }
}

macro_rules! checks {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) = $scheduler:expr;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Panics
            /// If something fails in an execution, or there is a deadlock.
            pub fn $name<F>(f: F, $($argument: $type),*)
            where
                F: Fn() + Send + Sync + 'static,
            {
                Runner::new($scheduler, Config::new()).run(f);
            }
        )*
    };
}

checks! {
    /// Runs every trace of a test.
    check() = DfsScheduler::new(None, false);
    /// Runs up to so many traces of a test.
    check_random(iterations: usize) = RandomScheduler::new(iterations);
    /// Runs up to so many traces of a test.
    check_urw(iterations: usize) = UrwRandomScheduler::new(iterations);
    /// Runs up to so many traces of a test. There is nothing random, so the seed makes no difference.
    check_random_with_seed(seed: u64, iterations: usize) = RandomScheduler::new_from_seed(seed, iterations);
    /// Runs up to so many traces of a test. The depth makes no difference.
    check_pct(iterations: usize, depth: usize) = PctScheduler::new(depth, iterations);
    /// Runs every trace of a test, or up to so many.
    check_dfs(max_iterations: Option<usize>) = DfsScheduler::new(max_iterations, false);
    /// Runs up to so many traces of a test. Every check notices nondeterminism.
    check_uncontrolled_nondeterminism(max_iterations: usize) = RandomScheduler::new(max_iterations);
    /// Runs one schedule, as a failure has printed it. Schedules of shuttle itself mean nothing here.
    replay(encoded_schedule: &str) = ReplayScheduler::new_from_encoded(encoded_schedule);
}

/// Runs the schedule in a file.
///
/// # Panics
/// If it cannot be read, and if something fails.
pub fn replay_from_file<F>(f: F, path: impl AsRef<Path>)
where
    F: Fn() + Send + Sync + 'static,
{
    let path = path.as_ref();
    let scheduler = ReplayScheduler::new_from_file(path).unwrap_or_else(|e| panic!("cannot read the schedule {}: {e}", path.display()));
    Runner::new(scheduler, Config::new()).run(f);
}
