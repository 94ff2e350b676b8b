//! What a stateful search needs to know of a program beyond [`Program`]. Every method has a default, so that any program can be
//! searched; the defaults promise nothing and reduce nothing.

use super::accesses::AccessSet;
use crate::describe::Position;
use crate::footprint::Footprint;
use crate::program::{Program, Transition};

/// A program whose states are stored.
///
/// `impl StateSpace for MyProgram {}` is enough for `stateful`; [`StateSpace::future`] and [`StateSpace::advances`] are what
/// `stateful+persistent` and `stateful+source` live on.
pub trait StateSpace: Program {
    /// Appends the whole state as bytes, so that two runs have the same bytes exactly when they are the same state.
    /// False if the program cannot do that; `--exact` is then refused.
    fn encode(&self, run: &Self::Run, out: &mut Vec<u8>) -> bool {
        let _ = (run, out);
        false
    }

    /// Whether the run is in the middle of an indivisible sequence: only one process is listed by [`Program::pending`], it has
    /// enabled transitions, and nobody is meant to see this state. Such states are passed through: not stored, not counted, not
    /// matched.
    fn is_transient(&self, run: &Self::Run) -> bool {
        let _ = run;
        false
    }

    /// Adds `init_accesses(t)` of the paper: all that a pending `transition` can access when it is the next transition of its process,
    /// up to the next state that is not transient; for a disabled one, all that its guard reads.
    fn init(&self, run: &Self::Run, transition: Transition, out: &mut AccessSet) {
        let mut footprint = Footprint::new();
        self.footprint(run, transition, &mut footprint);
        out.extend(footprint.accesses());
    }

    /// Adds `future_accesses(t)` of the paper: all that the process of the pending `transition`, and every process it may yet start,
    /// can access in any execution in which `transition` is its next one. By default that is everything.
    fn future(&self, run: &Self::Run, transition: Transition, out: &mut AccessSet) {
        let _ = (run, transition);
        out.union(&AccessSet::everything());
    }

    /// Whether `transition`, which led from `before` to `after`, moved its process strictly upwards in some order on the local states
    /// of that process that is fixed once and for all. A process that ends does not move upwards.
    ///
    /// On a cycle of states every process that moves comes back to its local state, so some step of it does not go upwards: it is
    /// enough for the cycle condition (Theorem 2 of the paper) to expand the states where such steps are taken. This depends on the
    /// state only, not on the way to it, and so serves depth-first and breadth-first search alike.
    fn advances(&self, before: &Self::Run, transition: Transition, after: &Self::Run) -> bool {
        let _ = (before, transition, after);
        false
    }

    /// Calls `mark` with the numbers of the statements that an enabled `transition` executes.
    fn executes(&self, run: &Self::Run, transition: Transition, mark: &mut dyn FnMut(u32)) {
        let _ = (run, transition, mark);
    }

    /// The statements, in the order of reports; [`StateSpace::executes`] numbers them by their place here.
    fn statements(&self) -> Vec<Statement> {
        Vec::new()
    }
}

/// A statement of the program text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it is part of: a proctype.
    pub part: String,
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub at: Option<Position>,
}
