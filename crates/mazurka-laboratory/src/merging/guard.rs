//! Guard data: what a cone knows about the guard of its last step.

use super::cone::Cone;
use super::step::{Places, Step};
use mazurka_core::{Atom, Location, Predicate};

/// The values of one state, of a program that lets them be seen.
pub trait Values {
    /// The value of a location.
    fn value(&self, location: Location) -> i64;

    /// The value of a predicate when its atoms have these values.
    fn evaluate(&self, predicate: Predicate, atoms: &[i64]) -> u64;
}

/// Whether and how `f` waits after `u`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Guard {
    /// It has no guard.
    None,
    /// It waits for what its process waits for now. Values cannot be seen, but nothing in `u` touches what the guard reads.
    Untouched,
    /// Values cannot be seen, and `u` touches what the guard reads or contains a step of the same process.
    Touched,
    /// Values can be seen: the guard after `u`.
    Condition(Condition),
}

impl Guard {
    /// The guard of the cone when a step is put before everything else.
    pub(super) fn after(&self, cone: &Cone, p: &Step, computed: &mut Places) -> Guard {
        match self {
            Guard::Untouched if cone.belongs_to(p) || p.writes_guard(&cone.footprint) => Guard::Touched,
            Guard::Condition(condition) => Guard::Condition(condition.before(p, computed)),
            other => other.clone(),
        }
    }
}

/// A predicate of the program text, and what its atoms are in the state at hand.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Condition {
    /// The predicate.
    pub predicate: Predicate,
    /// Its atoms: constants, or locations plus a constant.
    pub atoms: Vec<Atom>,
}

impl Condition {
    /// What it says in a state.
    pub fn evaluate(&self, values: &dyn Values) -> u64 {
        let atom = |a: &Atom| match *a {
            Atom::Known(value) => value,
            Atom::Open(location, plus) => values.value(location).wrapping_add(plus),
        };
        let atoms: Vec<i64> = self.atoms.iter().map(atom).collect();
        values.evaluate(self.predicate, &atoms)
    }

    /// The condition before a step that says what this one says after it: its weakest precondition.
    pub fn before(&self, p: &Step, computed: &mut Places) -> Condition {
        Condition {
            predicate: self.predicate,
            atoms: self.atoms.iter().map(|a| p.atom_before(*a, computed)).collect(),
        }
    }
}
