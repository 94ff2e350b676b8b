//! `optimal+context`: context-sensitive Optimal-DPOR (Albert, de la Banda, Gómez-Zamalloa, Isabel, Stuckey; ISSTA'19, Algorithm 1),
//! repaired.
//!
//! A reversal that leads to the same state as the execution it comes from is explored up to its last step only: the sequence is a
//! *don't-do*. The corrections, each with a program that shows the need: `v` holds everything that does not depend on the first event
//! (C8); what is forbidden is the sequence after which states were compared, not a part of it (C9); what a forbidden step leaves unseen is
//! made up for at every node where it is forbidden: its own races (C4, C10) and those of what would follow it (C18).
//!
//! Where an execution ends early, because a step is forbidden, only a part of it is known. Then `v` is covered only by steps that are *in*
//! it, as in Source-DPOR: what is independent of the part that is known need not be independent of the rest. For the same reason a step that slept
//! already when the node was reached covers only what it is in. `docs/src/soundness.md` has the proof.
//!
//! `optimal+context+observers` repairs the paper's Algorithm 2 in the same way: happens-before stays as it is, but states are equal up to dead
//! variables. "The same effect on the observers" of the paper is not enough: a later reader may see the difference (C11).

use super::exploration::{Exploration, Next, Sleeper};
use super::observed::observers;
use super::reversals::Reversals;
use super::skipped::Skipped;
use super::sleep_sequences::{SleepSequence, inherit};
use super::strategy::{Entered, Strategy};
use crate::program::Transition;
use crate::sequence::{First, Sequence};
use crate::trace::{At, Causality, Trace};
use crate::wakeup::{Tree, Wakeup};
use crate::world::Equality;

/// One node of the current execution.
#[derive(Default)]
struct Node {
    tree: Tree,
    taken: u64,
    /// The don't-do sequences, `dnd(E)`.
    dont: Vec<SleepSequence>,
    /// How many steps slept when the node was reached: the first so many of its sleep set.
    slept: usize,
}

/// Wakeup trees, sleep sets and don't-do sequences.
#[derive(Default)]
pub(crate) struct OptimalContext {
    plan: Plan,
    inherited: Tree,
    reversals: Reversals,
    skipped: Skipped,
    /// The races that end in an event before this one are covered by steps that are in them.
    settled: At,
}

/// What must and what need not be explored from the nodes of the current execution.
#[derive(Default)]
struct Plan {
    wakeup: Wakeup,
    nodes: Vec<Node>,
    w: Sequence,
    observers: Vec<At>,
    equality: Equality,
}

impl Plan {
    fn forbids(&self, depth: usize, transition: Transition) -> bool {
        self.nodes
            .get(depth)
            .is_some_and(|n| n.dont.iter().any(|d| d.last() == Some(transition)))
    }

    /// The execution ended: makes sure that `v` will be explored from the node before `e`, unless a sleeping step covers it.
    fn reverse(&mut self, exploration: &mut Exploration<'_>, e: At, v: &mut Sequence, second: Option<At>) {
        if self.sleep_covers(exploration, e, v) {
            return;
        }
        if let Some(second) = second {
            self.compare(exploration, e, v, second);
        }
        let footprints = &exploration.footprints;
        self.wakeup.insert(&mut self.nodes[e as usize].tree, v, footprints);
    }

    /// Whether a sleeping step covers all of `v` and whatever follows it: one that was explored from the node may be independent of `v`, one
    /// that slept there from the start must be in it.
    fn sleep_covers(&self, exploration: &Exploration<'_>, e: At, v: &Sequence) -> bool {
        let slept = self.nodes[e as usize].slept;
        let mut sleep = exploration.frame(e).sleep.iter().enumerate();
        sleep.any(|(i, s)| match v.first(s.transition, s.footprint, &exploration.footprints) {
            First::Initial(_) => true,
            First::Independent => i >= slept,
            First::No => false,
        })
    }

    /// Only a part of the execution is known: makes sure that one of the initials of `v` is explored from the node before `e`, or was, or is
    /// forbidden there.
    fn reverse_part(&mut self, exploration: &Exploration<'_>, e: At, v: &Sequence) {
        let frame = exploration.frame(e);
        let depth = e as usize;
        let tree = self.nodes[depth].tree;
        let covers = |t: Transition| frame.sleeps(t) || self.forbids(depth, t) || self.wakeup.starts_with(tree, t);
        if !v.initials(&exploration.footprints).any(covers) {
            self.wakeup.append_sequence(&mut self.nodes[depth].tree, v);
        }
    }

    /// Lines 36-40: if both orders of the race lead to the same state, `v` and what comes after `e` up to the second event is a don't-do.
    fn compare(&mut self, exploration: &mut Exploration<'_>, e: At, v: &Sequence, second: At) {
        self.set_reversed(&exploration.trace, e, second, second);
        if self.same_state(exploration, e, second, &mut Sequence::default()) {
            self.w.clear();
            self.w.items.extend_from_slice(&v.items);
            let trace = &exploration.trace;
            for at in (e..second).filter(|at| trace.happens_before(e, *at)) {
                self.w.push_event(trace, at);
            }
            // What comes later in `v` was independent of this in the other order, but need not be in this one.
            let mut later = Sequence::default();
            later.items.extend(v.items.iter().filter(|item| item.at > second));
            if self.same_state(exploration, e, second, &mut later) {
                self.forbid(e);
            }
            return;
        }
        if self.equality == Equality::Live {
            // Two writes: the difference may be gone when their first readers have read.
            let blind = |_| false;
            let by_observers = observers(&exploration.trace, &exploration.footprints, &blind, e, second, &mut self.observers);
            if let (true, Some(&last)) = (by_observers, self.observers.last()) {
                self.set_reversed(&exploration.trace, e, second, last);
                if self.same_state(exploration, e, last, &mut Sequence::default()) {
                    self.forbid(e);
                }
            }
        }
    }

    /// `w` = what does not depend on `e`, the second event, `e`, and the rest, all up to the event at `until`.
    fn set_reversed(&mut self, trace: &Trace, e: At, second: At, until: At) {
        self.w.clear();
        for at in (e + 1..=until).filter(|at| !trace.happens_before(e, *at)) {
            self.w.push_event(trace, at);
        }
        self.w.push_event(trace, second);
        for at in (e..=until).filter(|at| *at != second && trace.happens_before(e, *at)) {
            self.w.push_event(trace, at);
        }
    }

    /// Whether `w` leads from the node before `e` to the state that `later` leads to after the event at `until`.
    fn same_state(&mut self, exploration: &mut Exploration<'_>, e: At, until: At, later: &mut Sequence) -> bool {
        let there = exploration.state_along(until + 1, later, self.equality);
        there.is_some() && exploration.state_along(e, &mut self.w, self.equality) == there
    }

    /// Makes `w` a don't-do before `e`.
    fn forbid(&mut self, e: At) {
        let dont = &mut self.nodes[e as usize].dont;
        if !dont.iter().any(|d| d.is_prefix_of(&self.w)) {
            dont.push(SleepSequence::new(&self.w));
        }
    }
}

impl OptimalContext {
    pub fn new(equality: Equality) -> Self {
        let plan = Plan {
            equality,
            ..Plan::default()
        };
        OptimalContext {
            plan,
            ..OptimalContext::default()
        }
    }

    /// The races of the execution, which ends here.
    fn detect(&mut self, exploration: &mut Exploration<'_>) {
        let plan = &mut self.plan;
        self.reversals.for_each(exploration, |exploration, e, v, second| {
            plan.reverse(exploration, e, v, second);
        });
    }

    /// Steps are forbidden at the top node: what would be seen with them is made up for.
    fn detect_part(&mut self, exploration: &mut Exploration<'_>, forbidden: &[Next]) {
        let OptimalContext {
            plan, reversals, settled, ..
        } = self;
        // A longer execution only adds initials to the `v` of a race that is seen.
        for second in *settled..exploration.trace.len() {
            reversals.ending_in(exploration, second, &mut |exploration: &mut _, e, v: &mut Sequence, _| {
                plan.reverse_part(exploration, e, v);
            });
        }
        *settled = exploration.trace.len();
        reversals.but_for_races(exploration, |exploration, e, v| plan.reverse_part(exploration, e, v));
        for next in forbidden {
            reversals.of_next(exploration, *next, |exploration, e, v, _| plan.reverse_part(exploration, e, v));
            self.skipped.for_each(exploration, next.transition, |exploration, e, v| {
                plan.reverse_part(exploration, e, v);
            });
        }
    }

    /// The execution is cut here because `step` is forbidden: its races are compared too, as if it were taken.
    fn cut(&mut self, exploration: &mut Exploration<'_>, step: Transition) {
        let OptimalContext { plan, reversals, .. } = self;
        exploration.look_ahead(step, |exploration| {
            for second in 0..exploration.trace.len() {
                reversals.ending_in(exploration, second, &mut |exploration: &mut _, e, v: &mut Sequence, second| {
                    if let (Some(second), false) = (second, plan.sleep_covers(exploration, e, v)) {
                        plan.compare(exploration, e, v, second);
                    }
                });
            }
        });
    }

    fn open(&mut self, exploration: &Exploration<'_>) {
        let depth = exploration.depth();
        if self.plan.nodes.len() == depth {
            self.plan.nodes.push(Node::default());
        }
        let (parents, rest) = self.plan.nodes.split_at_mut(depth);
        let Some(node) = rest.first_mut() else { return };
        node.tree = std::mem::take(&mut self.inherited);
        let frame = exploration.top();
        self.plan.wakeup.retain(&mut node.tree, |t| !frame.sleeps(t));
        node.taken = 0;
        node.slept = frame.sleep.len();
        node.dont.clear();
        if let Some(parent) = parents.last() {
            let event = exploration.trace.event(depth as At - 1);
            inherit(
                &parent.dont,
                &mut node.dont,
                event.transition,
                event.footprint,
                &exploration.footprints,
            );
        }
    }

    /// Plans to take any step that neither sleeps nor is forbidden at the top node; false if there is none.
    fn start(&mut self, exploration: &mut Exploration<'_>) -> bool {
        let depth = exploration.depth();
        let plan = &mut self.plan;
        let first = exploration.first_choice(|frame, t| !frame.sleeps(t) && !plan.forbids(depth, t));
        if let Some(first) = first {
            plan.nodes[depth].tree = plan.wakeup.leaf(first.transition, first.footprint);
        }
        first.is_some()
    }

    fn forbidden(&self, exploration: &Exploration<'_>) -> Vec<Next> {
        let depth = exploration.depth();
        let enabled = exploration.top().enabled();
        enabled.filter(|n| self.plan.forbids(depth, n.transition)).copied().collect()
    }
}

impl Strategy for OptimalContext {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        let depth = exploration.depth();
        self.open(exploration);
        let forbidden = self.forbidden(exploration);
        exploration.counts.skipped += forbidden.len() as u64;
        if !forbidden.is_empty() {
            self.detect_part(exploration, &forbidden);
        }
        if !self.plan.nodes[depth].tree.is_empty() || self.start(exploration) {
            return Entered::Open;
        }
        if forbidden.is_empty() {
            self.detect(exploration);
            return Entered::Blocked;
        }
        forbidden.iter().for_each(|n| self.cut(exploration, n.transition));
        Entered::Cut
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        let depth = exploration.depth();
        loop {
            let Some((transition, _, below)) = self.plan.wakeup.take(&mut self.plan.nodes[depth].tree) else {
                // All that was planned is forbidden.
                if self.plan.nodes[depth].taken == 0 && self.start(exploration) {
                    continue;
                }
                return None;
            };
            if self.plan.forbids(depth, transition) {
                exploration.counts.cut += 1;
                self.cut(exploration, transition);
            } else {
                self.plan.nodes[depth].taken += 1;
                self.inherited = below;
                return Some(transition);
            }
        }
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.open(exploration);
        self.detect(exploration);
    }

    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        self.settled = self.settled.min(exploration.trace.len());
        exploration.put_to_sleep(step);
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        let node = self.plan.nodes.get(depth);
        node.map_or((0, 0), |n| (n.taken, n.taken + self.plan.wakeup.width(n.tree)))
    }
}
