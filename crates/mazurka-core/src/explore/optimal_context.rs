//! `optimal+context`: context-sensitive Optimal-DPOR (Albert, de la Banda, Gómez-Zamalloa, Isabel, Stuckey; ISSTA'19, Algorithm 1),
//! repaired.
//!
//! A reversal that leads to the same state as the execution it comes from is explored up to its last step only: the sequence is a
//! *don't-do*. Four corrections, each with a program that shows the need: `v` holds everything that does not depend on the first event
//! (C8); what is forbidden is the sequence after which states were compared, not a part of it (C9); sequences that a forbidden branch
//! was to cover are planned again when it is cut (C10); the races of forbidden steps are looked for at every node (C4).
//!
//! Like `source+context` it still loses rare executions (program C18) and is marked as unsound.
//!
//! `optimal+context+observers` repairs the paper's Algorithm 2 in the same way: happens-before stays as it is, but states are equal up to dead
//! variables. "The same effect on the observers" of the paper is not enough: a later reader may see the difference (C11).

use super::exploration::{Exploration, Next, Sleeper};
use super::observed::observers;
use super::reversals::Reversals;
use super::sleep_sequences::{SleepSequence, inherit};
use super::strategy::{Entered, Strategy};
use crate::outcome::Counts;
use crate::program::{Program, Transition};
use crate::sequence::{First, Sequence};
use crate::store::Store;
use crate::trace::{At, Causality, Trace};
use crate::wakeup::{Tree, Wakeup};

/// One node of the current execution.
#[derive(Default)]
struct Node {
    tree: Tree,
    taken: u64,
    /// The don't-do sequences, `dnd(E)`.
    dont: Vec<SleepSequence>,
}

/// Wakeup trees, sleep sets and don't-do sequences.
#[derive(Default)]
pub(crate) struct OptimalContext {
    plan: Plan,
    inherited: Tree,
    reversals: Reversals,
}

/// What must and what need not be explored from the nodes of the current execution.
#[derive(Default)]
struct Plan {
    wakeup: Wakeup,
    nodes: Vec<Node>,
    /// For each branch of a wakeup tree, the sequences that were left to it although its step is not in them.
    through: Vec<Vec<Sequence>>,
    w: Sequence,
    observers: Vec<At>,
    equality: Equality,
}

/// When two states are the same.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Equality {
    /// When they are equal.
    #[default]
    Exact,
    /// When they differ at most in shared values that no process can read any more: what processes see, failures and deadlocks are kept,
    /// final values of shared variables are not.
    Live,
}

/// Whether a reversal is also compared with the execution it comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compare {
    Yes,
    No,
}

impl Plan {
    fn forbids(&self, depth: usize, transition: Transition) -> bool {
        self.nodes
            .get(depth)
            .is_some_and(|n| n.dont.iter().any(|d| d.last() == Some(transition)))
    }

    /// Makes sure that `v` will be explored from the node before `e`, unless a sleeping step covers it.
    fn reverse<P: Program, S: Store<P>>(
        &mut self,
        exploration: &mut Exploration<'_, P, S>,
        e: At,
        v: &mut Sequence,
        second: Option<At>,
        compare: Compare,
    ) {
        let footprints = &exploration.footprints;
        let frame = exploration.frame(e);
        if frame
            .sleep
            .iter()
            .any(|s| v.first(s.transition, s.footprint, footprints) != First::No)
        {
            return;
        }
        if let (Some(second), Compare::Yes) = (second, compare) {
            self.compare(exploration, e, v, second);
        }
        self.insert(exploration, e as usize, v);
    }

    /// Lines 36-40: if both orders of the race lead to the same state, `v` and what comes after `e` up to the second event is a don't-do.
    fn compare<P: Program, S: Store<P>>(&mut self, exploration: &mut Exploration<'_, P, S>, e: At, v: &Sequence, second: At) {
        self.set_reversed(&exploration.trace, e, second, second);
        if self.same_state(exploration, e, second) {
            self.w.items.clear();
            self.w.items.extend_from_slice(&v.items);
            let trace = &exploration.trace;
            for at in (e..second).filter(|at| trace.happens_before(e, *at)) {
                self.w.push_event(trace, at);
            }
            return self.forbid(e);
        }
        if self.equality == Equality::Live {
            // Two writes: the difference may be gone when their first readers have read.
            let blind = |_| false;
            let by_observers = observers(&exploration.trace, &exploration.footprints, &blind, e, second, &mut self.observers);
            if let (true, Some(&last)) = (by_observers, self.observers.last()) {
                self.set_reversed(&exploration.trace, e, second, last);
                if self.same_state(exploration, e, last) {
                    self.forbid(e);
                }
            }
        }
    }

    /// `w` = what does not depend on `e`, the second event, `e`, and the rest, all up to the event at `until`.
    fn set_reversed(&mut self, trace: &Trace, e: At, second: At, until: At) {
        self.w.items.clear();
        for at in (e + 1..=until).filter(|at| !trace.happens_before(e, *at)) {
            self.w.push_event(trace, at);
        }
        self.w.push_event(trace, second);
        for at in (e..=until).filter(|at| *at != second && trace.happens_before(e, *at)) {
            self.w.push_event(trace, at);
        }
    }

    /// Whether `w` leads from the node before `e` to the state after the event at `until`.
    fn same_state<P: Program, S: Store<P>>(&self, exploration: &mut Exploration<'_, P, S>, e: At, until: At) -> bool {
        let steps = self.w.transitions();
        match self.equality {
            Equality::Exact => exploration.state_after(e, steps) == exploration.state_after(until + 1, std::iter::empty()),
            Equality::Live => exploration.live_state_after(e, steps) == exploration.live_state_after(until + 1, std::iter::empty()),
        }
    }

    /// Makes `w` a don't-do before `e`.
    fn forbid(&mut self, e: At) {
        let dont = &mut self.nodes[e as usize].dont;
        if !dont.iter().any(|d| d.is_prefix_of(&self.w)) {
            dont.push(SleepSequence::new(&self.w));
        }
    }

    fn insert<P: Program, S>(&mut self, exploration: &Exploration<'_, P, S>, depth: usize, v: &mut Sequence) {
        let footprints = &exploration.footprints;
        let through = &mut self.through;
        let tree = &mut self.nodes[depth].tree;
        let first = |v: &Sequence, t, f| v.first(t, f, footprints);
        self.wakeup.insert_noting(tree, v, first, |branch, v| {
            if through.len() <= branch {
                through.resize_with(branch + 1, Vec::new);
            }
            through[branch].push(v.clone());
        });
    }

    /// A forbidden branch is cut: what it was to cover is planned again.
    fn replan<P: Program, S: Store<P>>(&mut self, exploration: &Exploration<'_, P, S>, left: Vec<Sequence>) {
        let depth = exploration.depth();
        for mut v in left {
            let footprints = &exploration.footprints;
            let asleep = |s: &Sleeper| v.first(s.transition, s.footprint, footprints) != First::No;
            if !exploration.top().sleep.iter().any(asleep) {
                self.insert(exploration, depth, &mut v);
            }
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
    fn detect<P: Program, S: Store<P>>(&mut self, exploration: &mut Exploration<'_, P, S>) {
        let plan = &mut self.plan;
        self.reversals.for_each(exploration, |exploration, e, v, second| {
            plan.reverse(exploration, e, v, second, Compare::Yes);
        });
    }

    /// The races of a forbidden step, as if it were taken at the top node.
    fn detect_forbidden<P: Program, S: Store<P>>(&mut self, exploration: &mut Exploration<'_, P, S>, next: Next) {
        let plan = &mut self.plan;
        self.reversals.of_next(exploration, next, |exploration, e, v, second| {
            plan.reverse(exploration, e, v, second, Compare::No);
        });
    }

    /// The execution is cut here because `step` is forbidden: its own races are compared too, as if it were taken.
    fn cut<P: Program, S: Store<P>>(&mut self, exploration: &mut Exploration<'_, P, S>, step: Transition) {
        self.detect(exploration);
        let counts = exploration.counts;
        if !exploration.take(step) {
            return;
        }
        let plan = &mut self.plan;
        let last = exploration.trace.len() - 1;
        self.reversals
            .ending_in(exploration, last, &mut |exploration: &mut _, e, v: &mut _, second| {
                plan.reverse(exploration, e, v, second, Compare::Yes);
            });
        exploration.back();
        // Looking ahead is no part of the tree.
        let extra_steps = exploration.counts.extra_steps + 1;
        exploration.counts = Counts { extra_steps, ..counts };
        exploration.failure = None;
    }

    fn open<P: Program, S: Store<P>>(&mut self, exploration: &Exploration<'_, P, S>) {
        let depth = exploration.depth();
        if self.plan.nodes.len() == depth {
            self.plan.nodes.push(Node::default());
        }
        let (parents, rest) = self.plan.nodes.split_at_mut(depth);
        let Some(node) = rest.first_mut() else { return };
        node.tree = std::mem::take(&mut self.inherited);
        node.taken = 0;
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

    fn forbidden<P: Program, S: Store<P>>(&self, exploration: &Exploration<'_, P, S>) -> Vec<Next> {
        let depth = exploration.depth();
        let enabled = exploration.top().enabled();
        enabled.filter(|n| self.plan.forbids(depth, n.transition)).copied().collect()
    }
}

impl<P: Program, S: Store<P>> Strategy<P, S> for OptimalContext {
    fn enter(&mut self, exploration: &mut Exploration<'_, P, S>) -> Entered {
        let depth = exploration.depth();
        self.open(exploration);
        let forbidden = self.forbidden(exploration);
        exploration.counts.skipped += forbidden.len() as u64;
        for next in &forbidden {
            self.detect_forbidden(exploration, *next);
        }
        if self.plan.nodes[depth].tree.is_empty() {
            let skipped = |t: Transition| forbidden.iter().any(|n| n.transition == t);
            match exploration.first_choice(|frame, t| !frame.sleeps(t) && !skipped(t)) {
                Some(first) => self.plan.nodes[depth].tree = self.plan.wakeup.leaf(first.transition, first.footprint),
                None if forbidden.is_empty() => return Entered::Blocked,
                None => {
                    forbidden.iter().for_each(|n| self.cut(exploration, n.transition));
                    return Entered::Cut;
                }
            }
        }
        Entered::Open
    }

    fn choose(&mut self, exploration: &mut Exploration<'_, P, S>) -> Option<Transition> {
        let depth = exploration.depth();
        loop {
            let branch = self.plan.nodes[depth].tree.leftmost()?;
            let left = self.plan.through.get_mut(branch).map(std::mem::take).unwrap_or_default();
            let (transition, _, below) = self.plan.wakeup.take(&mut self.plan.nodes[depth].tree)?;
            if !self.plan.forbids(depth, transition) {
                self.plan.nodes[depth].taken += 1;
                self.inherited = below;
                return Some(transition);
            }
            exploration.counts.cut += 1;
            self.cut(exploration, transition);
            self.plan.replan(exploration, left);
        }
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_, P, S>) {
        self.open(exploration);
        self.detect(exploration);
    }

    fn returned(&mut self, exploration: &mut Exploration<'_, P, S>, step: Sleeper) {
        exploration.put_to_sleep(step);
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        let node = self.plan.nodes.get(depth);
        node.map_or((0, 0), |n| (n.taken, n.taken + self.plan.wakeup.width(n.tree)))
    }
}
