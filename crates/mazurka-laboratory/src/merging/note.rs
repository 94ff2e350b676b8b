//! Notes of observed equality: what the explored future of a state looks at.

use super::cone::Cones;
use super::guard::{Condition, Guard, Values};
use super::step::{Places, Step};
use mazurka_core::Atom;
use std::collections::BTreeSet;

/// What the future of a state looks at. Two states with the same control part that agree on this have the same future.
#[derive(Clone, Default, Debug)]
pub struct Note {
    /// The locations whose values matter.
    pub places: Places,
    /// The conditions of which only what they say matters.
    conditions: BTreeSet<Condition>,
}

impl Note {
    /// Adds a condition. One without locations says the same in every state.
    pub fn test(&mut self, condition: Condition) {
        if condition.atoms.iter().any(|a| matches!(a, Atom::Open(..))) {
            self.conditions.insert(condition);
        }
    }

    /// Adds the guard of every cone, evaluated after its `u`.
    pub fn test_guards(&mut self, cones: &Cones) {
        for cone in cones.iter() {
            if let Guard::Condition(condition) = &cone.guard {
                self.test(condition.clone());
            }
        }
    }

    /// Adds what a note of the state after a step means before it.
    pub fn add_before(&mut self, p: &Step, after: &Note) {
        for location in &after.places {
            self.places.extend(p.place_before(*location));
        }
        for condition in &after.conditions {
            let before = condition.before(p, &mut self.places);
            self.test(before);
        }
    }

    /// Whether two states agree on it.
    pub fn agree(&self, one: &dyn Values, other: &dyn Values) -> bool {
        self.places.iter().all(|l| one.value(*l) == other.value(*l)) && self.conditions.iter().all(|c| c.evaluate(one) == c.evaluate(other))
    }
}
