//! What a stateful search needs to know of a program beyond [`Program`]. Every method has a default, so that any program can be
//! searched; the defaults promise nothing and reduce nothing.

use super::alternatives::Alternatives;
use crate::describe::Position;
use crate::effects::Effects;
use crate::outcome::Failure;
use crate::program::{Process, Program, Transition};

/// A program whose states are stored.
///
/// `impl StateSpace for MyProgram {}` is enough for `stateful`; [`StateSpace::alternatives`] and [`StateSpace::advances`] are what
/// `stateful+persistent` and `stateful+source` live on.
pub trait StateSpace: Program<Run: Clone> {
    /// Calls `visit` for every enabled transition of `run`, process by process in the order of [`Program::pending`].
    fn successors(&self, run: &Self::Run, mut visit: impl FnMut(Successor<'_, Self::Run>)) {
        let (mut pending, mut effects) = (Vec::new(), Effects::default());
        self.pending(run, &mut pending);
        for p in pending.iter().filter(|p| p.enabled) {
            let mut after = run.clone();
            effects.clear();
            self.step(&mut after, p.transition, &mut effects);
            visit(Successor {
                transition: p.transition,
                alternative: p.transition.choice,
                after: &after,
                failure: effects.failure.take(),
                statements: &[],
            });
        }
    }

    /// Appends the whole state as bytes, so that two runs have the same bytes exactly when they are the same state.
    /// False if the program cannot do that; `--exact` is then refused.
    fn encode(&self, run: &Self::Run, out: &mut Vec<u8>) -> bool {
        let _ = (run, out);
        false
    }

    /// Adds every alternative of every unfinished process, enabled or not, with what it may access. By default nothing is known about
    /// the future.
    fn alternatives(&self, run: &Self::Run, out: &mut Alternatives) {
        out.of_pending(self, run);
    }

    /// Whether the process moved strictly upwards from `before` to `after`, in some order on its local states that is fixed once and for
    /// all. A process that ended did not.
    ///
    /// On a cycle of states every process that moves comes back to its local state, so some step of it does not go upwards: it is
    /// enough for the cycle condition (Theorem 2 of the paper) to expand the states where such steps are taken. This depends on the
    /// state only, not on the way to it, and so serves depth-first and breadth-first search alike.
    fn advances(&self, before: &Self::Run, process: Process, after: &Self::Run) -> bool {
        let _ = (before, process, after);
        false
    }

    /// The statements, in the order of reports; [`Successor::statements`] numbers them by their place here.
    fn statements(&self) -> Vec<Statement> {
        Vec::new()
    }
}

/// What one enabled transition leads to.
#[derive(Debug)]
pub struct Successor<'a, R> {
    /// The transition, as [`Program::step`] takes it.
    pub transition: Transition,
    /// Which of the alternatives of its process it begins with, as numbered by [`StateSpace::alternatives`]. Several transitions can
    /// begin with one alternative: the ways through an indivisible sequence, the partners of a rendezvous.
    pub alternative: u32,
    /// The state after it.
    pub after: &'a R,
    /// What went wrong in it.
    pub failure: Option<Failure>,
    /// The statements it executes.
    pub statements: &'a [u32],
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
