//! What else could have happened in an execution, and whether the tree has it. These are the definitions of `proofs/Reversals.v`.

use crate::Rejection;
use crate::actions::{Action, Actions};
use crate::execution::{At, Execution, step};
use crate::set::Set;
use crate::tree::Tree;
use crate::walk::{Item, item};
use mazurka_core::{Effects, Pending, Program};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// What is needed on the way, and how many reversals were looked at.
pub(crate) struct Scratch<S> {
    items: Vec<Item>,
    /// The events that are kept while a guarded step is tried.
    kept: Vec<At>,
    state: Option<S>,
    effects: Effects,
    pending: Vec<Pending>,
    pub reversals: u64,
}

impl<S> Default for Scratch<S> {
    fn default() -> Self {
        Scratch {
            items: Vec::new(),
            kept: Vec::new(),
            state: None,
            effects: Effects::default(),
            pending: Vec::new(),
            reversals: 0,
        }
    }
}

impl<P: Program + ?Sized> Execution<'_, P>
where
    P::State: Clone,
{
    /// Whether the tree has every reversal of this execution. In the proofs: `closed`, for one execution.
    pub fn is_closed(&self, tree: &Tree, actions: &Actions, scratch: &mut Scratch<P::State>) -> Result<(), Rejection> {
        for second in 0..self.depth() {
            for &first in &self.events()[second].races {
                self.race(first, second, tree, actions, scratch)?;
            }
            self.choices(second, tree, actions, scratch)?;
        }
        for at in 0..=self.depth() {
            if self.frame(at).guarded {
                self.guards(at, tree, actions, scratch)?;
            }
        }
        Ok(())
    }

    /// What follows the event at `e` and does not happen after it. In the proofs: `notdep`.
    fn independent_of(&self, e: At, items: &mut Vec<Item>) {
        items.clear();
        let events = self.events().iter().enumerate().skip(e + 1);
        let others = events.filter(|(at, _)| !self.events()[e].future.contains(*at));
        items.extend(others.map(|(at, event)| item(event, at)));
    }

    /// A race that is not on the guard of the second event. In the proofs: `reversed_race`.
    fn race(&self, e: At, f: At, tree: &Tree, actions: &Actions, scratch: &mut Scratch<P::State>) -> Result<(), Rejection> {
        let (first, second) = (self.events()[e].action, self.events()[f].action);
        if actions.writes_guard(first, second) {
            return Ok(());
        }
        self.independent_of(e, &mut scratch.items);
        scratch.items.push(Item { action: second, at: None });
        self.must_be_covered(e, "two steps that race are not there the other way round", tree, actions, scratch)
    }

    /// The alternatives of an event that were enabled. In the proofs: `reversed_choice`.
    fn choices(&self, at: At, tree: &Tree, actions: &Actions, scratch: &mut Scratch<P::State>) -> Result<(), Rejection> {
        let taken = self.events()[at].action;
        for offer in &self.frame(at).offers {
            let other = offer.action;
            if offer.enabled && other != taken && actions.process(other) == actions.process(taken) {
                self.independent_of(at, &mut scratch.items);
                scratch.items.push(Item { action: other, at: None });
                self.must_be_covered(at, "an alternative of a step is not there", tree, actions, scratch)?;
            }
        }
        Ok(())
    }

    fn must_be_covered(&self, e: At, what: &str, tree: &Tree, actions: &Actions, scratch: &mut Scratch<P::State>) -> Result<(), Rejection> {
        scratch.reversals += 1;
        if self.is_covered(e, &mut scratch.items, tree, actions) {
            Ok(())
        } else {
            Err(Rejection::refused(what))
        }
    }

    /// Guarded actions: the one taken at `at` and its alternatives, or at the end those that wait. Each could have been taken without an
    /// event that wrote its guard. In the proofs: `reversed_guard`.
    fn guards(&self, at: At, tree: &Tree, actions: &Actions, scratch: &mut Scratch<P::State>) -> Result<(), Rejection> {
        let taken = self.events().get(at);
        for offer in &self.frame(at).offers {
            let f = offer.action;
            if !actions.is_guarded(f) || taken.is_some_and(|event| actions.process(event.action) != actions.process(f)) {
                continue;
            }
            let before = taken.map_or_else(|| self.before_next(actions.process(f)), |event| event.before);
            for e in 0..at {
                if actions.writes_guard(self.events()[e].action, f) && !self.is_past(e, before) {
                    self.cuts(e, f, before, tree, actions, scratch)?;
                }
            }
        }
        Ok(())
    }

    /// Whether an event lies in the past of what comes next after `before`, of which it cannot be separated.
    fn is_past(&self, at: At, before: Option<At>) -> bool {
        before.is_some_and(|before| before == at || self.events()[before].past.contains(at))
    }

    /// The parts of what is independent of `e` after which `f` could have been taken: the last writers of its guard are removed one by
    /// one, each with all that happens after it, but nothing in the past of `f`'s process. In the proofs: `cut`.
    fn cuts(
        &self,
        e: At,
        f: Action,
        before: Option<At>,
        tree: &Tree,
        actions: &Actions,
        scratch: &mut Scratch<P::State>,
    ) -> Result<(), Rejection> {
        let future = &self.events()[e].future;
        scratch.kept.clear();
        scratch.kept.extend((e + 1..self.depth()).filter(|at| !future.contains(*at)));
        let writes = |at: &At| actions.writes_guard(self.events()[*at].action, f);
        let writers: SmallVec<[At; 8]> = scratch.kept.iter().copied().filter(writes).collect();
        let removable: SmallVec<[At; 8]> = writers.iter().copied().filter(|w| !self.is_past(*w, before)).collect();
        // If the process had come so far before `e`, and nobody who is kept writes the guard, that is as it was there.
        let came = before.is_none_or(|before| before < e);
        if removable.is_empty() {
            return self.guard(e, f, came && writers.is_empty(), tree, actions, scratch);
        }
        let mut all = Set::default();
        scratch.kept.iter().for_each(|at| all.insert(*at));
        let mut met = FxHashSet::default();
        let mut left = vec![all];
        while let Some(kept) = left.pop() {
            scratch.kept.clear();
            scratch.kept.extend(kept.iter());
            let as_before = came && !writers.iter().any(|w| kept.contains(*w));
            self.guard(e, f, as_before, tree, actions, scratch)?;
            self.without_last_writers(&writers, &removable, &kept, |less| {
                if met.insert(less.clone()) {
                    left.push(less);
                }
            });
        }
        Ok(())
    }

    /// The sets with one last writer less, and without what happens after it.
    fn without_last_writers(&self, writers: &[At], removable: &[At], kept: &Set, mut found: impl FnMut(Set)) {
        for &w in removable.iter().filter(|w| kept.contains(**w)) {
            let future = &self.events()[w].future;
            if !writers.iter().any(|later| kept.contains(*later) && future.contains(*later)) {
                let mut less = kept.clone();
                less.remove(w);
                less.subtract(future);
                found(less);
            }
        }
    }

    /// `f` instead of the event at `e`, after the events that are kept: it is there, or it is not enabled then.
    fn guard(
        &self,
        e: At,
        f: Action,
        as_before: bool,
        tree: &Tree,
        actions: &Actions,
        scratch: &mut Scratch<P::State>,
    ) -> Result<(), Rejection> {
        if as_before && !self.frame(e).offers.iter().any(|o| o.action == f && o.enabled) {
            return Ok(());
        }
        scratch.reversals += 1;
        scratch.items.clear();
        let items = scratch.kept.iter().map(|at| item(&self.events()[*at], *at));
        scratch.items.extend(items.chain([Item { action: f, at: None }]));
        // What cannot be run need not be there; that is only asked where it makes a difference.
        if self.is_covered(e, &mut scratch.items, tree, actions) || !(as_before || self.enabled_after(e, f, actions, scratch)?) {
            return Ok(());
        }
        Err(Rejection::refused(
            "a step that could have been taken before its guard was written is not there",
        ))
    }

    /// Whether an action is enabled after the events before `e` and those that are kept: they are run.
    fn enabled_after(&self, e: At, f: Action, actions: &Actions, scratch: &mut Scratch<P::State>) -> Result<bool, Rejection> {
        let start = &self.frame(e).state;
        let state = match &mut scratch.state {
            Some(state) => {
                state.clone_from(start);
                state
            }
            none => none.insert(start.clone()),
        };
        for &at in &scratch.kept {
            let transition = actions.transition(self.events()[at].action);
            step(self.program, state, transition, &mut scratch.effects)?;
        }
        scratch.pending.clear();
        self.program.pending(state, &mut scratch.pending);
        let transition = actions.transition(f);
        Ok(scratch.pending.iter().any(|p| p.enabled && p.transition == transition))
    }
}
