//! A search as its caller sees it: it can be advanced, asked how far it is, and asked what it found.

use crate::algorithm::{Algorithm, AlgorithmError};
use crate::mutation::Mutation;
use crate::outcome::Outcome;
use crate::program::{Order, Program, Transition};
use std::time::Duration;

/// What a search is asked to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which algorithm.
    pub algorithm: Algorithm,
    /// Which process to try first.
    pub order: Order,
    /// When to give up.
    pub limits: Limits,
    /// Go on after the first failure.
    pub keep_going: bool,
    /// Whether blocked processes at the end of an execution are a failure.
    pub deadlock_is_error: bool,
    /// Count distinct final states.
    pub final_states: bool,
    /// Keep no snapshots: rebuild states by running their schedule again from the start.
    pub replay: bool,
    /// Merging: at most this many cones per state where that can be had; fewer cones cost explorations, never coverage.
    pub cone_cap: Option<usize>,
    /// A deliberate error in the algorithm: tests switch one on to see that it would be noticed.
    pub mutation: Mutation,
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
            cone_cap: None,
            mutation: Mutation::None,
        }
    }
}

/// When a search gives up; `None` is no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Complete executions.
    pub executions: Option<u64>,
    /// Steps of one execution.
    pub depth: Option<u64>,
    /// Time spent in [`Search::advance`].
    pub time: Option<Duration>,
    /// Bytes that the process holds. A merging search ends for no such limit: its store keeps below it by forgetting states.
    pub memory: Option<u64>,
}

/// Whether there is more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Call [`Search::advance`] again.
    Running,
    /// Call [`Search::outcome`].
    Done,
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    /// What was done so far.
    pub counts: crate::outcome::Counts,
    /// The length of the current execution.
    pub depth: u64,
    /// How many executions there will be.
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
    /// Nothing is enabled and some process waits for ever.
    Deadlock,
    /// All that was enabled slept.
    Blocked,
    /// The state had been reached before.
    Cut,
    /// The depth limit.
    Limit,
}

/// Is told of everything the search visits. Every method has an empty default.
pub trait Observer<P: Program> {
    /// An execution ended. `run` is its last state.
    fn execution(&mut self, schedule: &[Transition], run: &P::Run, ending: Ending) {
        let _ = (schedule, run, ending);
    }

    /// The search took `transition` after the first `depth` transitions of the current schedule.
    fn step(&mut self, depth: usize, transition: Transition) {
        let _ = (depth, transition);
    }
}

/// The observer that looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl<P: Program> Observer<P> for Unobserved {}

/// A search that can be paused after any number of steps.
pub trait Search {
    /// Takes about `steps` more steps.
    fn advance(&mut self, steps: u64) -> Status;

    /// How far it is.
    fn progress(&self) -> Progress;

    /// Ends the search at the next call of `advance`, as Ctrl-C does.
    fn interrupt(&mut self);

    /// What was found so far; final once `advance` has said [`Status::Done`].
    fn outcome(&self) -> Outcome;
}

/// Why a search cannot start.
pub type SearchError = AlgorithmError;
