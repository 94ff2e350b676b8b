//! `optimal`: Optimal-DPOR with wakeup trees (JACM'17, Algorithm 2), with races of blocked steps and of alternatives.
//!
//! Races are looked at when an execution is complete, because `v` must contain *all* of it that does not depend on the first event of
//! the race: with the part up to the second event only, executions are lost (program A7). Each trace is then explored exactly once, and
//! no exploration is ever blocked by its sleep set.

use super::exploration::{Exploration, Sleeper};
use super::reversals::Reversals;
use super::strategy::{Entered, Strategy};
use crate::mutation::Mutation;
use crate::program::{Program, Transition};
use crate::sequence::{First, Sequence};
use crate::store::Store;
use crate::trace::At;
use crate::wakeup::{Tree, Wakeup};

/// What must still be explored from one node.
#[derive(Clone, Copy, Default)]
struct Node {
    tree: Tree,
    taken: u64,
}

/// Wakeup trees and sleep sets.
#[derive(Default)]
pub(crate) struct Optimal {
    plan: Plan,
    /// The tree that the step just taken leads to.
    inherited: Tree,
    reversals: Reversals,
}

/// What must still be explored from the nodes of the current execution.
#[derive(Default)]
struct Plan {
    wakeup: Wakeup,
    nodes: Vec<Node>,
}

impl Plan {
    /// Lines 4-7: unless a sleeping step covers `v`, make sure that it will be explored from the node before `e`.
    fn reverse<P: Program, S: Store<P>>(&mut self, exploration: &Exploration<'_, P, S>, e: At, v: &mut Sequence) {
        let footprints = &exploration.footprints;
        let covered = exploration.frame(e).sleep.iter().any(|s| match exploration.mutation {
            Mutation::AlwaysInsert => false,
            Mutation::NeverInsertSleeping => v.transitions().any(|t| t.process == s.transition.process),
            _ => v.first(s.transition, s.footprint, footprints) != First::No,
        });
        if !covered {
            self.wakeup.insert(&mut self.nodes[e as usize].tree, v, footprints);
        }
    }
}

impl Optimal {
    fn open(&mut self, depth: usize) {
        let node = Node {
            tree: std::mem::take(&mut self.inherited),
            taken: 0,
        };
        match self.plan.nodes.get_mut(depth) {
            Some(old) => *old = node,
            None => self.plan.nodes.push(node),
        }
    }
}

impl<P: Program, S: Store<P>> Strategy<P, S> for Optimal {
    fn enter(&mut self, exploration: &mut Exploration<'_, P, S>) -> Entered {
        let depth = exploration.depth();
        self.open(depth);
        if self.plan.nodes[depth].tree.is_empty() {
            // Lines 10-11: no plan leads here, so any step that does not sleep will do.
            match exploration.first_choice(|frame, t| !frame.sleeps(t)) {
                Some(first) => self.plan.nodes[depth].tree = self.plan.wakeup.leaf(first.transition, first.footprint),
                None => return Entered::Blocked,
            }
        }
        Entered::Open
    }

    fn choose(&mut self, exploration: &mut Exploration<'_, P, S>) -> Option<Transition> {
        let node = &mut self.plan.nodes[exploration.depth()];
        let (transition, _, below) = self.plan.wakeup.take(&mut node.tree)?;
        node.taken += 1;
        self.inherited = below;
        Some(transition)
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_, P, S>) {
        self.open(exploration.depth());
        // Races of the common prefix are looked at again where processes choose, wait or are born: they can be covered with one
        // continuation and not with another.
        if exploration.choices || exploration.guards || exploration.births {
            exploration.fresh_from = 0;
        }
        let plan = &mut self.plan;
        self.reversals
            .for_each(exploration, |exploration, e, v, _| plan.reverse(exploration, e, v));
        exploration.fresh_from = exploration.trace.len();
    }

    fn returned(&mut self, exploration: &mut Exploration<'_, P, S>, step: Sleeper) {
        exploration.put_to_sleep(step);
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.plan
            .nodes
            .get(depth)
            .map_or((0, 0), |n| (n.taken, n.taken + self.plan.wakeup.width(n.tree)))
    }
}
