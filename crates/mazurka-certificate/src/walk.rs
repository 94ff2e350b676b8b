//! Walks: how it is shown that some execution of the tree begins with what is looked for, up to the order of independent steps. Each
//! step of a walk is a step of a proof, whatever guided it (`walk_is_proof` in `proofs/Walks.v`): a walk that goes wrong can only refuse.
//!
//! Walks go to the first branch that fits. In a tree with every trace and none twice that never goes wrong: whatever else fits was
//! asleep on the way, or does not begin with what is looked for.

use crate::actions::{Action, Actions};
use crate::execution::{At, Event, Execution};
use crate::tree::{Node, Tree};
use mazurka_core::Program;

/// A step that is still to happen: an event of the execution, or an action that could have been taken.
#[derive(Clone, Copy)]
pub(crate) struct Item {
    pub action: Action,
    /// Its position, if it is an event.
    pub at: Option<At>,
}

/// Whether an action could come first in what is still to happen. In the proofs: `first_in`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum First {
    /// It is this item, and nothing before it keeps it from being first.
    Initial(usize),
    /// It is not in there, and independent of all of it.
    Independent,
    No,
}

impl<P: Program + ?Sized> Execution<'_, P>
where
    P::State: Clone,
{
    /// Whether `action` could come first in `items`. In the proofs: `first`.
    #[inline]
    pub fn first(&self, action: Action, items: &[Item], actions: &Actions) -> First {
        let process = actions.process(action);
        for (index, item) in items.iter().enumerate() {
            if actions.process(item.action) == process {
                let bears = |earlier: &Item| earlier.at.is_some_and(|at| bears(&self.events()[at], process));
                return if item.action == action && !items[..index].iter().any(bears) {
                    First::Initial(index)
                } else {
                    First::No
                };
            }
            // Whether it is found later or not: something before it conflicts with it.
            if actions.conflict(item.action, action) {
                return First::No;
            }
        }
        First::Independent
    }

    /// Whether some execution of the tree begins, up to equivalence, with the events before `at` and then `items`. In the proofs: `covered`.
    ///
    /// A branch that sleeps where `items` begin is an earlier one of some node above: the walk starts there, with the steps from that
    /// node on. They are independent of the branch.
    pub fn is_covered(&self, at: At, items: &mut Vec<Item>, tree: &Tree, actions: &Actions) -> bool {
        for sleeper in &self.frame(at).sleep {
            let first = self.first(sleeper.action, items, actions);
            if first == First::No {
                continue;
            }
            if let First::Initial(index) = first {
                items.remove(index);
            }
            let way = self.events()[sleeper.depth..at].iter().zip(sleeper.depth..);
            items.splice(0..0, way.map(|(event, at)| item(event, at)));
            return self.walk(sleeper.branch, items, tree, actions);
        }
        self.walk(self.frame(at).node, items, tree, actions)
    }

    /// Goes down from a node until nothing is left of `items`. In the proofs: `walk`.
    fn walk(&self, mut node: Node, items: &mut Vec<Item>, tree: &Tree, actions: &Actions) -> bool {
        // What happens first is usually taken first: items are given up from the front without moving the others.
        let mut begin = 0;
        'steps: while begin < items.len() {
            for child in tree.children(node) {
                match self.first(tree.action(child), &items[begin..], actions) {
                    First::Initial(0) => begin += 1,
                    First::Initial(index) => {
                        items.remove(begin + index);
                    }
                    First::Independent => {}
                    First::No => continue,
                }
                node = child;
                continue 'steps;
            }
            return false;
        }
        true
    }
}

/// An event as something that is still to happen.
pub(crate) fn item(event: &Event, at: At) -> Item {
    Item {
        action: event.action,
        at: Some(at),
    }
}

fn bears(event: &Event, process: mazurka_core::Process) -> bool {
    event.births.contains(&process)
}
