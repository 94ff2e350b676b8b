//! What became of the last steps of cones: the same for all cones with the same key.

use super::super::bits::Bits;
use super::super::edge::Relation;
use super::super::guard::Changes;
use super::super::intern::Interner;
use crate::footprints::FootprintId;
use rustc_hash::FxHashMap;

/// The number of what steps may have beside a process and a footprint: births, and changes that guards can see.
pub(crate) type ExtraId = u32;

/// Neither births nor changes.
pub(crate) const NO_EXTRA: ExtraId = 0;

/// The number of a step: of a process, a footprint, births and changes.
pub(crate) type StepId = u32;

/// All that is known should be forgotten when it is about so many steps, or so many different births and changes.
const MOST_STEPS: usize = 1 << 16;
/// The number of places for keys, a power of two.
const PLACES: usize = 1 << 11;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Place {
    step: StepId,
    key: u32,
    relation: Relation,
    /// The number of the key of a cone that grows by the step; [`NONE`] if it is not known.
    grown: u32,
}

/// What is known of keys under the steps that were seen so far.
#[derive(Default)]
pub(crate) struct KnownKeys {
    extras: Interner<(Bits, Changes)>,
    steps: FxHashMap<(u32, FootprintId, ExtraId), StepId>,
    /// A cache: each step and key has one place, where the last one is kept.
    places: Vec<Place>,
}

impl KnownKeys {
    /// Whether it is time to forget everything, and with it everything that has to do with numbers of steps.
    #[inline]
    pub fn is_large(&self) -> bool {
        self.steps.len() >= MOST_STEPS || self.extras.bound() >= MOST_STEPS
    }

    /// The number of births and changes.
    pub fn extra(&mut self, births: &Bits, changes: Changes) -> ExtraId {
        if births.is_empty() && changes.is_empty() {
            return NO_EXTRA;
        }
        self.extras.intern((births.clone(), changes)).0 + 1
    }

    /// The number of a step.
    pub fn step(&mut self, step: (u32, FootprintId, ExtraId)) -> StepId {
        if self.places.is_empty() {
            let free = Place {
                step: NONE,
                key: NONE,
                relation: Relation {
                    own: false,
                    conflict: false,
                },
                grown: NONE,
            };
            self.places.resize(PLACES, free);
        }
        let next = self.steps.len() as u32;
        *self.steps.entry(step).or_insert(next)
    }

    #[inline]
    fn place(step: StepId, key: u32) -> usize {
        let mixed = (step.wrapping_mul(0x9e37_79b9) ^ key).wrapping_mul(0x85eb_ca6b);
        (mixed >> 16) as usize % PLACES
    }

    /// How the last step of cones with this key stands to a step.
    #[inline]
    pub fn relation(&mut self, step: StepId, key: u32, rule: impl FnOnce() -> Relation) -> Relation {
        let place = &mut self.places[Self::place(step, key)];
        if (place.step, place.key) != (step, key) {
            *place = Place {
                step,
                key,
                relation: rule(),
                grown: NONE,
            };
        }
        place.relation
    }

    /// The key of cones that had this key and grow by the step, if it is known.
    #[inline]
    pub fn grown(&self, step: StepId, key: u32) -> Option<u32> {
        let place = &self.places[Self::place(step, key)];
        debug_assert_eq!((place.step, place.key), (step, key));
        (place.grown != NONE).then_some(place.grown)
    }

    /// Remembers that key.
    #[inline]
    pub fn remember(&mut self, step: StepId, key: u32, grown: u32) {
        let place = &mut self.places[Self::place(step, key)];
        debug_assert_eq!((place.step, place.key), (step, key));
        place.grown = grown;
    }
}
