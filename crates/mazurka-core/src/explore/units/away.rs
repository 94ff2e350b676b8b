//! What a runner knows of the nodes above its leaf, and what it has to tell about them.

use super::tree::{Tree, Walked};
use crate::cover::Cover;
use crate::footprints::Footprints;
use crate::program::Transition;
use crate::sequence::Sequence;
use crate::trace::{At, NOWHERE};
use rustc_hash::FxHashSet;

/// A reversal of an event above the leaf that may not be covered: the leaf, how deep the event is, and what is to be run instead.
pub(super) type Reversal = (u32, At, Vec<Transition>);

/// See the module. The part of the tree that is here does not grow, so what it covers is covered whatever became of the tree since; what it does not cover is told.
pub(crate) struct Away {
    pub(super) tree: Tree,
    /// The leaf that is run, by its number here.
    pub(super) leaf: u32,
    /// The branches that the execution takes, by depth.
    pub(super) way: Vec<u32>,
    pub(super) reversals: Vec<Reversal>,
    told: FxHashSet<Reversal>,
}

impl Away {
    pub(super) fn new(tree: Tree) -> Self {
        Away {
            tree,
            leaf: 0,
            way: Vec::new(),
            reversals: Vec::new(),
            told: FxHashSet::default(),
        }
    }

    /// A leaf is run.
    pub(crate) fn begin(&mut self, leaf: u32, way: Vec<u32>) {
        (self.leaf, self.way) = (leaf, way);
    }

    /// How many nodes there are above the leaf.
    #[inline]
    pub(crate) fn base(&self) -> At {
        self.way.len() as At
    }

    /// Makes sure that `v` will be run instead of the event at `e`; see [`Wakeup::insert`](crate::wakeup::Wakeup::insert).
    pub(crate) fn insert(&mut self, e: At, v: &mut Sequence, footprints: &Footprints) -> Cover {
        let steps: Vec<Transition> = v.transitions().collect();
        match self.tree.walk(self.way[e as usize], v, footprints) {
            Walked::Covered(cover) => cover,
            Walked::Unknown | Walked::Missing(_) => {
                let reversal = (self.leaf, e, steps);
                if !self.told.contains(&reversal) {
                    self.told.insert(reversal.clone());
                    self.reversals.push(reversal);
                }
                Cover::initial(NOWHERE)
            }
        }
    }
}
