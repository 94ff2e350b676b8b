//! A part of the ordered tree that workers share: all nodes that were published below one leaf.
//!
//! It only grows. So who looks at it without a lock for writing may come to believe that something is not covered, and look again, but never that
//! something is covered that is not. Walks that begin above a leaf end there, and walks that begin below it stay below it: nobody needs a
//! region but those whose current execution goes through its leaf, and it is freed when they are done.

use crate::cover::Cover;
use crate::explore::exploration::Sleeper;
use crate::footprints::{FootprintId, Footprints};
use crate::program::Transition;
use crate::sequence::{First, Sequence};
use crate::wakeup::{Tree, Wakeup};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

const NONE: u32 = u32::MAX;

/// A leaf of the tree: somebody will run it. By default the root of the tree, which is the first.
#[derive(Clone, Default)]
pub(crate) struct Leaf {
    /// Where it is; `None` for the root of the tree.
    pub place: Option<(Arc<Region>, u32)>,
    /// The number of steps that lead there.
    pub depth: u32,
}

/// See the module.
pub(crate) struct Region {
    /// The leaf that all of it is below.
    below: Leaf,
    nodes: RwLock<Nodes>,
}

#[derive(Default)]
struct Nodes {
    /// By number: what leads to the node.
    branches: Vec<Branch>,
    /// The eldest child of the leaf that the region is below.
    top: Option<u32>,
}

struct Branch {
    transition: Transition,
    footprint: FootprintId,
    parent: u32,
    /// The eldest of its children. A planned branch without children is a leaf.
    children: u32,
    /// The next younger sibling.
    next: u32,
    /// Whether somebody has taken this step, and counted it.
    taken: AtomicBool,
}

/// A step on the way to a leaf.
pub(crate) struct Step {
    pub region: Arc<Region>,
    pub branch: u32,
    pub transition: Transition,
    /// What was branched off before it at its node.
    pub elder: Vec<Sleeper>,
    /// Whether nobody has taken it before.
    pub first: bool,
}

/// What became of a sequence.
pub(crate) enum Inserted {
    /// By what is there; see [`Wakeup::insert`].
    Covered(Cover),
    /// By a new leaf.
    Planned(Leaf, Cover),
}

/// How far a sequence was compared with the tree.
struct Walk {
    parent: u32,
    /// The last child of it that was compared.
    last: u32,
    depth: u32,
    cover: Cover,
}

impl Region {
    /// An empty one below a leaf.
    pub fn below(leaf: Leaf) -> Arc<Self> {
        Arc::new(Region {
            below: leaf,
            nodes: RwLock::default(),
        })
    }

    /// Makes sure that `v` will be run from the node before `branch`, which is `depth` steps deep, by a branch younger than that. Uses up `v`.
    pub fn insert(self: &Arc<Self>, branch: u32, depth: u32, v: &mut Sequence, footprints: &mut Footprints) -> Inserted {
        let nodes = self.read();
        // Ids are known to all before a branch that has them is there.
        footprints.catch_up();
        let mut walk = Walk {
            parent: nodes.branches[branch as usize].parent,
            last: branch,
            depth,
            cover: Cover::default(),
        };
        if nodes.walk(&mut walk, v, footprints) {
            return Inserted::Covered(walk.cover);
        }
        drop(nodes);
        let mut nodes = self.write();
        footprints.catch_up();
        if nodes.walk(&mut walk, v, footprints) {
            return Inserted::Covered(walk.cover);
        }
        let (mut parent, mut last) = (walk.parent, walk.last);
        for item in &v.items {
            parent = nodes.add(parent, last, item.transition, item.footprint, false);
            last = NONE;
        }
        let leaf = Leaf {
            place: Some((Arc::clone(self), parent)),
            depth: walk.depth + v.items.len() as u32,
        };
        let mut cover = walk.cover;
        cover.latest = v.items.iter().fold(cover.latest, |latest, item| latest.max(item.at));
        Inserted::Planned(leaf, cover)
    }

    /// Publishes a node that a worker has branched at so far: below `parent`, or right below the leaf, what it has done there and what it is at,
    /// which is returned.
    pub fn publish(&self, parent: Option<u32>, done: &[Sleeper], current: Sleeper) -> u32 {
        let mut nodes = self.write();
        let (parent, mut last) = (parent.unwrap_or(NONE), NONE);
        for step in done.iter().chain([&current]) {
            last = nodes.add(parent, last, step.transition, step.footprint, true);
        }
        last
    }

    /// Publishes what is planned at the node before `branch`, which is `depth` steps deep, as its younger siblings, and adds their leaves.
    pub fn publish_plan(self: &Arc<Self>, branch: u32, depth: u32, wakeup: &Wakeup, plan: Tree, leaves: &mut Vec<Leaf>) {
        let mut nodes = self.write();
        let parent = nodes.branches[branch as usize].parent;
        let mut last = branch;
        // Each with the node it hangs below, and the one it comes after there.
        let mut left: Vec<(Tree, u32, u32)> = vec![(plan, parent, depth)];
        while let Some((tree, parent, depth)) = left.pop() {
            for (transition, footprint, below) in wakeup.list(tree) {
                last = nodes.add(parent, last, transition, footprint, false);
                if below.is_empty() {
                    leaves.push(Leaf {
                        place: Some((Arc::clone(self), last)),
                        depth: depth + 1,
                    });
                } else {
                    left.push((below, last, depth + 1));
                }
            }
            last = NONE;
        }
    }

    /// Adds the steps that lead to a leaf, the last first, down to one that is `known`, which is asked for a depth, a region and a branch.
    pub fn way_to(leaf: &Leaf, known: impl Fn(usize, &Arc<Region>, u32) -> bool, way: &mut Vec<Step>) {
        let mut depth = leaf.depth as usize;
        let mut place = leaf.place.as_ref();
        while let Some((region, branch)) = place {
            let nodes = region.read();
            let mut at = *branch;
            while at != NONE {
                depth -= 1;
                if known(depth, region, at) {
                    return;
                }
                let branch = &nodes.branches[at as usize];
                way.push(Step {
                    region: Arc::clone(region),
                    branch: at,
                    transition: branch.transition,
                    elder: nodes.elder(at),
                    first: !branch.taken.swap(true, Ordering::Relaxed),
                });
                at = branch.parent;
            }
            place = region.below.place.as_ref();
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Nodes> {
        self.nodes.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Nodes> {
        self.nodes.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Nodes {
    fn eldest(&self, parent: u32) -> u32 {
        match self.branches.get(parent as usize) {
            Some(parent) => parent.children,
            None => self.top.unwrap_or(NONE),
        }
    }

    /// Adds a branch at a node, after the youngest, which is `last`.
    fn add(&mut self, parent: u32, last: u32, transition: Transition, footprint: FootprintId, taken: bool) -> u32 {
        let new = self.branches.len() as u32;
        self.branches.push(Branch {
            transition,
            footprint,
            parent,
            children: NONE,
            next: NONE,
            taken: AtomicBool::new(taken),
        });
        if last != NONE {
            self.branches[last as usize].next = new;
        } else if parent != NONE {
            self.branches[parent as usize].children = new;
        } else {
            self.top = Some(new);
        }
        new
    }

    /// The siblings that are older.
    fn elder(&self, branch: u32) -> Vec<Sleeper> {
        let mut elder = Vec::new();
        let mut at = self.eldest(self.branches[branch as usize].parent);
        while at != branch && at != NONE {
            let Branch {
                transition,
                footprint,
                next,
                ..
            } = self.branches[at as usize];
            elder.push(Sleeper { transition, footprint });
            at = next;
        }
        elder
    }

    /// Goes on with a walk, taking away from `v` what was found. Whether `v` is covered.
    fn walk(&self, walk: &mut Walk, v: &mut Sequence, footprints: &Footprints) -> bool {
        loop {
            let mut at = match self.branches.get(walk.last as usize) {
                Some(last) => last.next,
                None => self.eldest(walk.parent),
            };
            let first = loop {
                let Some(branch) = self.branches.get(at as usize) else {
                    return false;
                };
                match v.first(branch.transition, branch.footprint, footprints) {
                    First::No => (walk.last, at) = (at, branch.next),
                    first => break first,
                }
            };
            let branch = &self.branches[at as usize];
            match first {
                First::Initial(index) => walk.cover.latest = v.items.remove(index).at.max(walk.cover.latest),
                _ => walk.cover.add_stranger(branch.transition, branch.footprint),
            }
            if branch.children == NONE {
                return true;
            }
            if v.items.is_empty() {
                walk.cover.used_up = true;
                return true;
            }
            (walk.parent, walk.last) = (at, NONE);
            walk.depth += 1;
        }
    }
}
