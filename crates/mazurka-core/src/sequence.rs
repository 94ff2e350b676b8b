//! Sequences of steps that could be run instead of what was run: the `v` of the papers.
//!
//! A sequence starts at some prefix of the current execution. With static footprints its steps keep their footprints when they are
//! reordered, so initials and weak initials are decided without running anything.

use crate::footprints::{FootprintId, Footprints};
use crate::program::Transition;
use crate::trace::{At, Causality, NOWHERE, Trace};

/// A step of a sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub transition: Transition,
    pub footprint: FootprintId,
    /// Its event in the execution that the sequence was taken from.
    pub at: At,
    /// The event that it cannot be separated from: the previous of its process, or its birth.
    pub before: At,
}

/// Whether a step could come first in a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum First {
    /// It is the item at this index, and nothing before it in the sequence happens before it: an *initial*.
    Initial(usize),
    /// It is not in the sequence and independent of all of it: a *weak initial*.
    Independent,
    /// Neither.
    No,
}

/// A sequence of steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sequence {
    pub items: Vec<Item>,
    /// Which events had to wait for which, though they do not conflict: (earlier, later). Events that are not in the sequence do no harm.
    pub edges: Vec<(At, At)>,
}

impl Sequence {
    /// Makes it empty.
    pub fn clear(&mut self) {
        self.items.clear();
        self.edges.clear();
    }

    /// The events after `e` that `e` does not happen before, `notdep(e, E)`.
    #[inline]
    pub fn set_notdep(&mut self, trace: &Trace, causality: &impl Causality, e: At) {
        self.clear();
        causality.not_after(e, trace.len(), |at| self.push_event(trace, at));
    }

    /// Appends an event of the execution.
    pub fn push_event(&mut self, trace: &Trace, at: At) {
        for &earlier in trace.afters(at) {
            self.edges.push((earlier, at));
        }
        self.items.push(trace.item(at));
    }

    /// Appends a step that is not at its place in the execution: it was pending, or is taken earlier than it was.
    pub fn push_step(&mut self, transition: Transition, footprint: FootprintId, before: At) {
        self.items.push(Item {
            transition,
            footprint,
            at: NOWHERE,
            before,
        });
    }

    /// Whether `item` had to wait for `earlier`, though they do not conflict.
    #[inline]
    pub fn waits_for(&self, item: Item, earlier: &Item) -> bool {
        !self.edges.is_empty() && self.edges.contains(&(earlier.at, item.at))
    }

    /// Whether the item at `index` has no dependent item before it.
    pub fn is_initial(&self, index: usize, footprints: &Footprints) -> bool {
        let item = self.items[index];
        let waits = !self.edges.is_empty() && self.items[..index].iter().any(|earlier| self.waits_for(item, earlier));
        !waits
            && self.items[..index].iter().all(|earlier| {
                earlier.transition.process != item.transition.process
                    && (item.before == NOWHERE || earlier.at != item.before)
                    && !footprints.conflict(earlier.footprint, item.footprint)
            })
    }

    /// Whether a step that is enabled where the sequence starts could come first: `WI(v)` of JACM'17, Def. 4.2.
    #[inline]
    pub fn first(&self, transition: Transition, footprint: FootprintId, footprints: &Footprints) -> First {
        for (index, item) in self.items.iter().enumerate() {
            if item.transition.process == transition.process {
                let same = item.transition == transition;
                return if same && self.is_initial(index, footprints) {
                    First::Initial(index)
                } else {
                    First::No
                };
            }
        }
        if self.items.iter().any(|item| footprints.conflict(item.footprint, footprint)) {
            First::No
        } else {
            First::Independent
        }
    }

    /// The transitions that could come first and belong to the sequence: `I(v)`.
    pub fn initials<'a>(&'a self, footprints: &'a Footprints) -> impl Iterator<Item = Transition> + 'a {
        (0..self.items.len())
            .filter(|&i| self.is_initial(i, footprints))
            .map(|i| self.items[i].transition)
    }

    /// The transitions in order.
    pub fn transitions(&self) -> impl Iterator<Item = Transition> + '_ {
        self.items.iter().map(|i| i.transition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::Footprint;
    use crate::program::Process;

    #[test]
    fn a_child_comes_first_only_where_its_birth_is_not_in_the_sequence() {
        let mut footprints = Footprints::default();
        let nothing = footprints.intern(&Footprint::new());
        let (parent, child, other) = (0, 1, 2);
        let mut trace = Trace::default();
        for process in [parent, other, child] {
            let births: &[Process] = if process == parent { &[Process(child)] } else { &[] };
            trace.push(Transition::of(Process(process)), nothing, births, &[], &footprints);
        }
        let initials = |events: &[At]| {
            let mut sequence = Sequence::default();
            events.iter().for_each(|at| sequence.push_event(&trace, *at));
            sequence.initials(&footprints).map(|t| t.process.0).collect::<Vec<_>>()
        };
        assert_eq!(initials(&[0, 1, 2]), [parent, other]);
        assert_eq!(initials(&[1, 2]), [other, child]);
    }
}
