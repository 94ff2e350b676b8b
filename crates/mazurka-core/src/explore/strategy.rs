//! What makes one algorithm differ from another: where to go next, and what an event or an ending teaches.

use super::exploration::{Exploration, Sleeper};
use super::resumable::Resumable;
use crate::outcome::Outcome;
use crate::program::Transition;

/// What was found at a node that was just entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// There may be something to explore.
    Open,
    /// Something is enabled, but all of it sleeps.
    Blocked,
    /// Nothing is to be explored, because the states that its steps lead to were reached before.
    Cut,
}

/// An algorithm. The driver calls these in the order of the search: `enter` (a node with something enabled) or `maximal` (a node without),
/// then `choose` until it has nothing more, with `executed` after each step taken and `returned` when its subtree is done.
pub trait Strategy {
    /// The top node was reached for the first time and something is enabled there.
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered;

    /// The next transition to take at the top node.
    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition>;

    /// A step was taken; it is the last event of the trace.
    fn executed(&mut self, exploration: &mut Exploration<'_>) {
        let _ = exploration;
    }

    /// The execution ended at the top node: nothing is enabled, or the depth limit was reached.
    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        let _ = exploration;
    }

    /// The subtree of `step` is done, the top node is again the one before it.
    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        let _ = (exploration, step);
    }

    /// If its searches can be saved: what says how.
    fn resumable(&mut self) -> Option<&mut dyn Resumable> {
        None
    }

    /// How many branches of the node at `depth` were taken, the current one included, and how many are known to exist.
    fn branches(&self, depth: usize) -> (u64, u64);

    /// Adds to the outcome what only this strategy knows, such as what it left out.
    fn complete(&self, outcome: &mut Outcome) {
        let _ = outcome;
    }
}
