//! A shortcut for choices: which alternatives are done or planned already.
//!
//! A choice among n values comes back in each of its n executions with n-1 alternatives. To look for each of them among the n steps that
//! sleep or are planned would take n³ steps in all; with a set of them it takes n².

use super::exploration::Sleeper;
use crate::footprints::Footprints;
use crate::program::Transition;
use crate::sequence::Sequence;
use crate::trace::At;
use crate::wakeup::{Tree, Wakeup};
use rustc_hash::FxHashSet;

/// The alternatives of one choice of the current execution that sleep at its node, or are leaves of its wakeup tree.
#[derive(Default)]
pub(crate) struct KnownChoices {
    node: Option<At>,
    known: FxHashSet<Transition>,
}

impl KnownChoices {
    /// Another execution begins, or the trees have changed otherwise than by [`Wakeup::insert`].
    pub fn forget(&mut self) {
        self.node = None;
    }

    /// Whether `v`, which ends with an alternative to the event at `e` and has nothing else of its process, is covered by that
    /// alternative itself. If not, something else may still cover it.
    pub fn cover(&mut self, e: At, v: &Sequence, asleep: &[Sleeper], wakeup: &Wakeup, tree: Tree, footprints: &Footprints) -> bool {
        let Some(alternative) = v.items.last() else { return false };
        if self.node != Some(e) {
            self.node = Some(e);
            self.known.clear();
            self.known.extend(asleep.iter().map(|s| s.transition));
            // Branches of the same process cover `v` only if they are the same alternative. Those of others might, and the leftmost counts.
            let process = alternative.transition.process;
            let own = wakeup.branches(tree).take_while(|(t, _)| t.process == process);
            self.known.extend(own.filter(|(_, is_leaf)| *is_leaf).map(|(t, _)| t));
        }
        self.known.contains(&alternative.transition) && v.is_initial(v.items.len() - 1, footprints)
    }
}
