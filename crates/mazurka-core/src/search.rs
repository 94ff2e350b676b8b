//! A search as its caller sees it: it can be advanced, and asked for its progress and its findings.

use crate::algorithm::{Algorithm, AlgorithmError};
use crate::bound::Bound;
use crate::order::Order;
use crate::outcome::Outcome;
use crate::program::Transition;
use crate::sample::Sampling;
use crate::saved::Misfit;
use std::time::Duration;

/// What a search should do: [`Options::new`] and then what differs from the defaults.
///
/// ```
/// # use mazurka_core::*;
/// let algorithm = Algorithm::parse("optimal")?;
/// let options = Options::new(algorithm).keep_going(true).limits(Limits::default().executions(10_000));
/// # Ok::<(), AlgorithmError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Which algorithm.
    pub algorithm: Algorithm,
    /// Which process to try first.
    pub order: Order,
    /// When to stop early.
    pub limits: Limits,
    /// Continue after the first failure. Of steps that panic themselves see [`Program::step`](crate::Program::step).
    pub keep_going: bool,
    /// Whether blocked processes at the end of an execution are a failure.
    pub deadlock_is_error: bool,
    /// Count distinct final states.
    pub final_states: bool,
    /// Keep no snapshots: rebuild states by running their schedule again from the start.
    pub replay: bool,
    /// Merging: what must be preserved.
    pub observe: Observe,
    /// Merging: look at the values of shared locations, where the program lets them be seen. Without that a guard that may hold is taken to hold, and
    /// only equal states are merged: what certificates prove.
    pub see_values: bool,
    /// Merging: keep the store even if next to nothing is found in it.
    pub keep_store: bool,
    /// Merging: treat states that differ only in the names of interchangeable tasks as equal, where the program can tell.
    pub exchange_tasks: bool,
    /// Merging: at most this many cones per state, where possible; fewer cones cost explorations, never coverage.
    pub cone_cap: Option<usize>,
    /// Random executions instead of a search; the algorithm then means nothing, and the verdict is never `complete`.
    pub sampling: Option<Sampling>,
    /// Only the executions within a bound. The search is then one of its own; of the algorithm only `naive` means something: that nothing is
    /// reduced.
    pub bound: Option<Bound>,
}

impl Options {
    /// The defaults for an algorithm: first failure stops, deadlocks are failures, no limits.
    pub fn new(algorithm: Algorithm) -> Self {
        Options {
            algorithm,
            order: Order::Fifo,
            limits: Limits::default(),
            keep_going: false,
            deadlock_is_error: true,
            final_states: false,
            replay: false,
            observe: Observe::default(),
            see_values: true,
            keep_store: false,
            exchange_tasks: true,
            cone_cap: None,
            sampling: None,
            bound: None,
        }
    }

    /// Sets [`Options::algorithm`].
    #[must_use]
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Options { algorithm, ..self }
    }

    /// Sets [`Options::order`].
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Options { order, ..self }
    }

    /// Sets [`Options::limits`].
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Sets [`Options::keep_going`].
    #[must_use]
    pub fn keep_going(self, keep_going: bool) -> Self {
        Options { keep_going, ..self }
    }

    /// Sets [`Options::deadlock_is_error`].
    #[must_use]
    pub fn deadlock_is_error(self, deadlock_is_error: bool) -> Self {
        Options { deadlock_is_error, ..self }
    }

    /// Sets [`Options::final_states`].
    #[must_use]
    pub fn final_states(self, final_states: bool) -> Self {
        Options { final_states, ..self }
    }

    /// Sets [`Options::replay`].
    #[must_use]
    pub fn replay(self, replay: bool) -> Self {
        Options { replay, ..self }
    }

    /// Sets [`Options::observe`].
    #[must_use]
    pub fn observe(self, observe: Observe) -> Self {
        Options { observe, ..self }
    }

    /// Sets [`Options::see_values`].
    #[must_use]
    pub fn see_values(self, see_values: bool) -> Self {
        Options { see_values, ..self }
    }

    /// Sets [`Options::keep_store`].
    #[must_use]
    pub fn keep_store(self, keep_store: bool) -> Self {
        Options { keep_store, ..self }
    }

    /// Sets [`Options::exchange_tasks`].
    #[must_use]
    pub fn exchange_tasks(self, exchange_tasks: bool) -> Self {
        Options { exchange_tasks, ..self }
    }

    /// Sets [`Options::cone_cap`].
    #[must_use]
    pub fn cone_cap(self, cone_cap: impl Into<Option<usize>>) -> Self {
        Options {
            cone_cap: cone_cap.into(),
            ..self
        }
    }

    /// Sets [`Options::sampling`].
    #[must_use]
    pub fn sampling(self, sampling: impl Into<Option<Sampling>>) -> Self {
        Options {
            sampling: sampling.into(),
            ..self
        }
    }

    /// Sets [`Options::bound`].
    #[must_use]
    pub fn bound(self, bound: impl Into<Option<Bound>>) -> Self {
        Options {
            bound: bound.into(),
            ..self
        }
    }
}

/// Which differences a merging search preserves (`--observe`). Coarser settings merge more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Observe {
    /// Every final state; only equal states are merged.
    States,
    /// Every final state; states are also merged if they differ only in values that are overwritten before they are read, or of which
    /// only the outcome of a test is used. Where that is unknown, or never happens, only equal states are merged.
    #[default]
    Finals,
    /// What the processes know at the end, failures and deadlocks; shared values that are no longer read do not count.
    Outcomes,
    /// Failures and deadlocks only.
    Failures,
}

impl Observe {
    /// Every choice, the finest first.
    pub const ALL: [Observe; 4] = [Observe::States, Observe::Finals, Observe::Outcomes, Observe::Failures];

    /// As the user writes it.
    pub fn name(self) -> &'static str {
        match self {
            Observe::States => "states",
            Observe::Finals => "finals",
            Observe::Outcomes => "outcomes",
            Observe::Failures => "failures",
        }
    }

    /// What a complete search with it guarantees, for the verdict.
    pub fn preserves(self) -> &'static str {
        match self {
            Observe::States => "equal states were merged: every final state, failure and deadlock is covered",
            Observe::Finals => {
                "states were merged that agree on everything still observed: every final state, failing statement and deadlock is covered"
            }
            Observe::Outcomes => {
                "states were merged that agree on what processes still observe: every outcome (final locals), failing statement and deadlock is covered, final shared values are not"
            }
            Observe::Failures => {
                "states were merged that agree on what can still fail: every failing statement and deadlock is covered, final values are not"
            }
        }
    }
}

impl std::str::FromStr for Observe {
    type Err = String;

    /// ```
    /// use mazurka_core::Observe;
    /// assert_eq!("outcomes".parse(), Ok(Observe::Outcomes));
    /// assert!("outcome".parse::<Observe>().unwrap_err().contains("did you mean `outcomes`?"));
    /// ```
    fn from_str(name: &str) -> Result<Self, String> {
        Observe::ALL.into_iter().find(|o| o.name() == name).ok_or_else(|| {
            let names = Observe::ALL.map(Observe::name);
            let hint = crate::nearest::nearest(name, names).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
            format!("unknown observation `{name}`{hint}; expected one of {}", names.join(", "))
        })
    }
}

/// When a search stops early; `None` means no limit.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// Complete executions.
    pub executions: Option<u64>,
    /// Steps of one execution.
    pub depth: Option<u64>,
    /// Time spent in [`Search::advance`].
    pub time: Option<Duration>,
    /// Resident memory of this process, in bytes. A merging search does not stop at this limit: its store stays below it by evicting states.
    pub memory: Option<u64>,
}

impl Limits {
    /// Sets [`Limits::executions`].
    #[must_use]
    pub fn executions(self, most: impl Into<Option<u64>>) -> Self {
        Limits {
            executions: most.into(),
            ..self
        }
    }

    /// Sets [`Limits::depth`].
    #[must_use]
    pub fn depth(self, most: impl Into<Option<u64>>) -> Self {
        Limits {
            depth: most.into(),
            ..self
        }
    }

    /// Sets [`Limits::time`].
    #[must_use]
    pub fn time(self, most: impl Into<Option<Duration>>) -> Self {
        Limits { time: most.into(), ..self }
    }

    /// Sets [`Limits::memory`].
    #[must_use]
    pub fn memory(self, most: impl Into<Option<u64>>) -> Self {
        Limits {
            memory: most.into(),
            ..self
        }
    }
}

/// Whether there is more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Call [`Search::advance`] again.
    Running,
    /// Call [`Search::outcome`].
    Done,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// What has been done so far.
    pub counts: crate::outcome::Counts,
    /// The length of the current execution.
    pub depth: u64,
    /// How many executions there will be, once that can be estimated.
    pub estimate: Option<Estimate>,
}

/// An estimate of the number of executions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The expected total.
    pub total: f64,
    /// One standard deviation of it.
    pub deviation: f64,
}

/// How an execution ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Every process finished.
    Finished,
    /// Nothing is enabled, and some process is still waiting.
    Deadlock,
    /// Everything enabled slept.
    Blocked,
    /// The state had been reached before.
    Cut,
    /// The depth limit.
    Limit,
}

/// Notified of everything the search visits. Every method has an empty default.
pub trait Observer<S> {
    /// An execution ended. `state` is its last state.
    fn execution(&mut self, schedule: &[Transition], state: &S, ending: Ending) {
        let _ = (schedule, state, ending);
    }

    /// The search took `transition` after the first `depth` transitions of the current schedule.
    fn step(&mut self, depth: usize, transition: Transition) {
        let _ = (depth, transition);
    }
}

/// The observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl<S> Observer<S> for Unobserved {}

/// A search that can be paused after any number of steps.
pub trait Search {
    /// Takes about `steps` more steps.
    fn advance(&mut self, steps: u64) -> Status;

    /// How far it has come.
    fn progress(&self) -> Progress;

    /// Ends the search at the next call of `advance`, as Ctrl-C does.
    fn interrupt(&mut self);

    /// Where it stands, as bytes with which a search of the same program with the same options goes on ([`Search::resume`]). It may take a few
    /// steps before, to a place where that can be said.
    ///
    /// # Errors
    /// If this kind of search cannot be saved.
    fn save(&mut self) -> Result<Vec<u8>, SearchError> {
        Err(SearchError::Unsaved {
            name: "this search",
            reason: "it does not say where it stands",
        })
    }

    /// Goes on where another search was saved. To be called before anything else.
    ///
    /// # Errors
    /// If the bytes do not come from such a search of the same program. This search is good for nothing then.
    fn resume(&mut self, saved: &[u8]) -> Result<(), Misfit> {
        let _ = saved;
        Err(Misfit::OtherSearch)
    }

    /// What has been found so far; final once `advance` has returned [`Status::Done`].
    fn outcome(&self) -> Outcome;
}

/// Why a search cannot start.
pub type SearchError = AlgorithmError;
