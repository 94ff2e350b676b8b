//! The `v` of a reversal without writing it down: what could come first in it, asked of the current execution.
//!
//! Most reversals are covered by what sleeps or is planned, and that can be told from the order of events and from who touched what: no sequence has to
//! be built, and no footprints be compared pair by pair. [`Sequence::first`] is the same for a sequence by its definition.

use super::exploration::Exploration;
use crate::cover::Left;
use crate::footprints::FootprintId;
use crate::program::Transition;
use crate::sequence::{First, Item, Sequence};
use crate::trace::{At, Causality, NOWHERE};

/// Steps that could be run instead of the event at `e`, some of which were taken away.
#[derive(Default)]
pub(super) struct Reversal {
    e: At,
    members: Members,
    /// A step after all others, which was taken elsewhere, if at all.
    moved: Option<Item>,
    /// By event: the number of the last reversal from which it was taken away.
    taken: Vec<u32>,
    number: u32,
    /// No event before this one is left.
    front: At,
    /// Members, where they were written down.
    listed: Vec<bool>,
}

/// Which events belong to a reversal.
#[derive(Clone, Copy, Default)]
enum Members {
    /// Those that do not depend on `e`, and this one, with which `e` races.
    Race(At),
    /// Those that were listed.
    #[default]
    Listed,
}

impl Reversal {
    /// Of the race of the events at `e` and `second`: what does not depend on `e`, and the second event. At its own place that is as early as can
    /// be, since it is independent of what follows it in `v`.
    #[inline]
    pub fn set_race(&mut self, exploration: &Exploration<'_>, e: At, second: At) {
        self.begin(exploration, e, Members::Race(second));
    }

    /// A sequence of events with a last step that is none, or not there.
    pub fn set(&mut self, exploration: &Exploration<'_>, e: At, v: &Sequence) {
        self.begin(exploration, e, Members::Listed);
        self.listed.clear();
        self.listed.resize(exploration.trace.len() as usize, false);
        if let Some((last, others)) = v.items.split_last() {
            others.iter().for_each(|item| self.listed[item.at as usize] = true);
            self.moved = Some(*last);
        }
    }

    #[inline]
    fn begin(&mut self, exploration: &Exploration<'_>, e: At, members: Members) {
        if self.taken.len() < exploration.trace.len() as usize {
            self.taken.resize(exploration.trace.len() as usize, 0);
        }
        self.number = self.number.checked_add(1).unwrap_or_else(|| {
            self.taken.fill(0);
            1
        });
        (self.e, self.members, self.moved, self.front) = (e, members, None, e + 1);
    }

    /// Whether an event after `e` is left.
    #[inline(always)]
    fn has(&self, exploration: &Exploration<'_>, at: At) -> bool {
        self.taken[at as usize] != self.number
            && match self.members {
                Members::Race(second) => at == second || !exploration.trace.happens_before(self.e, at),
                Members::Listed => self.listed[at as usize],
            }
    }

    /// Whether a step could come first in what is left; see [`Sequence::first`].
    #[inline]
    pub fn first(&self, exploration: &Exploration<'_>, transition: Transition, footprint: FootprintId) -> First {
        let trace = &exploration.trace;
        // Of a process, what depends on `e` comes last.
        let mut at = NOWHERE;
        for &step in trace.steps(transition.process).iter().rev().take_while(|at| **at > self.e) {
            if self.taken[step as usize] != self.number {
                at = step;
            }
        }
        if at != NOWHERE && self.has(exploration, at) {
            let initial = trace.event(at).transition == transition && self.is_initial(exploration, at);
            return if initial { First::Initial(at as usize) } else { First::No };
        }
        if let Some(moved) = self.moved.filter(|moved| moved.transition.process == transition.process) {
            let initial = moved.transition == transition && !self.conflicts(exploration, moved.footprint);
            return if initial { First::Initial(NOWHERE as usize) } else { First::No };
        }
        let with = |other: FootprintId| exploration.footprints.conflict(other, footprint);
        let with_last = match (self.members, self.moved) {
            (Members::Race(second), _) if self.has(exploration, second) => with(trace.event(second).footprint),
            (_, Some(moved)) => with(moved.footprint),
            _ => false,
        };
        if with_last || self.conflicts(exploration, footprint) {
            First::No
        } else {
            First::Independent
        }
    }

    /// Whether nothing that is left happens before an event that is.
    ///
    /// What happens before it does not depend on `e`, so it was in `v` if it comes after `e`; and something maximal among that is left as long as
    /// anything of it is.
    #[inline]
    fn is_initial(&self, exploration: &Exploration<'_>, at: At) -> bool {
        let past = exploration.trace.predecessors(at);
        past.iter().all(|&p| p <= self.e || self.taken[p as usize] == self.number)
    }

    /// Whether an event that is left conflicts with a footprint.
    #[inline]
    fn conflicts(&self, exploration: &Exploration<'_>, footprint: FootprintId) -> bool {
        let Exploration { trace, footprints, .. } = exploration;
        trace.conflicts_after(self.e, footprint, footprints, |at| self.has(exploration, at))
    }

    /// What is left, as a sequence.
    pub fn copy_to(&self, v: &mut Sequence, exploration: &Exploration<'_>) {
        v.clear();
        let events = (self.front..exploration.trace.len()).filter(|at| self.has(exploration, *at));
        events.for_each(|at| v.push_event(&exploration.trace, at));
        v.items.extend(self.moved);
    }

    /// The event that an index stands for.
    pub fn event(&self, index: usize) -> At {
        match (index as At, self.moved) {
            (NOWHERE, Some(moved)) => moved.at,
            (at, _) => at,
        }
    }
}

/// A reversal on the way down a tree.
pub(super) struct Walk<'w, 'p> {
    pub v: &'w mut Reversal,
    pub exploration: &'w Exploration<'p>,
}

impl Left for Walk<'_, '_> {
    #[inline]
    fn first(&mut self, transition: Transition, footprint: FootprintId) -> First {
        self.v.first(self.exploration, transition, footprint)
    }

    #[inline]
    fn take(&mut self, index: usize) -> At {
        let at = self.v.event(index);
        if index == NOWHERE as usize {
            self.v.moved = None;
        } else {
            self.v.taken[index] = self.v.number;
        }
        at
    }

    #[inline]
    fn is_empty(&mut self) -> bool {
        let (len, v) = (self.exploration.trace.len(), &mut *self.v);
        if let Members::Race(second) = v.members
            && v.taken[second as usize] != v.number
        {
            return false;
        }
        while v.front < len && !v.has(self.exploration, v.front) {
            v.front += 1;
        }
        v.front == len && v.moved.is_none()
    }

    fn rest(&self) -> impl Iterator<Item = Item> {
        let (v, exploration) = (&*self.v, self.exploration);
        let events = (v.front..exploration.trace.len()).filter(|at| v.has(exploration, *at));
        events.map(|at| exploration.trace.item(at)).chain(v.moved)
    }
}
