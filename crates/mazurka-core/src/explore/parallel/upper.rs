//! The nodes of a worker's execution that are shared: those above its base. Below it, a worker goes on as if it were alone.

use super::region::{Inserted, Leaf, Region, Step};
use crate::cover::Cover;
use crate::explore::exploration::{Exploration, Sleeper};
use crate::explore::units::Away;
use crate::footprints::Footprints;
use crate::sequence::Sequence;
use crate::trace::At;
use crate::wakeup::{Tree, Wakeup};
use std::sync::Arc;

/// See the module. A search that nobody shares has nothing there.
#[derive(Default)]
pub(crate) struct Upper {
    /// Where the branches are that the execution takes, by depth.
    path: Vec<Place>,
    /// What was published below the leaf that is being run, if anything was.
    region: Option<Arc<Region>>,
    leaf: Leaf,
    /// Leaves that were found and are for others, or for later.
    found: Vec<Leaf>,
    /// Instead of all that, what a runner knows that shares no memory with others.
    pub(in crate::explore) away: Option<Box<Away>>,
}

struct Place {
    region: Arc<Region>,
    branch: u32,
    /// How much of the sleep set was there when the node was reached. The rest are elder branches.
    inherited: u32,
}

impl Upper {
    /// How many nodes it has.
    #[inline]
    pub fn base(&self) -> At {
        match &self.away {
            None => self.path.len() as At,
            Some(away) => away.base(),
        }
    }

    /// Makes sure that `v` will be run instead of the event at `e`; see [`Wakeup::insert`].
    pub fn insert(&mut self, e: At, v: &mut Sequence, footprints: &mut Footprints) -> Cover {
        if let Some(away) = &mut self.away {
            return away.insert(e, v, footprints);
        }
        let place = &self.path[e as usize];
        match place.region.insert(place.branch, e, v, footprints) {
            Inserted::Covered(cover) => cover,
            Inserted::Planned(leaf, cover) => {
                self.found.push(leaf);
                cover
            }
        }
    }

    /// The leaves found since this was last asked, the one to run next last.
    pub fn take_found(&mut self) -> impl Iterator<Item = Leaf> + '_ {
        self.found.drain(..)
    }

    /// Publishes the nodes from the base down to `depth`, where `plan` is what is planned. `taken` says how many branches were taken at a depth,
    /// the current one included.
    pub fn publish(&mut self, exploration: &Exploration<'_>, depth: usize, taken: impl Fn(usize) -> u64, wakeup: &Wakeup, plan: Tree) {
        let leaf = &self.leaf;
        let region = Arc::clone(self.region.get_or_insert_with(|| Region::below(leaf.clone())));
        for at in self.path.len()..=depth {
            let sleep = &exploration.frame(at as At).sleep;
            let inherited = sleep.len() - (taken(at).saturating_sub(1)) as usize;
            let parent = self
                .path
                .last()
                .filter(|last| Arc::ptr_eq(&last.region, &region))
                .map(|last| last.branch);
            let branch = region.publish(parent, &sleep[inherited..], exploration.step(at as At));
            self.path.push(Place {
                region: Arc::clone(&region),
                branch,
                inherited: inherited as u32,
            });
        }
        if let Some(last) = self.path.last() {
            let published = self.found.len();
            region.publish_plan(last.branch, depth as u32, wakeup, plan, &mut self.found);
            // The leftmost is the one to run next.
            self.found[published..].reverse();
        }
    }

    /// The steps that lead from the current execution to a leaf, the last first; what is left of the execution is that of the nodes above.
    pub fn leave_for(&mut self, leaf: Leaf, way: &mut Vec<Step>) {
        way.clear();
        let known = |depth: usize, region: &Arc<Region>, branch| {
            let same = |place: &Place| Arc::ptr_eq(&place.region, region) && place.branch == branch;
            self.path.get(depth).is_some_and(same)
        };
        Region::way_to(&leaf, known, way);
        self.region = None;
        self.leaf = leaf;
    }

    /// Keeps the first nodes only; returns how much of the sleep set of the last one it had inherited, if that is a shared node.
    pub fn cut(&mut self, depth: usize) -> Option<usize> {
        let inherited = self.path.get(depth).map(|place| place.inherited as usize);
        self.path.truncate(depth);
        inherited
    }

    /// A step on the way to a leaf was taken.
    pub fn descend(&mut self, step: &Step, inherited: usize) {
        self.path.push(Place {
            region: Arc::clone(&step.region),
            branch: step.branch,
            inherited: inherited as u32,
        });
    }
}

impl Exploration<'_> {
    /// The event at a position as a step that can sleep.
    fn step(&self, at: At) -> Sleeper {
        let event = self.trace.event(at);
        Sleeper {
            transition: event.transition,
            footprint: event.footprint,
        }
    }
}
