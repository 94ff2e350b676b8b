//! `optimal` in a unit: what it is told, and what it says in the end.

use super::Optimal;
use crate::explore::units::{Away, TraceSum};
use crate::wakeup::{Tree, Wakeup};

impl Optimal {
    /// Says what is above the leaf; returns what was.
    pub(in crate::explore) fn set_away(&mut self, away: Option<Away>) -> Option<Away> {
        std::mem::replace(&mut self.plan.upper.away, away.map(Box::new)).map(|away| *away)
    }

    pub(in crate::explore) fn away(&self) -> Option<&Away> {
        self.plan.upper.away.as_deref()
    }

    /// Says which leaf is run, and which nodes lead there.
    pub(in crate::explore) fn at_leaf(&mut self, leaf: u32, way: Vec<u32>) {
        if let Some(away) = &mut self.plan.upper.away {
            away.begin(leaf, way);
        }
    }

    /// Begins to sum up traces, or ends; returns what there is so far.
    pub(in crate::explore) fn sum_traces(&mut self, traces: Option<TraceSum>) -> Option<TraceSum> {
        std::mem::replace(&mut self.traces, traces)
    }

    /// What is planned at a node of the current execution.
    pub(in crate::explore) fn planned(&self, depth: usize) -> Tree {
        self.plan.nodes.get(depth).map_or(Tree::default(), |node| node.tree)
    }

    /// How many branches of a node were taken, the current one included.
    pub(in crate::explore) fn branches_taken(&self, depth: usize) -> u64 {
        self.plan.nodes.get(depth).map_or(0, |node| node.taken)
    }

    /// Where the plans are.
    pub(in crate::explore) fn wakeup(&self) -> &Wakeup {
        &self.plan.wakeup
    }
}
