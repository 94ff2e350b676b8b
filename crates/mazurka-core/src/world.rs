//! What searches see of a program: object-safe, so that every search is compiled once, whatever the language.
//!
//! A front end implements [`Program`](crate::Program), which is typed by its states. [`Running`](crate::running::Running) hides the type:
//! it keeps the states of the current execution and answers every question about them. Questions come once a step or less often, so a
//! call through a table costs next to nothing; what is asked more often (conflicts, guards, the trace) stays in the engine.

use crate::effects::Effects;
use crate::footprint::Footprint;
use crate::insights::{Atom, GuardLocations, Influence, Knowledge, Predicate, Task};
use crate::order::Order;
use crate::outcome::Failure;
use crate::program::{Features, Fingerprint, Location, Pending, Process, Program, Transition};
use crate::saved::Tables;
use crate::search::Ending;
use smallvec::SmallVec;
use std::ops::Range;

/// What is known of a program whatever its state, asked once.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'p> {
    /// What the algorithms may assume.
    pub features: Features,
    /// Whether the questions of [`Values`] have answers.
    pub comparable: bool,
    /// Whether it is known which shared values can still be read.
    pub liveness: bool,
    /// See [`Comparable::overwrites`](crate::Comparable::overwrites); true if the program is not comparable.
    pub overwrites: bool,
    /// Whether [`Situation::enabled_after`] has answers.
    pub enabling: bool,
    /// The names of its processes, if their numbers depend on who was met first.
    pub names: Tables<'p>,
    guard_locations: Option<&'p dyn GuardLocations>,
}

impl<'p> Facts<'p> {
    /// The facts of a program.
    pub fn of<P: Program>(program: &'p P) -> Self {
        let insights = program.insights();
        Facts {
            features: program.features(),
            comparable: insights.comparable.is_some(),
            liveness: insights.liveness.is_some(),
            overwrites: insights.comparable.is_none_or(|c| c.overwrites()),
            enabling: insights.enabling.is_some(),
            names: Tables([insights.names, insights.objects]),
            guard_locations: insights.guard_locations,
        }
    }

    /// See [`GuardLocations::may_guard`]; true if that is not known.
    pub fn may_guard(&self, location: Location) -> bool {
        self.guard_locations.is_none_or(|g| g.may_guard(location))
    }
}

/// A program in the middle of an execution.
pub(crate) trait World {
    /// The state after the last step.
    fn current(&mut self) -> &dyn Situation;

    /// Takes a step; a failure is left in the effects. False if it panicked: then there is a failure, and the state after the step must
    /// not be looked at.
    fn take(&mut self, transition: Transition, effects: &mut Effects) -> bool;

    /// Forgets the last step.
    fn back(&mut self);

    /// A copy of the state after the first `depth` steps, to try something on.
    fn aside(&mut self, depth: usize) -> &mut dyn Situation;

    /// Steps that were run to rebuild states.
    fn rebuilding_steps(&self) -> u64;

    /// Tells the observer that a step is about to be taken.
    fn tell_step(&mut self, depth: usize, transition: Transition);

    /// Tells the observer that the current execution, which is `schedule`, ended.
    fn tell_ending(&mut self, schedule: &[Transition], ending: Ending);
}

/// When two states are the same.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Equality {
    /// When they are equal.
    #[default]
    Exact,
    /// When they differ at most in shared values that no process can read any more: what processes see, failures and deadlocks are kept,
    /// final values of shared variables are not.
    Live,
}

/// A program in one of its states; see [`Program`](crate::Program) for the meaning of the questions.
pub(crate) trait Situation: Values {
    /// Appends every transition of every unfinished process.
    fn pending(&self, out: &mut Vec<Pending>);

    /// Adds what a pending transition may touch.
    fn footprint(&self, transition: Transition, out: &mut Footprint);

    /// Takes a step, like [`World::take`].
    fn step(&mut self, transition: Transition, effects: &mut Effects) -> bool;

    /// Stands for the state.
    fn fingerprint(&self, equality: Equality) -> Fingerprint;

    /// Adds everything that is wrong with an execution that ends here.
    fn failures_at_end(&self, out: &mut Vec<Failure>);

    /// Adds everything that a process may touch from here on; false if that is not known.
    fn future(&self, process: Process, out: &mut Footprint) -> bool;

    /// Whether a transition would be enabled after a part of the execution that led here; `None` if that must be tried.
    fn enabled_after(&self, kept: &[u32], transition: Transition) -> Option<bool>;

    /// The place of a transition in the order, if the program knows the order.
    fn precedence(&self, order: Order, transition: Transition) -> Option<u64>;

    /// The actor on which a transition runs.
    fn actor(&self, transition: Transition) -> Option<u32>;
}

/// The values in a state, asked of comparable programs only; see [`Comparable`](crate::Comparable) for the meaning of the questions.
pub(crate) trait Values {
    /// The value of a location.
    fn value(&self, location: Location) -> i64;

    /// The guard of the next step of a process.
    fn guard(&self, process: Process, atoms: &mut SmallVec<[Atom; 4]>) -> Predicate;

    /// The value of a predicate.
    fn evaluate(&self, predicate: Predicate, atoms: &[i64]) -> u64;

    /// Stands for a part of the state.
    fn control(&self, knowledge: Knowledge, tasks: Option<&mut Vec<Task>>) -> Fingerprint;

    /// What an enabled transition does here.
    fn influence(&self, transition: Transition, knowledge: Knowledge, out: &mut Influence);

    /// The private locations that decide what the next step of a process touches.
    fn addressing(&self, process: Process, out: &mut Vec<Location>);

    /// The locations that an observer of final states sees.
    fn shared_locations(&self) -> Range<u32>;
}
