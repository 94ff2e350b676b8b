//! What a stateful search has to say besides its [`Outcome`](crate::Outcome).

use super::property::PropertyReport;
use super::states::Statement;
use crate::driver::{Driver, Walk};
use crate::program::Transition;
use crate::search::Search;

/// The counts as SPIN gives them, the trust in them, and the dead code.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct StateReport {
    /// States stored.
    pub stored: u64,
    /// How often a stored state was reached again.
    pub matched: u64,
    /// The sum of both: the first state counts as reached once.
    pub transitions: u64,
    /// An upper bound of the probability that two states were taken for one; `None` if whole states were compared.
    pub collision_probability: Option<f64>,
    /// Whether whole states can be compared.
    pub encodable: bool,
    /// Whether a state in which something failed differs from the same state without. If not, nothing is known of how a final state was
    /// reached, in all executions that end there.
    pub remembers_failures: bool,
    /// Statements that no process ever came to. Means something only if the search was complete: persistent and source sets keep every
    /// statement reachable.
    pub unreached: Vec<Unreached>,
    /// What is asked of executions without end, and how it stands with it.
    pub properties: Vec<PropertyReport>,
}

impl StateReport {
    /// A search that has not begun.
    pub(super) fn empty(encodable: bool) -> Self {
        StateReport {
            stored: 0,
            matched: 0,
            transitions: 0,
            collision_probability: None,
            encodable,
            remembers_failures: true,
            unreached: Vec::new(),
            properties: Vec::new(),
        }
    }
}

/// A statement that no process ever came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreached(pub Statement);

/// A stateful search: a [`Search`] that can also give its [`StateReport`].
///
/// In its [`Counts`](crate::Counts), `states` are the stored states, `cut` the matched ones, `steps` the transitions taken, and
/// `executions` the states where nothing is enabled.
pub trait StatefulSearch: Search {
    /// The state space as far as it is known.
    fn report(&self) -> StateReport;

    /// A schedule to each of the first `MOST_ENDS` states where nothing is enabled, if final states were asked for.
    fn ends(&self) -> &[Vec<Transition>];

    /// Tells from now on what is explored, one state after the other: a state's successors the youngest process first, the alternatives of each
    /// in their order, each with all that is new below it before the next one. False if the search goes another way.
    fn tell(&mut self, told: Chosen) -> bool;
}

/// Is told, for each state with successors, the numbers of those that are explored, the smallest first, and how many there are.
pub type Chosen = Box<dyn FnMut(&[u32], usize)>;

/// So many final states are kept; all of them are counted.
pub const MOST_ENDS: usize = 10_000;

/// A walk through states that can give a report.
pub(super) trait Reports: Walk {
    /// The state space as far as it is known.
    fn report(&self) -> StateReport;

    /// Schedules to the ends that were kept.
    fn ends(&self) -> &[Vec<Transition>];

    /// Tells what is explored; false if it is not depth-first.
    fn tell(&mut self, told: Chosen) -> bool;
}

impl<W: Reports> StatefulSearch for Driver<W> {
    fn report(&self) -> StateReport {
        self.walk.report()
    }

    fn ends(&self) -> &[Vec<Transition>] {
        self.walk.ends()
    }

    fn tell(&mut self, told: Chosen) -> bool {
        self.walk.tell(told)
    }
}
