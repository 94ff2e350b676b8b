//! Wakeup trees (JACM'17, Sect. 6): which sequences must still be explored from a node.
//!
//! All trees of one search live in one arena with a free list, so that growing and consuming them allocates nothing in the long run.

use crate::cover::{Cover, Left, LeftOf};
use crate::footprints::{FootprintId, Footprints};
use crate::program::Transition;
use crate::sequence::{First, Item, Sequence};
use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;

/// An ordered list of branches, the leftmost first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tree(u32);

impl Default for Tree {
    fn default() -> Self {
        Tree(NONE)
    }
}

impl Tree {
    /// Whether nothing must be explored.
    pub fn is_empty(self) -> bool {
        self.0 == NONE
    }
}

/// A branch of a tree that is being built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned(u32);

/// As small as it can be: with some programs there is one for each execution that is still to come, and more.
#[derive(Clone, Copy)]
struct Branch {
    /// Its index in the table of steps.
    step: u32,
    children: u32,
    next: u32,
}

/// The distinct steps of a search, of which there are few.
#[derive(Default)]
struct Steps {
    steps: Vec<(Transition, FootprintId)>,
    indexes: FxHashMap<(Transition, FootprintId), u32>,
}

impl Steps {
    fn index(&mut self, transition: Transition, footprint: FootprintId) -> u32 {
        *self.indexes.entry((transition, footprint)).or_insert_with(|| {
            self.steps.push((transition, footprint));
            self.steps.len() as u32 - 1
        })
    }
}

/// The arena of wakeup trees.
#[derive(Default)]
pub(crate) struct Wakeup {
    branches: Vec<Branch>,
    steps: Steps,
    /// Branches that are not in use, as a list.
    free: Tree,
    /// Branches to be given back; kept for its memory.
    releasing: Vec<u32>,
}

impl Wakeup {
    /// A tree that says: explore this step.
    pub fn leaf(&mut self, transition: Transition, footprint: FootprintId) -> Tree {
        Tree(self.allocate(transition, footprint))
    }

    /// Takes away the leftmost branch: its step, and the tree below it.
    pub fn take(&mut self, tree: &mut Tree) -> Option<(Transition, FootprintId, Tree)> {
        if tree.is_empty() {
            return None;
        }
        let branch = self.branches[tree.0 as usize];
        self.set_free(tree.0);
        tree.0 = branch.next;
        let (transition, footprint) = self.step(branch);
        Some((transition, footprint, Tree(branch.children)))
    }

    /// The number of branches at the root.
    pub fn width(&self, tree: Tree) -> u64 {
        let mut count = 0;
        let mut at = tree.0;
        while at != NONE {
            count += 1;
            at = self.branches[at as usize].next;
        }
        count
    }

    /// The branches at the root, leftmost first: their steps, and whether nothing is planned below.
    pub fn branches(&self, tree: Tree) -> impl Iterator<Item = (Transition, bool)> + '_ {
        let mut at = tree.0;
        std::iter::from_fn(move || {
            let branch = *self.branches.get(at as usize)?;
            at = branch.next;
            Some((self.step(branch).0, branch.children == NONE))
        })
    }

    /// The branches at the root, leftmost first: their steps, and the trees below.
    pub fn list(&self, tree: Tree) -> impl Iterator<Item = (Transition, FootprintId, Tree)> + '_ {
        let mut at = tree.0;
        std::iter::from_fn(move || {
            let branch = *self.branches.get(at as usize)?;
            at = branch.next;
            let (transition, footprint) = self.step(branch);
            Some((transition, footprint, Tree(branch.children)))
        })
    }

    /// `insert(v, tree)` (JACM'17, Def. 6.2): afterwards some branch covers `v`, and no two branches cover each other. Uses up `v`.
    ///
    pub fn insert(&mut self, tree: &mut Tree, v: &mut Sequence, footprints: &Footprints) -> Cover {
        self.insert_where(tree, v, |v, transition, footprint| v.first(transition, footprint, footprints))
    }

    /// Removes the branches at the root whose steps are not wanted.
    pub fn retain(&mut self, tree: &mut Tree, wanted: impl Fn(Transition) -> bool) {
        let (mut last, mut at) = (NONE, tree.0);
        while at != NONE {
            let branch = self.branches[at as usize];
            if wanted(self.step(branch).0) {
                last = at;
            } else {
                if last == NONE {
                    tree.0 = branch.next;
                } else {
                    self.branches[last as usize].next = branch.next;
                }
                self.release(at);
            }
            at = branch.next;
        }
    }

    /// Gives back a whole tree.
    pub fn forget(&mut self, tree: Tree) {
        let mut at = tree.0;
        while at != NONE {
            let next = self.branches[at as usize].next;
            self.release(at);
            at = next;
        }
    }

    /// Gives back a branch with all below it.
    fn release(&mut self, branch: u32) {
        self.releasing.push(branch);
        while let Some(at) = self.releasing.pop() {
            let mut child = self.branches[at as usize].children;
            while child != NONE {
                self.releasing.push(child);
                child = self.branches[child as usize].next;
            }
            self.set_free(at);
        }
    }

    fn set_free(&mut self, branch: u32) {
        self.branches[branch as usize].next = self.free.0;
        self.free = Tree(branch);
    }

    fn step(&self, branch: Branch) -> (Transition, FootprintId) {
        self.steps.steps[branch.step as usize]
    }

    /// Whether some branch at the root starts with this step.
    pub fn starts_with(&self, tree: Tree, transition: Transition) -> bool {
        let mut at = tree.0;
        while at != NONE {
            let branch = self.branches[at as usize];
            if self.step(branch).0 == transition {
                return true;
            }
            at = branch.next;
        }
        false
    }

    /// Adds `v` as the last branch, whatever there is already.
    pub fn append_sequence(&mut self, tree: &mut Tree, v: &Sequence) {
        let mut last = NONE;
        let mut at = tree.0;
        while at != NONE {
            last = at;
            at = self.branches[at as usize].next;
        }
        self.append(tree, NONE, last, v.items.iter().copied());
    }

    /// Adds a leaf at the end of the tree, and returns it.
    pub fn add_last(&mut self, tree: &mut Tree, last: Option<Planned>, transition: Transition, footprint: FootprintId) -> Planned {
        let new = self.allocate(transition, footprint);
        match last {
            Some(Planned(last)) => self.branches[last as usize].next = new,
            None => tree.0 = new,
        }
        Planned(new)
    }

    /// Says what is planned after a branch.
    pub fn set_below(&mut self, branch: Planned, below: Tree) {
        self.branches[branch.0 as usize].children = below.0;
    }

    /// [`Wakeup::insert`], with another notion of what could come first.
    pub fn insert_where(
        &mut self,
        tree: &mut Tree,
        v: &mut Sequence,
        first: impl Fn(&Sequence, Transition, FootprintId) -> First,
    ) -> Cover {
        self.insert_left(tree, &mut LeftOf { v, first })
    }

    /// [`Wakeup::insert`] for a sequence that answers itself what could come first.
    pub fn insert_left(&mut self, tree: &mut Tree, v: &mut impl Left) -> Cover {
        let (mut parent, mut cover) = (NONE, Cover::default());
        loop {
            let mut last = NONE;
            let mut at = self.children(*tree, parent);
            let covering = loop {
                if at == NONE {
                    break None;
                }
                let branch = self.branches[at as usize];
                let (transition, footprint) = self.step(branch);
                match v.first(transition, footprint) {
                    First::No => {
                        last = at;
                        at = branch.next;
                    }
                    first => break Some((at, first)),
                }
            };
            let Some((at, first)) = covering else {
                self.append(tree, parent, last, v.rest());
                cover.latest = v.rest().fold(cover.latest, |latest, item| latest.max(item.at));
                return cover;
            };
            let branch = self.branches[at as usize];
            match first {
                First::Initial(index) => cover.latest = v.take(index).max(cover.latest),
                _ => {
                    let (transition, footprint) = self.step(branch);
                    cover.add_stranger(transition, footprint);
                }
            }
            // A leaf stands for everything that can follow it.
            if branch.children == NONE {
                return cover;
            }
            if v.is_empty() {
                cover.used_up = true;
                return cover;
            }
            parent = at;
        }
    }

    /// The leftmost branch below a branch, or of the whole tree.
    fn children(&self, tree: Tree, parent: u32) -> u32 {
        if parent == NONE {
            tree.0
        } else {
            self.branches[parent as usize].children
        }
    }

    /// Hangs `v` as a chain behind the sibling `last` below `parent`.
    fn append(&mut self, tree: &mut Tree, parent: u32, last: u32, v: impl Iterator<Item = Item>) {
        let mut parent = parent;
        let mut last = last;
        for item in v {
            let new = self.allocate(item.transition, item.footprint);
            if last != NONE {
                self.branches[last as usize].next = new;
            } else if parent != NONE {
                self.branches[parent as usize].children = new;
            } else {
                tree.0 = new;
            }
            parent = new;
            last = NONE;
        }
    }

    fn allocate(&mut self, transition: Transition, footprint: FootprintId) -> u32 {
        let branch = Branch {
            step: self.steps.index(transition, footprint),
            children: NONE,
            next: NONE,
        };
        match self.free {
            Tree(NONE) => {
                self.branches.push(branch);
                self.branches.len() as u32 - 1
            }
            Tree(at) => {
                self.free = Tree(self.branches[at as usize].next);
                self.branches[at as usize] = branch;
                at
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Process;
    use crate::sequence::Item;
    use crate::trace::{At, NOWHERE};

    /// Steps of processes that touch nothing in common, each with its place in the execution.
    fn sequence(footprint: FootprintId, steps: &[(u32, At)]) -> Sequence {
        let item = |&(process, at): &(u32, At)| Item {
            transition: Transition::of(Process(process)),
            footprint,
            at,
            before: NOWHERE,
        };
        Sequence {
            items: steps.iter().map(item).collect(),
            edges: Vec::new(),
        }
    }

    #[test]
    fn what_is_inserted_is_covered_up_to_its_latest_event() {
        let mut footprints = Footprints::default();
        let nothing = footprints.intern(&crate::footprint::Footprint::new());
        let (mut wakeup, mut tree) = (Wakeup::default(), Tree::default());
        let mut insert = |steps: &[(u32, At)]| wakeup.insert(&mut tree, &mut sequence(nothing, steps), &footprints);
        assert_eq!(insert(&[(0, 5), (1, 3)]), Cover::initial(5), "a new branch");
        assert_eq!(insert(&[(0, 5), (1, 3)]), Cover::initial(5), "the same branch");
        assert_eq!(insert(&[(0, 3), (1, 5)]), Cover::initial(5), "the same branch");
        assert_eq!(insert(&[(1, 2), (0, 4)]), Cover::initial(4), "the same steps in another order");
        assert_eq!(insert(&[(1, 4), (0, 2)]), Cover::initial(4), "the same steps in another order");
        let inner = Cover {
            used_up: true,
            ..Cover::initial(3)
        };
        assert_eq!(insert(&[(0, 3)]), inner, "an inner node");
        let strangers = |latest, processes: &[u32]| Cover {
            strangers: processes.iter().map(|p| (Transition::of(Process(*p)), nothing)).collect(),
            ..Cover::initial(latest)
        };
        assert_eq!(insert(&[(2, 7)]), strangers(0, &[0, 1]), "steps that are not in it");
        assert_eq!(insert(&[(0, 3), (2, 7)]), strangers(3, &[1]), "a step that is not in it");
        assert_eq!(insert(&[(1, 3)]), strangers(3, &[0]), "a step that is not in it");
        assert_eq!(
            insert(&[(0, 1), (1, 2), (2, 3)]),
            Cover::initial(2),
            "a leaf stands for all that follows"
        );
        assert_eq!(wakeup.width(tree), 1);
        assert_eq!(wakeup.branches.len(), 2);
    }

    #[test]
    fn a_branch_that_is_taken_is_used_again() {
        let footprint = Footprints::default().intern(&crate::footprint::Footprint::new());
        let mut wakeup = Wakeup::default();
        for process in 0..3 {
            let mut tree = wakeup.leaf(Transition::of(Process(process)), footprint);
            let (transition, _, below) = wakeup.take(&mut tree).expect("a leaf");
            assert_eq!(transition.process, Process(process));
            assert!(below.is_empty() && tree.is_empty());
        }
        assert_eq!(wakeup.branches.len(), 1);
    }

    #[test]
    fn branches_that_are_not_retained_are_used_again() {
        let (mut wakeup, footprint) = (Wakeup::default(), Footprints::default().intern(&crate::footprint::Footprint::new()));
        let mut step = |n: u32| wakeup.allocate(Transition::of(Process(n)), footprint);
        let ids: Vec<u32> = (0..6).map(&mut step).collect();
        // 0 with the branches 1 (which has 2) and 3 below it, then 4, then 5.
        for (parent, child) in [(0, 1), (1, 2)] {
            wakeup.branches[ids[parent] as usize].children = ids[child];
        }
        for (left, right) in [(1, 3), (0, 4), (4, 5)] {
            wakeup.branches[ids[left] as usize].next = ids[right];
        }
        let mut tree = Tree(ids[0]);
        wakeup.retain(&mut tree, |t| t.process == Process(4));
        assert!(wakeup.starts_with(tree, Transition::of(Process(4))));
        assert_eq!(wakeup.width(tree), 1);
        let mut free = Vec::new();
        let mut at = wakeup.free.0;
        while at != NONE {
            free.push(at);
            at = wakeup.branches[at as usize].next;
        }
        free.sort_unstable();
        assert_eq!(free, [0, 1, 2, 3, 5]);
    }
}
