//! `optimal`: Optimal-DPOR with wakeup trees (JACM'17, Algorithm 2), with races of blocked steps and of alternatives.
//!
//! Races are looked at when an execution is complete, because `v` must contain *all* of it that does not depend on the first event of
//! the race: with the part up to the second event only, executions are lost (program A7). Each trace is then explored exactly once, and
//! no exploration is ever blocked by its sleep set.

use super::cuts::Cuts;
use super::exploration::{Exploration, Next, Sleeper};
use super::strategy::{Entered, Strategy};
use crate::mutation::Mutation;
use crate::program::{Program, Transition};
use crate::sequence::{First, Sequence};
use crate::store::Store;
use crate::trace::{At, Causality};
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
    wakeup: Wakeup,
    nodes: Vec<Node>,
    /// The tree that the step just taken leads to.
    inherited: Tree,
    cuts: Cuts,
    v: Sequence,
    races: Vec<At>,
}

impl Optimal {
    /// Lines 4-7: unless a sleeping step covers `v`, make sure that it will be explored from the node before `e`.
    fn reverse<P: Program, S: Store<P>>(
        wakeup: &mut Wakeup,
        nodes: &mut [Node],
        exploration: &Exploration<'_, P, S>,
        e: At,
        v: &mut Sequence,
    ) {
        let footprints = &exploration.footprints;
        let covered = exploration.frame(e).sleep.iter().any(|s| match exploration.mutation {
            Mutation::AlwaysInsert => false,
            Mutation::NeverInsertSleeping => v.transitions().any(|t| t.process == s.transition.process),
            _ => v.first(s.transition, s.footprint, footprints) != First::No,
        });
        if !covered {
            wakeup.insert(&mut nodes[e as usize].tree, v, footprints);
        }
    }

    /// Races between executed steps whose second event is new.
    fn reverse_races<P: Program, S: Store<P>>(&mut self, exploration: &mut Exploration<'_, P, S>) {
        for second in exploration.fresh_from..exploration.trace.len() {
            let footprint = exploration.trace.event(second).footprint;
            self.races.clear();
            self.races.extend(exploration.trace.races(second));
            for &e in &self.races {
                let by_guard = exploration.footprints.writes_guard(exploration.trace.event(e).footprint, footprint);
                if by_guard && exploration.mutation != Mutation::IgnoreBlocked {
                    continue;
                }
                self.v.set_notdep(&exploration.trace, &exploration.trace, e);
                self.v.push_event(&exploration.trace, second);
                Self::reverse(&mut self.wakeup, &mut self.nodes, exploration, e, &mut self.v);
            }
        }
    }

    /// Races of guarded steps: those new in the execution, and those that wait at its end.
    fn reverse_guards<P: Program, S: Store<P>>(&mut self, exploration: &mut Exploration<'_, P, S>) {
        if exploration.mutation == Mutation::IgnoreBlocked {
            return;
        }
        let len = exploration.trace.len();
        for at in exploration.fresh_from..len {
            let event = *exploration.trace.event(at);
            if !exploration.footprints.is_guarded(event.footprint) {
                continue;
            }
            // Not the step alone: an alternative that was disabled then may have been enabled earlier.
            for index in 0..exploration.frame(at).pending.len() {
                let q = exploration.frame(at).pending[index];
                if q.transition.process == event.transition.process {
                    self.reverse_guard(exploration, at, q, event.before);
                }
            }
        }
        if exploration.top().guarded {
            for index in 0..exploration.top().pending.len() {
                let q = exploration.top().pending[index];
                if exploration.footprints.is_guarded(q.footprint) {
                    let before = exploration.trace.before_next(q.transition.process);
                    self.reverse_guard(exploration, len, q, before);
                }
            }
        }
    }

    fn reverse_guard<P: Program, S: Store<P>>(&mut self, exploration: &mut Exploration<'_, P, S>, until: At, q: Next, before: At) {
        for e in 0..until {
            let writes = exploration
                .footprints
                .writes_guard(exploration.trace.event(e).footprint, q.footprint);
            if writes && !exploration.trace.in_past(e, before) {
                let (wakeup, nodes) = (&mut self.wakeup, &mut self.nodes);
                let cuts = self.cuts.prepare(exploration, &exploration.trace, e, q, before);
                cuts.for_each(exploration, e, q, before, |exploration, v| {
                    Self::reverse(wakeup, nodes, exploration, e, v)
                });
            }
        }
    }

    /// A process that chose could have chosen otherwise: its alternatives are reversals of the choice with itself.
    fn reverse_choices<P: Program, S: Store<P>>(&mut self, exploration: &mut Exploration<'_, P, S>) {
        for e in exploration.fresh_from..exploration.trace.len() {
            let event = *exploration.trace.event(e);
            for index in 0..exploration.frame(e).pending.len() {
                let other = exploration.frame(e).pending[index];
                let alternative = other.enabled
                    && other.transition.process == event.transition.process
                    && other.transition.choice != event.transition.choice;
                if alternative {
                    self.v.set_notdep(&exploration.trace, &exploration.trace, e);
                    self.v.push_step(other.transition, other.footprint, event.before);
                    Self::reverse(&mut self.wakeup, &mut self.nodes, exploration, e, &mut self.v);
                }
            }
        }
    }

    fn open(&mut self, depth: usize) {
        let node = Node {
            tree: std::mem::take(&mut self.inherited),
            taken: 0,
        };
        match self.nodes.get_mut(depth) {
            Some(old) => *old = node,
            None => self.nodes.push(node),
        }
    }
}

impl<P: Program, S: Store<P>> Strategy<P, S> for Optimal {
    fn enter(&mut self, exploration: &mut Exploration<'_, P, S>) -> Entered {
        let depth = exploration.depth();
        self.open(depth);
        if self.nodes[depth].tree.is_empty() {
            // Lines 10-11: no plan leads here, so any step that does not sleep will do.
            match exploration.first_choice(|frame, t| !frame.sleeps(t)) {
                Some(first) => self.nodes[depth].tree = self.wakeup.leaf(first.transition, first.footprint),
                None => return Entered::Blocked,
            }
        }
        Entered::Open
    }

    fn choose(&mut self, exploration: &mut Exploration<'_, P, S>) -> Option<Transition> {
        let node = &mut self.nodes[exploration.depth()];
        let (transition, _, below) = self.wakeup.take(&mut node.tree)?;
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
        self.reverse_races(exploration);
        self.reverse_guards(exploration);
        self.reverse_choices(exploration);
        exploration.fresh_from = exploration.trace.len();
    }

    fn returned(&mut self, exploration: &mut Exploration<'_, P, S>, step: Sleeper) {
        exploration.put_to_sleep(step);
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.nodes
            .get(depth)
            .map_or((0, 0), |n| (n.taken, n.taken + self.wakeup.width(n.tree)))
    }
}
