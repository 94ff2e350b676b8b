//! What covers a sequence, and what is left of one on the way down a wakeup tree.

use crate::footprints::FootprintId;
use crate::program::Transition;
use crate::sequence::{First, Item, Sequence};
use crate::trace::{At, NOWHERE};
use smallvec::SmallVec;

/// How many strangers a cover keeps: it is looked at for each execution, so it must not need memory of its own.
const STRANGERS: usize = 4;

/// What covers a sequence: the steps of a path to a leaf, or to where nothing is left of the sequence.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Cover {
    /// The latest event among the steps that are initials of the sequence. A step that is no event of the execution counts as latest of all.
    pub latest: At,
    /// The steps that are not in the sequence, and independent of all of it. If there are too many to keep, `latest` is [`NOWHERE`].
    pub strangers: SmallVec<[(Transition, FootprintId); STRANGERS]>,
    /// Whether the path ends before a leaf: it covers the sequence as long as nothing is added to that.
    pub used_up: bool,
}

impl Cover {
    /// By an initial of the sequence.
    pub fn initial(latest: At) -> Self {
        Cover {
            latest,
            ..Cover::default()
        }
    }

    /// By a step that is not in the sequence.
    pub fn stranger(transition: Transition, footprint: FootprintId) -> Self {
        let mut cover = Cover::default();
        cover.add_stranger(transition, footprint);
        cover
    }

    /// A step of the path that is not in the sequence.
    pub fn add_stranger(&mut self, transition: Transition, footprint: FootprintId) {
        if self.strangers.len() < STRANGERS {
            self.strangers.push((transition, footprint));
        } else {
            self.latest = NOWHERE;
        }
    }
}

/// What is left of a sequence on the way down a tree.
pub(crate) trait Left {
    /// Whether a step could come first.
    fn first(&mut self, transition: Transition, footprint: FootprintId) -> First;

    /// Takes away the step at an index, which comes first, and returns its event.
    fn take(&mut self, index: usize) -> At;

    /// Whether nothing is left.
    fn is_empty(&mut self) -> bool;

    /// All that is left, in order.
    fn rest(&self) -> impl Iterator<Item = Item>;
}

/// A sequence with a notion of what could come first.
pub(crate) struct LeftOf<'v, F> {
    pub v: &'v mut Sequence,
    pub first: F,
}

impl<F: Fn(&Sequence, Transition, FootprintId) -> First> Left for LeftOf<'_, F> {
    fn first(&mut self, transition: Transition, footprint: FootprintId) -> First {
        (self.first)(self.v, transition, footprint)
    }

    fn take(&mut self, index: usize) -> At {
        self.v.items.remove(index).at
    }

    fn is_empty(&mut self) -> bool {
        self.v.items.is_empty()
    }

    fn rest(&self) -> impl Iterator<Item = Item> {
        self.v.items.iter().copied()
    }
}
