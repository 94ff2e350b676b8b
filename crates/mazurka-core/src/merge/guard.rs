//! What a cone knows about the guard of its last step: whether `f` could be taken after `s.u`.

use crate::insights::{Atom, Origin, Predicate};
use crate::program::Location;
use crate::world::Situation;
use smallvec::SmallVec;

/// The number of what is known about a guard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct GuardId(pub u32);

impl GuardId {
    /// The step has no guard.
    pub const NONE: GuardId = GuardId(0);
    /// The step waits for what the process waits for now, and nothing in `u` touches that.
    pub const FRESH: GuardId = GuardId(1);
    /// Something in `u` touches what the guard reads, or the process moves in `u`.
    pub const AFFECTED: GuardId = GuardId(2);
    /// The first number that stands for a condition.
    pub const CONDITIONS: u32 = 3;
    /// Not a guard: the cone stands for many.
    pub const COLLAPSED: GuardId = GuardId(u32::MAX);
}

/// A location that a step changed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Change {
    pub location: Location,
    /// Where its new value comes from.
    pub source: Origin,
    /// Its new value.
    pub after: i64,
}

impl Change {
    /// The change, no matter by how much and to what.
    pub fn without_amounts(&self) -> Change {
        let source = match &self.source {
            Origin::Copy(from, _) => Origin::Copy(*from, 0),
            other => other.clone(),
        };
        Change {
            location: self.location,
            source,
            after: 0,
        }
    }
}

/// The changes of one step.
pub(crate) type Changes = SmallVec<[Change; 2]>;

/// A predicate after `u`: what its atoms are, seen from before `u`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Condition {
    pub predicate: Predicate,
    pub atoms: SmallVec<[Atom; 4]>,
}

impl Default for Condition {
    fn default() -> Self {
        Condition {
            predicate: Predicate(u32::MAX),
            atoms: SmallVec::new(),
        }
    }
}

impl Atom {
    /// Its value in a state.
    #[inline]
    pub(super) fn value(&self, state: &dyn Situation) -> i64 {
        match *self {
            Atom::Known(value) => value,
            Atom::Open(location, plus) => state.value(location).wrapping_add(plus),
        }
    }
}

impl Condition {
    /// Its value after `run.u`.
    pub fn evaluate(&self, state: &dyn Situation) -> u64 {
        let mut few = [0; 8];
        let Some(values) = few.get_mut(..self.atoms.len()) else {
            let values: Vec<i64> = self.atoms.iter().map(|a| a.value(state)).collect();
            return state.evaluate(self.predicate, &values);
        };
        values.iter_mut().zip(&self.atoms).for_each(|(v, a)| *v = a.value(state));
        state.evaluate(self.predicate, values)
    }

    /// Whether its value is the same in every state.
    pub fn is_closed(&self) -> bool {
        self.atoms.iter().all(|a| matches!(a, Atom::Known(_)))
    }

    /// Puts a step before `u`. `None` if that changes nothing. `computed` is told of locations from which a value was computed.
    pub fn extended(&self, changes: &Changes, mut computed: impl FnMut(Location)) -> Option<Condition> {
        let mut new: Option<Condition> = None;
        for (i, atom) in self.atoms.iter().enumerate() {
            let Atom::Open(location, plus) = *atom else { continue };
            let Some(change) = changes.iter().find(|c| c.location == location) else {
                continue;
            };
            let atom = match &change.source {
                Origin::Copy(from, more) => Atom::Open(*from, plus.wrapping_add(*more)),
                Origin::Constant => Atom::Known(change.after.wrapping_add(plus)),
                Origin::Computed(from) => {
                    from.iter().for_each(|l| computed(*l));
                    Atom::Known(change.after.wrapping_add(plus))
                }
            };
            new.get_or_insert_with(|| self.clone()).atoms[i] = atom;
        }
        new
    }
}
