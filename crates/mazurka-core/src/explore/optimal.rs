//! `optimal`: Optimal-DPOR with wakeup trees (JACM'17, Algorithm 2), with races of blocked steps and of alternatives.
//!
//! Races are looked at when an execution is complete, because `v` must contain *all* of it that does not depend on the first event of
//! the race: with the part up to the second event only, executions are lost (program A7). Each trace is then explored exactly once, and
//! no exploration is ever blocked by its sleep set.

mod away;
mod saved;

use super::exploration::{Exploration, Sleeper};
use super::known_choices::KnownChoices;
use super::parallel::Upper;
use super::resumable::Resumable;
use super::reversals::Reversals;
use super::strategy::{Entered, Strategy};
use super::units::TraceSum;
use crate::program::Transition;
use crate::sequence::{First, Sequence};
use crate::trace::{At, NOWHERE};
use crate::wakeup::{Tree, Wakeup};
use std::cell::Cell;

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
    /// For each event of the execution, whether its races as a second event must be looked at again in the next one.
    unsettled: Vec<bool>,
    /// The same for the races of its guard.
    unsettled_guards: Vec<bool>,
    /// What stands for the traces that were run, if somebody wants to know.
    traces: Option<TraceSum>,
}

/// What must still be explored from the nodes of the current execution.
#[derive(Default)]
struct Plan {
    wakeup: Wakeup,
    nodes: Vec<Node>,
    known_choices: KnownChoices,
    /// The nodes that other workers share, if there are any; `nodes` has nothing for them.
    upper: Upper,
}

impl Plan {
    /// Line 5: what covers `v` among the steps that sleep at the node before `e`: the latest event of `v` needed for it, [`NOWHERE`] if it
    /// is not in `v`.
    #[inline]
    fn sleeper(exploration: &Exploration<'_>, e: At, v: &Sequence) -> Option<At> {
        exploration
            .frame(e)
            .sleep
            .iter()
            .find_map(|s| match v.first(s.transition, s.footprint, &exploration.footprints) {
                First::No => None,
                First::Independent => Some(NOWHERE),
                First::Initial(index) => Some(v.items[index].at),
            })
    }

    /// Lines 4-7: unless a sleeping step covers `v`, make sure that it will be explored from the node before `e`.
    ///
    /// Returns the latest event of `v` that is needed to cover it: the covering step, or the latest of a path to a leaf of the wakeup tree;
    /// [`NOWHERE`] if something that is not in `v` is needed.
    #[inline]
    fn reverse(&mut self, exploration: &mut Exploration<'_>, e: At, v: &mut Sequence) -> At {
        if let Some(covering) = Self::sleeper(exploration, e, v) {
            covering
        } else if e < self.upper.base() {
            self.upper.insert(e, v, &mut exploration.footprints)
        } else {
            let tree = &mut self.nodes[e as usize].tree;
            self.wakeup.insert(tree, v, &exploration.footprints)
        }
    }

    /// The same for an alternative to the event at `e`, with which `v` ends.
    fn reverse_choice(&mut self, exploration: &mut Exploration<'_>, e: At, v: &mut Sequence) {
        let (asleep, tree) = (&exploration.frame(e).sleep, self.nodes[e as usize].tree);
        let shared = e < self.upper.base();
        if shared || !self.known_choices.cover(e, v, asleep, &self.wakeup, tree, &exploration.footprints) {
            self.reverse(exploration, e, v);
        }
    }
}

impl Optimal {
    /// Races between executed steps.
    ///
    /// Races of the prefix that the last execution had too are looked at again, because `v` is another one, unless they are *settled*:
    /// what covers `v` consists of events of `v` no later than the race. Every execution with that prefix has them, so the sequence of this
    /// race is covered in all of them. What covers `v` as a later event or as a weak initial need not cover the next one: some orders of
    /// `p0:[x=0] p1:[l=x] p2:[y=0] p3:[l=y; l=x] p4:[l=y]` lose a trace if that is overlooked. That an *inner* node of the wakeup tree
    /// is such an event is not enough (`init a[2]; p0:[l=a[1]] p1:[a[1]=0][a[1]=0] p2:[a[0]=z] p3:[z=0] p4:[l=a[0]; l=a[1]] p5:[l=a[0]]`):
    /// what must follow it depends on all of `v`.
    fn reverse_races(&mut self, exploration: &mut Exploration<'_>) {
        let len = exploration.trace.len();
        self.unsettled.resize(len as usize, true);
        let Optimal { plan, unsettled, .. } = self;
        for second in 0..len {
            let unsettled = &mut unsettled[second as usize];
            if second < exploration.fresh_from && !*unsettled {
                continue;
            }
            *unsettled = false;
            self.reversals
                .ending_in(exploration, second, &mut |exploration: &mut _, e, v: &mut Sequence, _| {
                    // The second event is independent of what follows it in `v`: at its own place it is as early as can be.
                    let place = v.items.iter().take_while(|item| item.at < second).count();
                    v.items[place..].rotate_right(1);
                    let covering = plan.reverse(exploration, e, v);
                    *unsettled |= covering > second;
                });
        }
    }

    /// Races of guarded steps that were taken.
    ///
    /// They are settled like other races if the first event writes all that the guard reads: then every later write of it depends on that
    /// event, nothing in `v` writes it, and whether the step is enabled after `v` is decided by what precedes it.
    fn reverse_guards(&mut self, exploration: &mut Exploration<'_>) {
        let len = exploration.trace.len();
        self.unsettled_guards.resize(len as usize, true);
        for second in 0..len {
            if second < exploration.fresh_from && !self.unsettled_guards[second as usize] {
                continue;
            }
            // The latest event that covers one of them. Both closures say what covers a sequence.
            let latest = Cell::new(0);
            let note = |covering: At| latest.set(latest.get().max(covering));
            let plan = &mut self.plan;
            let same_in_all = self.reversals.guards(
                exploration,
                second,
                |exploration, e, v| Plan::sleeper(exploration, e, v).map(note).is_some(),
                |exploration, e, v| note(plan.reverse(exploration, e, v)),
            );
            self.unsettled_guards[second as usize] = latest.get() > second || !same_in_all;
        }
    }

    /// The nodes that other workers share.
    pub(super) fn upper(&mut self) -> &mut Upper {
        &mut self.plan.upper
    }

    /// A leaf was reached, which is as deep as that: nothing is planned from there.
    pub(super) fn begin(&mut self, depth: usize) {
        self.inherited = Tree::default();
        self.plan.nodes.truncate(depth);
        self.plan.nodes.resize(depth, Node::default());
    }

    /// Publishes the highest node of the current execution at which something is planned, if there is one, with those above it.
    pub(super) fn publish(&mut self, exploration: &Exploration<'_>) {
        let Plan { wakeup, nodes, upper, .. } = &mut self.plan;
        let private = upper.base() as usize..exploration.depth();
        let Some(depth) = private.into_iter().find(|d| !nodes[*d].tree.is_empty()) else {
            return;
        };
        let plan = std::mem::take(&mut nodes[depth].tree);
        upper.publish(exploration, depth, |at| nodes[at].taken, wakeup, plan);
        wakeup.forget(plan);
    }

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

impl Strategy for Optimal {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
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

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        let node = &mut self.plan.nodes[exploration.depth()];
        let (transition, _, below) = self.plan.wakeup.take(&mut node.tree)?;
        node.taken += 1;
        self.inherited = below;
        Some(transition)
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.open(exploration.depth());
        if let Some(traces) = &mut self.traces {
            traces.add(&exploration.trace, exploration.facts.names.0[0]);
        }
        self.reverse_races(exploration);
        self.reverse_guards(exploration);
        // What the waiting steps and the other choices lead to depends on all that precedes, so they are always looked at again.
        let len = exploration.trace.len();
        let (plan, reversals) = (&mut self.plan, &mut self.reversals);
        let covered = |exploration: &Exploration<'_>, e, v: &Sequence| exploration.sleep_covers(e, v);
        reversals.guards(exploration, len, covered, |exploration, e, v| {
            plan.reverse(exploration, e, v);
        });
        plan.known_choices.forget();
        reversals.choices(exploration, |exploration, e, v| plan.reverse_choice(exploration, e, v));
        exploration.fresh_from = len;
    }

    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        exploration.put_to_sleep(step);
    }

    fn resumable(&mut self) -> Option<&mut dyn Resumable> {
        Some(self)
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.plan
            .nodes
            .get(depth)
            .map_or((0, 0), |n| (n.taken, n.taken + self.plan.wakeup.width(n.tree)))
    }
}
