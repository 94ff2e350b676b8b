//! Wakeup trees (JACM'17, Sect. 6): which sequences must still be explored from a node.
//!
//! All trees of one search live in one arena with a free list, so that growing and consuming them allocates nothing in the long run.

use crate::footprints::{FootprintId, Footprints};
use crate::program::Transition;
use crate::sequence::{First, Sequence};
use crate::trace::{At, NOWHERE};

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

#[derive(Clone, Copy)]
struct Branch {
    transition: Transition,
    footprint: FootprintId,
    children: u32,
    next: u32,
}

/// The arena of wakeup trees.
#[derive(Default)]
pub(crate) struct Wakeup {
    branches: Vec<Branch>,
    free: Vec<u32>,
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
        self.free.push(tree.0);
        tree.0 = branch.next;
        Some((branch.transition, branch.footprint, Tree(branch.children)))
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
            let branch = self.branches.get(at as usize)?;
            at = branch.next;
            Some((branch.transition, branch.children == NONE))
        })
    }

    /// The branches at the root, leftmost first: their steps, and the trees below.
    pub fn list(&self, tree: Tree) -> impl Iterator<Item = (Transition, FootprintId, Tree)> + '_ {
        let mut at = tree.0;
        std::iter::from_fn(move || {
            let branch = self.branches.get(at as usize)?;
            at = branch.next;
            Some((branch.transition, branch.footprint, Tree(branch.children)))
        })
    }

    /// `insert(v, tree)` (JACM'17, Def. 6.2): afterwards some branch covers `v`, and no two branches cover each other. Uses up `v`.
    ///
    /// Returns the latest event of `v` among the steps of a path to a leaf that covers it; [`NOWHERE`] if the path has a step that is not in
    /// `v`, or does not end in a leaf.
    pub fn insert(&mut self, tree: &mut Tree, v: &mut Sequence, footprints: &Footprints) -> At {
        self.insert_where(tree, v, |v, transition, footprint| v.first(transition, footprint, footprints))
    }

    /// Removes the branches at the root whose steps are not wanted.
    pub fn retain(&mut self, tree: &mut Tree, wanted: impl Fn(Transition) -> bool) {
        let (mut last, mut at) = (NONE, tree.0);
        while at != NONE {
            let branch = self.branches[at as usize];
            if wanted(branch.transition) {
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

    /// Gives back a branch with all below it. The free list serves as the list of what is still to be looked below.
    fn release(&mut self, branch: u32) {
        let mut looked_below = self.free.len();
        self.free.push(branch);
        while let Some(&parent) = self.free.get(looked_below) {
            let mut child = self.branches[parent as usize].children;
            while child != NONE {
                self.free.push(child);
                child = self.branches[child as usize].next;
            }
            looked_below += 1;
        }
    }

    /// Whether some branch at the root starts with this step.
    pub fn starts_with(&self, tree: Tree, transition: Transition) -> bool {
        let mut at = tree.0;
        while at != NONE {
            let branch = self.branches[at as usize];
            if branch.transition == transition {
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
        self.append(tree, NONE, last, v);
    }

    /// [`Wakeup::insert`], with another notion of what could come first.
    pub fn insert_where(&mut self, tree: &mut Tree, v: &mut Sequence, first: impl Fn(&Sequence, Transition, FootprintId) -> First) -> At {
        let mut latest = 0;
        let mut parent = NONE;
        // Mostly `v` begins like the leftmost branch, step by step. Each of these steps comes first in what is left of `v`.
        let mut same = 0;
        while let Some(item) = v.items.get(same) {
            let leftmost = self.children(*tree, parent);
            if leftmost == NONE || self.branches[leftmost as usize].transition != item.transition {
                break;
            }
            latest = latest.max(item.at);
            if self.branches[leftmost as usize].children == NONE {
                return latest;
            }
            parent = leftmost;
            same += 1;
        }
        v.items.drain(..same);
        if v.items.is_empty() {
            return NOWHERE;
        }
        loop {
            let mut last = NONE;
            let mut at = self.children(*tree, parent);
            let covering = loop {
                if at == NONE {
                    break None;
                }
                let branch = self.branches[at as usize];
                match first(v, branch.transition, branch.footprint) {
                    First::No => {
                        last = at;
                        at = branch.next;
                    }
                    first => break Some((at, first)),
                }
            };
            match covering {
                None => {
                    self.append(tree, parent, last, v);
                    return v.items.iter().fold(latest, |latest, item| latest.max(item.at));
                }
                Some((at, first)) => {
                    latest = match first {
                        First::Initial(index) => v.items.remove(index).at.max(latest),
                        _ => NOWHERE,
                    };
                    // A leaf stands for everything that can follow it.
                    if self.branches[at as usize].children == NONE {
                        return latest;
                    }
                    if v.items.is_empty() {
                        return NOWHERE;
                    }
                    parent = at;
                }
            }
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
    fn append(&mut self, tree: &mut Tree, parent: u32, last: u32, v: &Sequence) {
        let mut parent = parent;
        let mut last = last;
        for item in &v.items {
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
            transition,
            footprint,
            children: NONE,
            next: NONE,
        };
        match self.free.pop() {
            Some(at) => {
                self.branches[at as usize] = branch;
                at
            }
            None => {
                self.branches.push(branch);
                self.branches.len() as u32 - 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Process;
    use crate::sequence::Item;

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
        assert_eq!(insert(&[(0, 5), (1, 3)]), 5, "a new branch");
        assert_eq!(insert(&[(0, 5), (1, 3)]), 5, "the same branch");
        assert_eq!(insert(&[(0, 3), (1, 5)]), 5, "the same branch");
        assert_eq!(insert(&[(1, 2), (0, 4)]), 4, "the same steps in another order");
        assert_eq!(insert(&[(1, 4), (0, 2)]), 4, "the same steps in another order");
        assert_eq!(insert(&[(0, 3)]), NOWHERE, "an inner node");
        assert_eq!(insert(&[(2, 7)]), NOWHERE, "steps that are not in it");
        assert_eq!(insert(&[(0, 3), (2, 7)]), NOWHERE, "a step that is not in it");
        assert_eq!(insert(&[(1, 3)]), NOWHERE, "a step that is not in it");
        assert_eq!(insert(&[(0, 1), (1, 2), (2, 3)]), 2, "a leaf stands for all that follows");
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
        let mut free = wakeup.free.clone();
        free.sort_unstable();
        assert_eq!(free, [0, 1, 2, 3, 5]);
    }
}
