//! `source+context`: context-sensitive DPOR (Albert, Arenas, García de la Banda, Gómez-Zamalloa, Stuckey; CAV'17, Algorithm 1), repaired.
//!
//! A race whose reversal leads to the same state need not be explored to its end: the reversed sequence is put into the sleep set, and its
//! last step is not taken. The printed algorithm forgets the races of steps that are skipped in this way (program C4), and those of what
//! would follow them (program C18); here both are made up for at every node. The literal readings are kept for the tables.

use super::exploration::{Exploration, Sleeper};
use super::reversals::Reversals;
use super::skipped::Skipped;
use super::sleep_sequences::{SleepSequence, inherit};
use super::source::Source;
use super::strategy::{Entered, Strategy};
use crate::program::Transition;
use crate::sequence::Sequence;
use crate::trace::{At, Causality, NOWHERE};
use crate::world::Equality;

/// How the algorithm is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// Races of skipped steps are looked for, and those of what would follow them are made up for.
    Corrected,
    /// As printed.
    #[cfg(feature = "published")]
    AsPublished,
}

/// When a step leaves a sleep sequence as it is, line 15's `E |= p ◇ v`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Independence {
    /// If it happens neither before nor after any of its steps.
    Order,
    /// If both orders lead from E to the same state, which is what the line says.
    States,
}

/// Source sets with sleep sequences.
pub(crate) struct Context {
    source: Source,
    reading: Reading,
    independence: Independence,
    /// Try the first steps of the shortest sleep sequences first (CAV'17, Sect. 5.3, 2).
    guided: bool,
    /// Where a skipped step is independent of all that can still happen, try nothing else (CAV'17, Sect. 5.3, 1).
    anticipating: bool,
    /// The sleep sequences of each node.
    nodes: Vec<Vec<SleepSequence>>,
    w: Sequence,
    races: Vec<At>,
    reversals: Reversals,
    skipped: Skipped,
}

impl Context {
    pub fn new(reading: Reading, independence: Independence) -> Self {
        Context {
            source: Source::default(),
            reading,
            independence,
            guided: false,
            anticipating: false,
            nodes: Vec::new(),
            w: Sequence::default(),
            races: Vec::new(),
            reversals: Reversals::default(),
            skipped: Skipped::default(),
        }
    }

    /// Guided by the sleep sequences.
    pub fn guided(self) -> Self {
        Context { guided: true, ..self }
    }

    /// Anticipating cuts.
    pub fn anticipating(self) -> Self {
        Context {
            anticipating: true,
            ..self
        }
    }

    fn skips(&self, depth: usize, transition: Transition) -> bool {
        self.nodes
            .get(depth)
            .is_some_and(|n| n.iter().any(|s| s.last() == Some(transition)))
    }

    /// Lines 11-14: if the race of `e` with the last event is reversed without a difference, the reversed sequence sleeps before `e`.
    fn compare(&mut self, exploration: &mut Exploration<'_>, e: At) {
        let last = exploration.trace.len() - 1;
        let trace = &exploration.trace;
        // w = v.u with v = notdep(e, E).p and u = dep(e, E)
        self.w.set_notdep(trace, trace, e);
        self.w.push_event(trace, last);
        for at in e..last {
            if trace.happens_before(e, at) {
                self.w.push_event(trace, at);
            }
        }
        let known = self.w.items.first().is_some_and(|i| exploration.frame(e).sleeps(i.transition))
            || self.nodes[e as usize].iter().any(|s| s.is_prefix_of(&self.w));
        if !known && exploration.state_along(e, &mut self.w, Equality::Exact) == Some(exploration.state()) {
            self.nodes[e as usize].push(SleepSequence::new(&self.w));
        }
    }

    /// Lines 15-16: the sequences of the parent that still hold after the last step.
    fn inherit(&mut self, exploration: &mut Exploration<'_>) {
        let depth = exploration.depth();
        if self.nodes.len() == depth {
            self.nodes.push(Vec::new());
        }
        let (parents, rest) = self.nodes.split_at_mut(depth);
        let (Some(parent), Some(own)) = (parents.last(), rest.first_mut()) else {
            return;
        };
        own.clear();
        let event = *exploration.trace.event(depth as At - 1);
        inherit(parent, own, event.transition, event.footprint, &exploration.footprints);
        if self.independence == Independence::Order {
            return;
        }
        for sequence in parent {
            let known = sequence.independent_of(event.transition, event.footprint, &exploration.footprints);
            if known || sequence.involves(event.transition) {
                continue;
            }
            self.w.clear();
            sequence.rest().iter().for_each(|(t, f)| self.w.push_step(*t, *f, NOWHERE));
            let taken_last = exploration.state_after(depth as At - 1, self.w.transitions().chain([event.transition]));
            if taken_last.is_some() && taken_last == exploration.state_along(depth as At, &mut self.w, Equality::Exact) {
                own.push(SleepSequence::new(&self.w));
            }
        }
    }

    /// The races of the steps that are skipped at the top node, and those of what would follow them, which nobody else will find. True if one
    /// of these steps is independent of all that can still happen.
    fn reverse_skipped(&mut self, exploration: &mut Exploration<'_>) -> bool {
        let depth = exploration.depth();
        let mut alone = false;
        for index in 0..exploration.top().pending.len() {
            let next = exploration.top().pending[index];
            if !next.enabled || !self.skips(depth, next.transition) {
                continue;
            }
            let (reading, backtrack) = (self.reading, &mut self.source.backtrack);
            if reading == Reading::Corrected {
                self.reversals.of_next(exploration, next, |exploration, e, v, _| {
                    Source::reverse(backtrack, exploration, e, v);
                });
            }
            if reading == Reading::Corrected || self.anticipating {
                alone |= self.skipped.for_each(exploration, next.transition, |exploration, e, v| {
                    if reading == Reading::Corrected {
                        Source::reverse(backtrack, exploration, e, v);
                    }
                });
            }
        }
        alone
    }

    /// The step of an awake process that comes first in the shortest sleep sequence of the node.
    fn guide(&self, exploration: &Exploration<'_>) -> Option<Transition> {
        let frame = exploration.top();
        let depth = exploration.depth();
        let usable = |t: Transition| frame.enabled().any(|n| n.transition == t) && !frame.sleeps(t) && !self.skips(depth, t);
        let sequences = self.nodes.get(depth)?.iter().filter(|s| s.rest().len() > 1);
        sequences
            .filter_map(|s| Some((s.rest().len(), s.rest().first()?.0)))
            .filter(|(_, t)| usable(*t))
            .min_by_key(|(len, _)| *len)
            .map(|(_, t)| t)
    }
}

impl Strategy for Context {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        let depth = exploration.depth();
        if self.nodes.is_empty() {
            self.nodes.push(Vec::new());
        }
        self.source.backtrack.open(depth);
        let alone = self.reverse_skipped(exploration);
        let guided = if self.guided { self.guide(exploration) } else { None };
        let skips: Vec<Transition> = self.nodes[depth].iter().filter_map(SleepSequence::last).collect();
        let first = guided.or_else(|| {
            exploration
                .first_choice(|frame, t| !frame.sleeps(t) && !skips.contains(&t))
                .map(|n| n.transition)
        });
        exploration.counts.skipped += exploration.top().enabled().filter(|n| skips.contains(&n.transition)).count() as u64;
        match first {
            // Whatever happens from here on, the skipped step can come first in it.
            Some(_) if alone && self.anticipating => {
                self.source.backtrack.open(depth);
                Entered::Cut
            }
            Some(first) => {
                self.source.backtrack.add(depth, first.process, exploration.top());
                Entered::Open
            }
            None if exploration.top().enabled().any(|n| skips.contains(&n.transition)) => Entered::Cut,
            None => Entered::Blocked,
        }
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        let depth = exploration.depth();
        loop {
            let next = self.source.backtrack.next(depth, exploration.top())?;
            if !self.skips(depth, next) {
                return Some(next);
            }
        }
    }

    fn executed(&mut self, exploration: &mut Exploration<'_>) {
        let last = exploration.trace.len() - 1;
        self.races.clear();
        self.races.extend(exploration.trace.races(last));
        for i in 0..self.races.len() {
            self.compare(exploration, self.races[i]);
        }
        self.source.executed(exploration);
        self.inherit(exploration);
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        Strategy::maximal(&mut self.source, exploration);
    }

    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        self.source.returned(exploration, step);
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.source.backtrack.branches(depth)
    }
}
