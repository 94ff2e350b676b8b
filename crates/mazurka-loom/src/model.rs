//! Models: closures that are run in every interleaving that can make a difference, as in `loom::model`.

use mazurka_core::Verdict;
use mazurka_native::Check;
use std::path::PathBuf;
use std::time::Duration;

/// A model that is not as usual, as `loom::model::Builder`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Builder {
    /// Not used: there may be any number of threads.
    pub max_threads: usize,
    /// Not used: executions may be long.
    pub max_branches: usize,
    /// After so many executions, the model is left as it is.
    pub max_permutations: Option<usize>,
    /// After this time, the model is left as it is.
    pub max_duration: Option<Duration>,
    /// Only executions with at most so many preemptions are explored.
    pub preemption_bound: Option<usize>,
    /// Not used: a failure prints the schedule that runs it again.
    pub checkpoint_file: Option<PathBuf>,
    /// Not used.
    pub checkpoint_interval: usize,
    /// Not used: everything is explored.
    pub expect_explicit_explore: bool,
    /// Not used: places are always known.
    pub location: bool,
    /// Says how many executions there were.
    pub log: bool,
}

impl Builder {
    /// As usual; `LOOM_MAX_PERMUTATIONS`, `LOOM_MAX_DURATION`, `LOOM_MAX_PREEMPTIONS` and `LOOM_LOG` are heeded, and
    /// `MAZURKA_MODEL`: under `rc11`, loads may return what was overwritten before.
    ///
    /// # Panics
    /// If one of them is no number.
    pub fn new() -> Self {
        Builder {
            max_threads: crate::MAX_THREADS,
            max_branches: 1_000,
            max_permutations: number("LOOM_MAX_PERMUTATIONS"),
            max_duration: number("LOOM_MAX_DURATION").map(|seconds| Duration::from_secs(seconds as u64)),
            preemption_bound: number("LOOM_MAX_PREEMPTIONS"),
            checkpoint_file: None,
            checkpoint_interval: 20_000,
            expect_explicit_explore: false,
            location: false,
            log: std::env::var_os("LOOM_LOG").is_some(),
        }
    }

    /// Does nothing: a failure prints the schedule that runs it again.
    pub fn checkpoint_file(&mut self, file: &str) -> &mut Self {
        self.checkpoint_file = Some(file.into());
        self
    }

    /// Runs the model.
    ///
    /// # Panics
    /// If something fails in an execution, if there is a deadlock, a data race or a leak.
    pub fn check<F>(&self, f: F)
    where
        F: Fn() + Sync + Send + 'static,
    {
        let mut check = Check::new().no_leaks();
        let model = std::env::var("MAZURKA_MODEL").ok().filter(|model| !model.is_empty());
        if let Some(model) = &model {
            check = check.model(model);
        }
        if let Some(executions) = self.max_permutations {
            check = check.max_executions(executions as u64);
        }
        if let Some(time) = self.max_duration {
            check = check.timeout(time);
        }
        // Graphs have no preemptions: all of them are explored.
        if let Some(most) = self.preemption_bound.filter(|_| model.is_none()) {
            check = check.preemptions(u32::try_from(most).unwrap_or(u32::MAX));
        }
        let checked = check.run(f);
        let limited = self.max_permutations.is_some() || self.max_duration.is_some() || self.preemption_bound.is_some();
        match checked.outcome().verdict {
            Verdict::Complete => {}
            Verdict::Incomplete if limited => {}
            _ => panic!("{}", checked.report()),
        }
        if self.log {
            eprintln!("{}", checked.report());
        }
    }
}

impl Default for Builder {
    fn default() -> Self {
        Builder::new()
    }
}

fn number(name: &str) -> Option<usize> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("invalid value for `{name}`: {value}")))
}

/// Runs a model as usual.
///
/// # Panics
/// If something fails in an execution, if there is a deadlock, a data race or a leak.
pub fn model<F>(f: F)
where
    F: Fn() + Sync + Send + 'static,
{
    Builder::new().check(f);
}
