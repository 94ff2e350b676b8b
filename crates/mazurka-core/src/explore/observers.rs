//! `optimal+observers`: Optimal-DPOR with observers (TACAS'18), with guards.
//!
//! Writes that nobody observes are not ordered, so `n` writers of one variable have one execution, and `n` with a reader in the end have
//! `n`. Covered are outcomes: what processes saw, assertions, deadlocks; not the final values of shared variables.
//!
//! There are no sleep sets here: whether two steps commute depends on what follows. Instead a reversal is redundant if some step whose
//! subtree is done, at this node or an earlier one, could come first in what leads to it.

use super::cuts::Cuts;
use super::exploration::{Exploration, Next, Sleeper};
use super::known_choices::KnownChoices;
use super::observed::{MayGuard, Observed, done_covers, first, observers};
use super::strategy::{Entered, Strategy};
use crate::program::{Location, Transition};
use crate::sequence::Sequence;
use crate::trace::{At, Causality, NOWHERE, Trace};
use crate::wakeup::{Tree, Wakeup};

/// One node of the current execution.
#[derive(Default)]
struct Node {
    tree: Tree,
    taken: u64,
    /// The steps whose subtrees are done.
    done: Vec<Sleeper>,
}

/// Wakeup trees with observers.
#[derive(Default)]
pub(crate) struct Observers {
    plan: Plan,
    order: Observed,
    inherited: Tree,
    cuts: Cuts,
    v: Sequence,
    races: Vec<At>,
    observers: Vec<At>,
    guard_writers: Vec<At>,
}

/// What is to be explored from the nodes of the current execution.
#[derive(Default)]
struct Plan {
    wakeup: Wakeup,
    nodes: Vec<Node>,
    path: Sequence,
    known_choices: KnownChoices,
}

impl Plan {
    /// Makes sure that `v` will be explored from the node before `e`, unless a done step covers it.
    fn reverse(&mut self, exploration: &Exploration<'_>, e: At, v: &mut Sequence) {
        let facts = exploration.facts;
        let may_guard = |location: Location| facts.may_guard(location);
        let footprints = &exploration.footprints;
        let nodes = &self.nodes;
        let done = |at: At| &nodes[at as usize].done[..];
        if done_covers(&exploration.trace, footprints, &may_guard, &mut self.path, e, v, done) {
            return;
        }
        let tree = &mut self.nodes[e as usize].tree;
        self.wakeup.insert_where(tree, v, |v, t, f| first(v, t, f, footprints, &may_guard));
    }

    /// The same for an alternative to the event at `e`, with which `v` ends.
    fn reverse_choice(&mut self, exploration: &Exploration<'_>, e: At, v: &mut Sequence) {
        let Node { tree, done, .. } = &self.nodes[e as usize];
        if !self.known_choices.cover(e, v, done, &self.wakeup, *tree, &exploration.footprints) {
            self.reverse(exploration, e, v);
        }
    }
}

impl Observers {
    fn reverse_races(&mut self, exploration: &Exploration<'_>, may_guard: MayGuard<'_>) {
        let (trace, footprints) = (&exploration.trace, &exploration.footprints);
        for second in 0..trace.len() {
            self.order.races(trace, second, &mut self.races);
            for i in 0..self.races.len() {
                let e = self.races[i];
                if footprints.writes_guard(trace.event(e).footprint, trace.event(second).footprint) {
                    continue;
                }
                if observers(trace, footprints, may_guard, e, second, &mut self.observers) {
                    for o in self.minimal_observers() {
                        self.set_observed_reversal(trace, e, second, o);
                        self.plan.reverse(exploration, e, &mut self.v);
                    }
                } else {
                    self.v.set_notdep(trace, &self.order, e);
                    self.v.push_event(trace, second);
                    self.plan.reverse(exploration, e, &mut self.v);
                }
            }
        }
    }

    fn minimal_observers(&self) -> Vec<At> {
        let earlier = |o: At| self.observers.iter().any(|&p| p != o && self.order.happens_before(p, o));
        self.observers.iter().copied().filter(|&o| !earlier(o)).collect()
    }

    /// `v` = notdep(e).e'.e.(what comes after e, without e', the observers, and what comes after those).o
    fn set_observed_reversal(&mut self, trace: &Trace, e: At, second: At, o: At) {
        self.v.set_notdep(trace, &self.order, e);
        self.v.push_event(trace, second);
        self.v.push_event(trace, e);
        for at in e + 1..trace.len() {
            let follows = at != second && self.order.happens_before(e, at);
            if follows && !self.observers.iter().any(|&p| self.order.happens_before(p, at)) {
                self.v.push_event(trace, at);
            }
        }
        self.v.push_event(trace, o);
    }

    /// Races of guarded steps: those in the execution, and those that wait at its end.
    fn reverse_guards(&mut self, exploration: &mut Exploration<'_>) {
        let len = exploration.trace.len();
        for at in 0..len {
            let event = *exploration.trace.event(at);
            // Not the step alone: an alternative that was disabled then may have been enabled earlier.
            for index in 0..exploration.frame(at).pending.len() {
                let q = exploration.frame(at).pending[index];
                if q.transition.process == event.transition.process {
                    self.reverse_guard(exploration, at, q, event.before);
                }
            }
        }
        for index in 0..exploration.top().pending.len() {
            let q = exploration.top().pending[index];
            let before = exploration.trace.before_next(q.transition.process);
            self.reverse_guard(exploration, len, q, before);
        }
    }

    fn reverse_guard(&mut self, exploration: &mut Exploration<'_>, until: At, q: Next, before: At) {
        if !exploration.footprints.is_guarded(q.footprint) {
            return;
        }
        let q = q.item(NOWHERE, before);
        exploration
            .trace
            .guard_writers(&self.order, q, until, &exploration.footprints, &mut self.guard_writers);
        for &e in &self.guard_writers {
            let (cuts, plan) = (self.cuts.prepare(exploration, &self.order, e, q), &mut self.plan);
            cuts.for_each(exploration, e, q, |_, _| false, |exploration, v| plan.reverse(exploration, e, v));
        }
    }

    fn reverse_choices(&mut self, exploration: &Exploration<'_>) {
        self.plan.known_choices.forget();
        for e in 0..exploration.trace.len() {
            let event = exploration.trace.event(e);
            for other in exploration.frame(e).enabled() {
                if other.transition.process == event.transition.process && other.transition.choice != event.transition.choice {
                    self.v.set_notdep(&exploration.trace, &self.order, e);
                    self.v.push_step(other.transition, other.footprint, event.before);
                    self.plan.reverse_choice(exploration, e, &mut self.v);
                }
            }
        }
    }

    fn open(&mut self, depth: usize) {
        if self.plan.nodes.len() == depth {
            self.plan.nodes.push(Node::default());
        }
        let node = &mut self.plan.nodes[depth];
        node.tree = std::mem::take(&mut self.inherited);
        node.taken = 0;
        node.done.clear();
    }
}

impl Strategy for Observers {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        let depth = exploration.depth();
        self.open(depth);
        if self.plan.nodes[depth].tree.is_empty() {
            match exploration.first_choice(|_, _| true) {
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
        let facts = exploration.facts;
        let may_guard = |location: Location| facts.may_guard(location);
        self.order.compute(&exploration.trace, &exploration.footprints, &may_guard);
        self.reverse_races(exploration, &may_guard);
        self.reverse_guards(exploration);
        if exploration.choices {
            self.reverse_choices(exploration);
        }
    }

    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        self.plan.nodes[exploration.depth()].done.push(step);
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.plan
            .nodes
            .get(depth)
            .map_or((0, 0), |n| (n.taken, n.taken + self.plan.wakeup.width(n.tree)))
    }
}
