//! Tests: what the future of a state found out about the values there without learning the values themselves.
//!
//! A test is a condition as it was met: a predicate together with the values that it was given, and where these come from in the state at
//! hand. What it said is then a property of the test alone; and a step that adds to a location before it is read changes nothing about
//! the tests after it: they were given the same values. So most steps pass sets of them on as they are.

use super::bits::Bits;
use super::guard::{Changes, Condition};
use crate::insights::{Atom, Origin, Predicate};
use crate::program::Location;
use crate::world::Situation;
use smallvec::SmallVec;

/// A value that a predicate was given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Given {
    pub value: i64,
    /// The location that it is the value of, but for a constant; none if it is the same in every state.
    pub location: Option<Location>,
}

/// A predicate and what it was given.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Test {
    pub predicate: Predicate,
    pub given: SmallVec<[Given; 2]>,
}

impl Default for Test {
    fn default() -> Self {
        Test {
            predicate: Predicate(u32::MAX),
            given: SmallVec::new(),
        }
    }
}

impl Test {
    /// A condition in a state.
    pub fn of(condition: &Condition, state: &dyn Situation) -> Test {
        let given = condition.atoms.iter().map(|atom| Given {
            value: atom.value(state),
            location: match *atom {
                Atom::Known(_) => None,
                Atom::Open(location, _) => Some(location),
            },
        });
        Test {
            predicate: condition.predicate,
            given: given.collect(),
        }
    }

    /// The locations that it depends on.
    pub fn locations(&self) -> impl Iterator<Item = Location> + '_ {
        self.given.iter().filter_map(|g| g.location)
    }

    /// Whether whoever knows the values of these locations knows what it says.
    pub fn is_told_by(&self, values: &Bits) -> bool {
        self.locations().all(|l| values.contains(l.0))
    }

    /// The test seen from before a step; `None` if it says the same in every state from there. Locations whose values must be known there
    /// are added to `computed`.
    pub fn before(&self, changes: &Changes, computed: &mut Bits) -> Option<Test> {
        let mut test = self.clone();
        for given in &mut test.given {
            let change = changes.iter().find(|c| Some(c.location) == given.location);
            match change.map(|c| &c.source) {
                None => {}
                Some(Origin::Copy(from, _)) => given.location = Some(*from),
                Some(Origin::Constant) => given.location = None,
                Some(Origin::Computed(from)) => {
                    given.location = None;
                    from.iter().for_each(|l| computed.insert(l.0));
                }
            }
        }
        test.locations().next()?;
        Some(test)
    }

    /// The test in a state where the values that it was given differ by so much.
    pub fn moved(&self, difference: impl Fn(Given) -> i64) -> Test {
        let mut test = self.clone();
        for given in &mut test.given {
            given.value = given.value.wrapping_add(difference(*given));
        }
        test
    }
}
