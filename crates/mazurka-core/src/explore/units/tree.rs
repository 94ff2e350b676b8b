//! The ordered tree, or a part of it (`docs/src/soundness.md`, "In any order").

use crate::cover::Cover;
use crate::explore::exploration::Sleeper;
use crate::footprints::{FootprintId, Footprints};
use crate::program::{Process, Transition};
use crate::sequence::{First, Sequence};

pub(super) const NONE: u32 = u32::MAX;
/// The initial state.
pub(super) const ROOT: u32 = 0;

/// A node, with the step that leads to it.
pub(super) struct Node {
    pub step: Sleeper,
    pub parent: u32,
    pub depth: u32,
    pub eldest: u32,
    pub youngest: u32,
    /// The next younger sibling.
    pub next: u32,
    /// Nothing sleeps there when it is reached, and whoever runs it runs all that can follow: sequences that come from above are covered.
    pub leaf: bool,
    /// It has children that are not here.
    pub unknown: bool,
    /// Somebody was told to count the step.
    pub taken: bool,
}

/// Nodes that are only ever added, each as the youngest of its siblings.
pub(super) struct Tree {
    pub nodes: Vec<Node>,
}

/// What became of a sequence.
pub(super) enum Walked {
    /// It is covered.
    Covered(Cover),
    /// It may be covered by what is not here.
    Unknown,
    /// It is not, and what is left of it belongs below this node.
    Missing(u32),
}

impl Tree {
    /// The initial state.
    pub fn new() -> Self {
        let nowhere = Sleeper {
            transition: Transition::of(Process(0)),
            footprint: FootprintId::default(),
        };
        Tree {
            nodes: vec![Node {
                leaf: true,
                taken: true,
                ..Node::below(NONE, 0, nowhere)
            }],
        }
    }

    pub fn add(&mut self, parent: u32, step: Sleeper) -> u32 {
        let new = self.nodes.len() as u32;
        let node = Node::below(parent, self.nodes[parent as usize].depth + 1, step);
        self.nodes.push(node);
        let above = &mut self.nodes[parent as usize];
        let last = std::mem::replace(&mut above.youngest, new);
        match last {
            NONE => above.eldest = new,
            last => self.nodes[last as usize].next = new,
        }
        new
    }

    /// The children of a node, the eldest first.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.from(self.nodes[node as usize].eldest)
    }

    fn from(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = first;
        std::iter::from_fn(move || {
            let node = self.nodes.get(at as usize)?;
            Some(std::mem::replace(&mut at, node.next))
        })
    }

    /// The siblings that are older.
    pub fn elder(&self, node: u32) -> impl Iterator<Item = Sleeper> + '_ {
        let siblings = self.children(self.nodes[node as usize].parent);
        siblings
            .take_while(move |sibling| *sibling != node)
            .map(|sibling| self.nodes[sibling as usize].step)
    }

    /// The nodes on the way to a node, from below the root.
    pub fn way_to(&self, node: u32) -> Vec<u32> {
        let mut way: Vec<u32> = std::iter::successors(Some(node), |at| Some(self.nodes[*at as usize].parent))
            .take_while(|at| *at != ROOT && *at != NONE)
            .collect();
        way.reverse();
        way
    }

    /// Compares a sequence with what is younger than `branch` at its node, taking away from it what was found.
    pub fn walk(&self, branch: u32, v: &mut Sequence, footprints: &Footprints) -> Walked {
        let (mut at, mut first) = (self.nodes[branch as usize].parent, self.nodes[branch as usize].next);
        let mut cover = Cover::default();
        loop {
            let covering = self.from(first).find_map(|child| {
                let step = self.nodes[child as usize].step;
                match v.first(step.transition, step.footprint, footprints) {
                    First::No => None,
                    first => Some((child, first)),
                }
            });
            let Some((child, found)) = covering else {
                return if self.nodes[at as usize].unknown {
                    Walked::Unknown
                } else {
                    Walked::Missing(at)
                };
            };
            match found {
                First::Initial(index) => cover.latest = v.items.remove(index).at.max(cover.latest),
                _ => {
                    let Sleeper { transition, footprint } = self.nodes[child as usize].step;
                    cover.add_stranger(transition, footprint);
                }
            }
            if self.nodes[child as usize].leaf {
                return Walked::Covered(cover);
            }
            if v.items.is_empty() {
                cover.used_up = true;
                return Walked::Covered(cover);
            }
            (at, first) = (child, self.nodes[child as usize].eldest);
        }
    }
}

impl Node {
    fn below(parent: u32, depth: u32, step: Sleeper) -> Self {
        Node {
            step,
            parent,
            depth,
            eldest: NONE,
            youngest: NONE,
            next: NONE,
            leaf: false,
            unknown: false,
            taken: false,
        }
    }
}
