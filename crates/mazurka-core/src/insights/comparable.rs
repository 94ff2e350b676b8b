//! What a program can tell about the values in its states, for searches that compare states more finely than by equality.
//!
//! Merging works for every [`Program`](crate::Program): equal fingerprints are equal states. A program that is also [`Comparable`] lets it
//! decide whether a waiting step could go on in another context, whether two states differ only in what nobody looks at, and whether they
//! differ only in the names of tasks.

use crate::program::{Fingerprint, Location, Process, Transition};
use smallvec::SmallVec;

/// A condition of the program text, for example the guard of one step: a number that the program gives out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Predicate(pub u32);

/// One of the values that a predicate looks at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// A value that no shared location has a part in.
    Known(i64),
    /// The value of a location plus a constant.
    Open(Location, i64),
}

/// Where a value that a step wrote comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// It is the same in every context.
    Constant,
    /// It is what this location had before the step, plus a constant.
    Copy(Location, i64),
    /// It was computed from what these locations had before the step.
    Computed(SmallVec<[Location; 4]>),
}

/// What a step did, seen from the state before it.
#[derive(Clone, Debug, Default)]
pub struct Influence {
    /// The locations that the step really replaced the value of, each with where the new value comes from.
    pub writes: Vec<(Location, Origin)>,
    /// The locations whose values decided something, or are known to the process from now on.
    pub reads: Vec<Location>,
    /// The predicates of which the step learned no more than their value.
    pub tests: Vec<(Predicate, SmallVec<[Atom; 4]>)>,
}

impl Influence {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.writes.clear();
        self.reads.clear();
        self.tests.clear();
    }
}

/// A task that may be exchanged with any other one in the same state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Task {
    /// Stands for its local state.
    pub state: Fingerprint,
    /// Its name, which means nothing to the others.
    pub process: Process,
}

/// How much of the local states belongs to what must be equal; see [`Comparable::control`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knowledge {
    /// Shared values and all that the processes know: two states are equal if they are.
    Everything,
    /// All that the processes know, but no shared value.
    Locals,
    /// Where the processes are; what those that exist from the start know is a matter of locations.
    Positions,
}

/// A program whose values can be read and whose conditions can be evaluated in other contexts.
///
/// *Good for* merging, which then explores less and offers more of [`Observe`](crate::Observe).
/// *Without it* only equal states are merged.
pub trait Comparable<S> {
    /// The value of a location. Accumulating adds to it, modulo a power of two of at most 2⁶⁴.
    ///
    /// Beside the locations of footprints there may be private ones, which hold what processes know and are seen by
    /// [`Comparable::influence`] with [`Knowledge::Positions`] only.
    fn value(&self, state: &S, location: Location) -> i64;

    /// The guard of the step that `process`, which is unfinished and guarded, takes next, with its atoms. What the process itself
    /// knows is [`Atom::Known`].
    fn guard(&self, state: &S, process: Process, atoms: &mut SmallVec<[Atom; 4]>) -> Predicate;

    /// The value of a predicate when its atoms have these values. For a guard: 0 if no transition of the step is enabled, otherwise a
    /// number that says which ones are.
    fn evaluate(&self, predicate: Predicate, atoms: &[i64]) -> u64;

    /// A fingerprint of the part of the state that `knowledge` names.
    ///
    /// If `tasks` is given and tasks can be exchanged, the fingerprint does not depend on which task is which, those that are
    /// unfinished are appended, and finished ones count by what they knew in the end; with [`Knowledge::Positions`] they leave no trace.
    fn control(&self, state: &S, knowledge: Knowledge, tasks: Option<&mut Vec<Task>>) -> Fingerprint;

    /// What `transition`, enabled at `state`, does there.
    fn influence(&self, state: &S, transition: Transition, knowledge: Knowledge, out: &mut Influence);

    /// The private locations that decide what the next step of a process may touch, or that its guard reads.
    fn addressing(&self, state: &S, process: Process, out: &mut Vec<Location>);

    /// Whether some step may replace a shared value without using it. If none does, every shared value has a part in the final state,
    /// and states that agree on all that is observed are equal. `true` is always safe.
    fn overwrites(&self) -> bool {
        true
    }

    /// The locations that an observer of final states sees.
    fn shared_locations(&self) -> std::ops::Range<u32>;
}
