//! `source`: Source-DPOR (Abdulla, Aronis, Jonsson, Sagonas; JACM'17, Algorithm 1), with races of blocked steps.

use super::backtrack::Backtrack;
use super::cuts::Cuts;
use super::exploration::{Exploration, Next, Sleeper};
use super::resumable::Resumable;
use super::strategy::{Entered, Strategy};
use crate::program::Transition;
use crate::sequence::{Item, Sequence};
use crate::trace::{At, Causality, NOWHERE};
use std::cell::RefCell;

/// Source sets and sleep sets.
#[derive(Default)]
pub(crate) struct Source {
    pub(super) backtrack: Backtrack,
    cuts: Cuts,
    v: Sequence,
    races: Vec<At>,
}

impl Source {
    /// Lines 6-9: if no initial of `v` is in the backtrack set of the node before `e`, add one.
    pub(super) fn reverse(backtrack: &mut Backtrack, exploration: &Exploration<'_>, e: At, v: &Sequence) {
        if let (false, Some(first)) = (Self::covers(backtrack, exploration, e, v), v.items.first()) {
            backtrack.add(e as usize, first.transition.process, exploration.frame(e));
        }
    }

    /// Whether an initial of `v` is tried at the node before `e`, or sleeps there.
    fn covers(backtrack: &Backtrack, exploration: &Exploration<'_>, e: At, v: &Sequence) -> bool {
        let frame = exploration.frame(e);
        v.initials(&exploration.footprints)
            .any(|i| backtrack.contains(e as usize, i.process) || frame.sleeps(i))
    }

    /// A process that took one alternative while another slept or was disabled: races of the other one with the last event, which did not
    /// need to wait for the choice. (An alternative that neither sleeps nor is disabled is explored, and its races are seen then.)
    ///
    /// A disabled one could have been taken before its guard was written, and the last event before it: without this,
    /// `p0:[if (z) l=x] p1:[choose l 2; await x!=l; if (l) z=0] p2:[spawn k] p3:[z=0] k:[x=1]` (C20) loses a trace in some orders.
    fn reverse_choices(&mut self, exploration: &mut Exploration<'_>) {
        let last = exploration.trace.len() - 1;
        let footprint = exploration.trace.event(last).footprint;
        for e in 0..last {
            let event = *exploration.trace.event(e);
            for index in 0..exploration.frame(e).pending.len() {
                let other = exploration.frame(e).pending[index];
                let alternative =
                    other.transition.process == event.transition.process && other.transition.choice != event.transition.choice;
                if !alternative || !exploration.footprints.conflict(footprint, other.footprint) || exploration.trace.happens_before(e, last)
                {
                    continue;
                }
                if !other.enabled {
                    self.reverse_guard(exploration, other.item(NOWHERE, event.before), e);
                } else if exploration.frame(e).sleeps(other.transition) {
                    // The other one would come after the last event, with which it conflicts: it is no initial.
                    self.v.set_notdep(&exploration.trace, &exploration.trace, e);
                    Self::reverse(&mut self.backtrack, exploration, e, &self.v);
                }
            }
        }
    }

    /// Races of the guarded steps that are pending at the top node, enabled or not, with everything that wrote their guards.
    ///
    /// A step is looked at again only if the last event precedes it or conflicts with it, guard or body.
    fn reverse_guards(&mut self, exploration: &mut Exploration<'_>) {
        if !exploration.top().guarded {
            return;
        }
        let last = exploration.trace.len() - 1;
        for index in 0..exploration.top().pending.len() {
            let q: Next = exploration.top().pending[index];
            if !exploration.footprints.is_guarded(q.footprint) {
                continue;
            }
            let before = exploration.trace.before_next(q.transition.process);
            let affected = before == last
                || exploration
                    .footprints
                    .conflict(exploration.trace.event(last).footprint, q.footprint);
            if !affected {
                continue;
            }
            self.reverse_guard(exploration, q.item(NOWHERE, before), last + 1);
        }
    }

    /// Races of a guarded step with what wrote its guard before `until`.
    fn reverse_guard(&mut self, exploration: &mut Exploration<'_>, q: Item, until: At) {
        let trace = &exploration.trace;
        trace.guard_writers(trace, q, until, &exploration.footprints, &mut self.races);
        for i in 0..self.races.len() {
            let e = self.races[i];
            // Both closures look at the backtrack sets, one of them adds to them.
            let backtrack = RefCell::new(&mut self.backtrack);
            let cuts = self.cuts.prepare(exploration, &exploration.trace, e, q);
            let covered = |exploration: &Exploration<'_>, v: &Sequence| Self::covers(&backtrack.borrow(), exploration, e, v);
            cuts.for_each(exploration, e, q, covered, |exploration, v| {
                Self::reverse(&mut backtrack.borrow_mut(), exploration, e, v);
            });
        }
    }
}

impl Strategy for Source {
    fn enter(&mut self, exploration: &mut Exploration<'_>) -> Entered {
        self.backtrack.open(exploration.depth());
        // Line 2: any enabled process that does not sleep.
        self.backtrack.begin(exploration)
    }

    fn choose(&mut self, exploration: &mut Exploration<'_>) -> Option<Transition> {
        self.backtrack.next(exploration.depth(), exploration.top())
    }

    fn executed(&mut self, exploration: &mut Exploration<'_>) {
        let last = exploration.trace.len() - 1;
        let footprint = exploration.trace.event(last).footprint;
        self.races.clear();
        self.races.extend(exploration.trace.races(last));
        for i in 0..self.races.len() {
            let e = self.races[i];
            // Races on what the step's guard reads were looked at while it was pending.
            if exploration.footprints.writes_guard(exploration.trace.event(e).footprint, footprint) {
                continue;
            }
            // Line 5: v = notdep(e, E).p; the last event is the one that `e` happens before.
            self.v.set_notdep(&exploration.trace, &exploration.trace, e);
            self.v.push_event(&exploration.trace, last);
            Self::reverse(&mut self.backtrack, exploration, e, &self.v);
        }
        self.reverse_guards(exploration);
        if exploration.choices {
            self.reverse_choices(exploration);
        }
    }

    fn maximal(&mut self, exploration: &mut Exploration<'_>) {
        self.backtrack.open(exploration.depth());
    }

    fn returned(&mut self, exploration: &mut Exploration<'_>, step: Sleeper) {
        // Line 12.
        exploration.put_to_sleep(step);
    }

    fn resumable(&mut self) -> Option<&mut dyn Resumable> {
        Some(&mut self.backtrack)
    }

    fn branches(&self, depth: usize) -> (u64, u64) {
        self.backtrack.branches(depth)
    }
}
