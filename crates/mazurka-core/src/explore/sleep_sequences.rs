//! Sleep sequences (CAV'17): whole sequences of steps that need not be run to their end, because the state they lead to was reached
//! in another way.

use crate::footprints::{FootprintId, Footprints};
use crate::program::Transition;
use crate::sequence::Sequence;
use std::rc::Rc;

/// A sequence of which the first steps may already have been taken.
#[derive(Clone, Debug)]
pub(crate) struct SleepSequence {
    steps: Rc<[(Transition, FootprintId)]>,
    taken: usize,
}

impl SleepSequence {
    /// A sequence none of whose steps was taken.
    pub fn new(w: &Sequence) -> Self {
        SleepSequence {
            steps: w.items.iter().map(|i| (i.transition, i.footprint)).collect(),
            taken: 0,
        }
    }

    /// The steps that remain.
    pub fn rest(&self) -> &[(Transition, FootprintId)] {
        &self.steps[self.taken..]
    }

    /// The last step, if it is all that remains: it sleeps here.
    pub fn last(&self) -> Option<Transition> {
        match self.rest() {
            [(transition, _)] => Some(*transition),
            _ => None,
        }
    }

    /// What remains after `transition` was taken, if it is the first step.
    pub fn after(&self, transition: Transition) -> Option<Self> {
        let first = self.rest().first().is_some_and(|(t, _)| *t == transition);
        (first && self.rest().len() > 1).then(|| SleepSequence {
            steps: Rc::clone(&self.steps),
            taken: self.taken + 1,
        })
    }

    /// Whether the process of `transition` is in the sequence.
    pub fn involves(&self, transition: Transition) -> bool {
        self.rest().iter().any(|(t, _)| t.process == transition.process)
    }

    /// Whether a step is independent of all that remains.
    pub fn independent_of(&self, transition: Transition, footprint: FootprintId, footprints: &Footprints) -> bool {
        !self.involves(transition) && self.rest().iter().all(|(_, f)| !footprints.conflict(*f, footprint))
    }

    /// Whether `w` starts with what remains.
    pub fn is_prefix_of(&self, w: &Sequence) -> bool {
        self.rest().len() <= w.items.len() && self.rest().iter().zip(&w.items).all(|((t, _), i)| *t == i.transition)
    }
}

/// Adds to `own` what the sequences of a parent node become after a step: the tail of those that start with it, and those that it is
/// independent of.
pub(crate) fn inherit(
    parent: &[SleepSequence],
    own: &mut Vec<SleepSequence>,
    transition: Transition,
    footprint: FootprintId,
    footprints: &Footprints,
) {
    for sequence in parent {
        if let Some(tail) = sequence.after(transition) {
            own.push(tail);
        } else if sequence.independent_of(transition, footprint, footprints) {
            own.push(sequence.clone());
        }
    }
}
