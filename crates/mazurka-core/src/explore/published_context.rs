//! `optimal+context:as-published` and `optimal+context+observers:as-published`: Algorithms 1 and 2 of ISSTA'19 as printed.
//!
//! Both miss executions (programs C9, C10, C11) and serve to print the columns of the paper's table. Line numbers are those of the paper. Where the text
//! leaves something open: `I_fut` are the first events of what neither is in `v` nor depends on `e`, as in the example after its definition; a race
//! on a guard is reversible if the second step is enabled without the first; there is no rule for blocked steps.

use super::exploration::{Exploration, Sleeper};
use super::observed::{MayGuard, Observed, done_covers, first, observers, overwrites};
use super::strategy::{Entered, Strategy};
use crate::effects::Effects;
use crate::footprints::{FootprintId, Footprints};
use crate::insights::{Influence, Knowledge};
use crate::program::{Fingerprint, Location, Transition};
use crate::sequence::Sequence;
use crate::trace::{At, Causality, Trace};
use crate::wakeup::{Tree, Wakeup};
use crate::world::Equality;

type Steps = Vec<(Transition, FootprintId)>;

/// One node of the current execution.
#[derive(Default)]
struct Node {
    tree: Tree,
    taken: u64,
    /// The steps whose subtrees are done.
    done: Vec<Sleeper>,
    /// The don't-do sequences, `dnd(E)`.
    dont: Vec<Steps>,
}

/// Wakeup trees with don't-do sequences.
#[derive(Default)]
pub(crate) struct PublishedContext {
    /// Algorithm 2.
    observing: bool,
    wakeup: Wakeup,
    nodes: Vec<Node>,
    inherited: Tree,
    order: Observed,
    v: Sequence,
    path: Sequence,
    races: Vec<At>,
    observers: Vec<At>,
}

/// What observing did to a process.
#[derive(PartialEq, Eq)]
enum Effect {
    /// Whether the step failed, and the values it left behind.
    Values(bool, Vec<(Location, i64)>),
    /// The whole state after it, where a program does not show its values.
    State(Fingerprint),
}

impl PublishedContext {
    /// Algorithm 1, or 2 if `observing`.
    pub fn new(observing: bool) -> Self {
        PublishedContext {
            observing,
            ..PublishedContext::default()
        }
    }

    fn forbids(&self, depth: usize, transition: Transition) -> bool {
        let forbids = |d: &Steps| matches!(d[..], [(last, _)] if last == transition);
        self.nodes[depth].dont.iter().any(forbids)
    }

    /// Lines 34-42 and 66-81.
    fn detect(&mut self, exploration: &mut Exploration<'_>) {
        let (facts, observing) = (exploration.facts, self.observing);
        // Without observers every pair of writes is ordered.
        let may_guard = |location: Location| !observing || facts.may_guard(location);
        self.order.compute(&exploration.trace, &exploration.footprints, &may_guard);
        for second in 0..exploration.trace.len() {
            self.order.races(&exploration.trace, second, &mut self.races);
            for i in 0..self.races.len() {
                self.reverse(exploration, self.races[i], second, &may_guard);
            }
        }
    }

    fn reverse(&mut self, exploration: &mut Exploration<'_>, e: At, second: At, may_guard: MayGuard<'_>) {
        let (trace, footprints) = (&exploration.trace, &exploration.footprints);
        let on_guard = footprints.writes_guard(trace.event(e).footprint, trace.event(second).footprint);
        observers(trace, footprints, may_guard, e, second, &mut self.observers);
        // Observers of a race are independent of each other.
        let (order, all) = (&self.order, self.observers.clone());
        self.observers
            .retain(|o| !all.iter().any(|p| p != o && order.happens_before(*p, *o)));
        self.set_ancestors(trace, e, second);
        if on_guard && !exploration.executable(e, &self.v) {
            return;
        }
        let trace = &exploration.trace;
        let last = self.observers.iter().copied().max();
        if let Some(last) = last {
            self.push_observed(trace, e, second, last);
        }
        self.push_future_initials(trace, e);
        let (nodes, footprints) = (&self.nodes, &exploration.footprints);
        let done = |at: At| &nodes[at as usize].done[..];
        if done_covers(trace, footprints, may_guard, &mut self.path, e, &self.v, done) {
            return;
        }
        let dont = match last {
            None => self.dont(exploration, e, second),
            Some(last) => self.observed_dont(exploration, e, last),
        };
        let footprints = &exploration.footprints;
        let node = &mut self.nodes[e as usize];
        self.wakeup
            .insert_where(&mut node.tree, &mut self.v, |v, t, f| first(v, t, f, footprints, may_guard));
        node.dont.extend(dont);
    }

    /// `v` = ance(e, e').e'
    fn set_ancestors(&mut self, trace: &Trace, e: At, second: At) {
        self.v.clear();
        for at in (e + 1..=second).filter(|at| self.order.happens_before(*at, second)) {
            self.v.push_event(trace, at);
        }
    }

    /// Line 71: `v` goes on with e, what happens before the observers, and the last of them.
    fn push_observed(&mut self, trace: &Trace, e: At, second: At, last: At) {
        self.v.push_event(trace, e);
        for at in e + 1..last {
            let precedes = self.observers.iter().any(|o| *o != at && self.order.happens_before(at, *o));
            let new = at != second && !self.observers.contains(&at) && !self.order.happens_before(at, second);
            if precedes && new {
                self.v.push_event(trace, at);
            }
        }
        self.v.push_event(trace, last);
    }

    /// `v := v.I_fut`: what neither is in `v` nor depends on e, and has no predecessor of this kind.
    fn push_future_initials(&mut self, trace: &Trace, e: At) {
        let order = &self.order;
        let rest: Vec<At> = (e + 1..trace.len())
            .filter(|at| !order.happens_before(e, *at) && !self.v.items.iter().any(|i| i.at == *at))
            .collect();
        for (i, at) in rest.iter().enumerate() {
            if !rest[..i].iter().any(|earlier| order.happens_before(*earlier, *at)) {
                self.v.push_event(trace, *at);
            }
        }
    }

    /// Lines 38-39: v.e, if both orders of the race lead to the same state.
    fn dont(&self, exploration: &mut Exploration<'_>, e: At, second: At) -> Option<Steps> {
        let trace = &exploration.trace;
        let mut reversed: Vec<Transition> = self.v.items.iter().filter(|i| i.at <= second).map(|i| i.transition).collect();
        let after = (e..second).filter(|at| self.order.happens_before(e, *at));
        reversed.extend(after.map(|at| trace.event(at).transition));
        let same = exploration.state_after(e, reversed.into_iter()) == exploration.state_after(second + 1, std::iter::empty());
        same.then(|| {
            let event = exploration.trace.event(e);
            let steps = self.v.items.iter().map(|i| (i.transition, i.footprint));
            steps.chain([(event.transition, event.footprint)]).collect()
        })
    }

    /// Lines 72-74: v and the other observers, if all of them see the same in both orders.
    fn observed_dont(&self, exploration: &mut Exploration<'_>, e: At, last: At) -> Option<Steps> {
        let others: Vec<At> = self.observers.iter().copied().filter(|o| *o != last).collect();
        let known = self.v.items.iter().filter(|i| i.at <= last).map(|i| i.at);
        let reversed: Vec<At> = known.chain(others.iter().copied()).collect();
        let there: Vec<At> = (e..=last).collect();
        let effects = self.effects(exploration, e, &there)?;
        let same = effects == self.effects(exploration, e, &reversed)?;
        same.then(|| {
            let other = others.iter().map(|o| exploration.trace.event(*o));
            let steps = self.v.items.iter().map(|i| (i.transition, i.footprint));
            steps.chain(other.map(|o| (o.transition, o.footprint))).collect()
        })
    }

    /// What the observers see if these events are run from the node before `e`, by their places; `None` if one of them is not enabled.
    fn effects(&self, exploration: &mut Exploration<'_>, e: At, events: &[At]) -> Option<Vec<(At, Effect)>> {
        let Exploration {
            world,
            facts,
            trace,
            counts,
            ..
        } = exploration;
        let comparable = facts.comparable;
        let state = world.aside(e as usize);
        let (mut effects, mut influence, mut pending) = (Effects::default(), Influence::default(), Vec::new());
        let mut seen = Vec::new();
        for at in events {
            let transition = trace.event(*at).transition;
            pending.clear();
            state.pending(&mut pending);
            if !pending.iter().any(|p| p.enabled && p.transition == transition) {
                return None;
            }
            let observer = self.observers.contains(at);
            influence.clear();
            if observer && comparable {
                state.influence(transition, Knowledge::Positions, &mut influence);
            }
            counts.extra_steps += 1;
            if !state.step(transition, &mut effects) {
                return None;
            }
            if observer {
                let effect = if comparable {
                    let written = influence.writes.iter().map(|(l, _)| (*l, state.value(*l)));
                    Effect::Values(effects.failure.is_some(), written.collect())
                } else {
                    Effect::State(state.fingerprint(Equality::Exact))
                };
                seen.push((*at, effect));
            }
        }
        seen.sort_by_key(|(at, _)| *at);
        Some(seen)
    }

    fn open(&mut self, exploration: &Exploration<'_>) {
        let depth = exploration.depth();
        if self.nodes.len() == depth {
            self.nodes.push(Node::default());
        }
        let (parents, rest) = self.nodes.split_at_mut(depth);
        let Some(node) = rest.first_mut() else { return };
        node.tree = std::mem::take(&mut self.inherited);
        node.taken = 0;
        node.done.clear();
        node.dont.clear();
        if let Some(parent) = parents.last() {
            let event = exploration.trace.event(depth as At - 1);
            let step = (event.transition, event.footprint);
            let kept = parent
                .dont
                .iter()
                .filter_map(|d| inherited(d, step, self.observing, &exploration.footprints));
            node.dont.extend(kept);
        }
    }
}

/// Lines 29-30 and 61-62: what a don't-do sequence becomes after a step.
fn inherited(dont: &Steps, (step, footprint): (Transition, FootprintId), observing: bool, footprints: &Footprints) -> Option<Steps> {
    let Some(at) = dont.iter().position(|(t, _)| t.process == step.process) else {
        let independent = dont.iter().all(|(_, f)| !footprints.conflict(*f, footprint));
        return independent.then(|| dont.clone());
    };
    let (before, rest) = (&dont[..at], &dont[at + 1..]);
    let following = || rest.iter().map(|(_, f)| *f);
    let passes = |f: FootprintId| !footprints.conflict(f, footprint) || overwritten_later(f, footprint, following, footprints);
    let moves = before.is_empty() || (observing && before.iter().all(|(_, f)| passes(*f)));
    (dont[at].0 == step && moves && dont.len() > 1).then(|| before.iter().chain(rest).copied().collect())
}

impl Strategy for PublishedContext {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        let depth = exploration.depth();
        self.open(exploration);
        let enabled = exploration.top().enabled();
        let forbidden: Vec<Transition> = enabled.map(|n| n.transition).filter(|t| self.forbids(depth, *t)).collect();
        exploration.counts.skipped += forbidden.len() as u64;
        if !self.nodes[depth].tree.is_empty() {
            return Entered::Open;
        }
        match exploration.first_choice(|_, t| !forbidden.contains(&t)) {
            Some(first) => {
                self.nodes[depth].tree = self.wakeup.leaf(first.transition, first.footprint);
                Entered::Open
            }
            None => {
                for step in forbidden {
                    exploration.look_ahead(step, |exploration| self.detect(exploration));
                }
                Entered::Cut
            }
        }
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        let depth = exploration.depth();
        loop {
            let (transition, _, below) = self.wakeup.take(&mut self.nodes[depth].tree)?;
            if !self.forbids(depth, transition) {
                self.nodes[depth].taken += 1;
                self.inherited = below;
                return Some(transition);
            }
            exploration.counts.cut += 1;
            exploration.look_ahead(transition, |exploration| self.detect(exploration));
        }
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.open(exploration);
        self.detect(exploration);
    }

    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        self.nodes[exploration.depth()].done.push(step);
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        let node = self.nodes.get(depth);
        node.map_or((0, 0), |n| (n.taken, n.taken + self.wakeup.width(n.tree)))
    }
}

/// Whether two steps conflict in blind writes only, all of which are overwritten before anybody reads them.
fn overwritten_later<I: Iterator<Item = FootprintId>>(
    one: FootprintId,
    other: FootprintId,
    following: impl Fn() -> I,
    footprints: &Footprints,
) -> bool {
    let next = |location| following().find_map(|f| footprints.accesses(f).iter().find(|a| a.location == location));
    footprints.accesses(one).iter().all(|a| {
        let mut conflicting = footprints
            .accesses(other)
            .iter()
            .filter(|b| b.location == a.location && a.mode.conflicts(b.mode));
        conflicting.all(|b| overwrites(a) && overwrites(b) && next(a.location).is_some_and(overwrites))
    })
}
