//! What became of single cones.

use super::super::cone_table::ConeId;
use super::super::edge::ConeBefore;
use super::keys::StepId;

/// The number of places, a power of two.
const PLACES: usize = 1 << 11;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Place {
    step: StepId,
    cone: ConeId,
    before: ConeBefore,
    /// The initials of the cone that the longer one keeps: they depend on what else is pending.
    kept: u64,
}

/// A cache: each step and cone has one place, where the last one is kept.
#[derive(Default)]
pub(crate) struct KnownCones {
    places: Vec<Place>,
}

impl KnownCones {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.places.clear();
    }

    /// Must be called before the cache is used.
    pub fn prepare(&mut self) {
        if self.places.is_empty() {
            let free = Place {
                step: NONE,
                cone: NONE,
                before: ConeBefore {
                    stays: false,
                    longer: None,
                },
                kept: 0,
            };
            self.places.resize(PLACES, free);
        }
    }

    #[inline]
    fn place(step: StepId, cone: ConeId) -> usize {
        let mixed = (step.wrapping_mul(0x9e37_79b9) ^ cone).wrapping_mul(0x85eb_ca6b);
        (mixed >> 16) as usize % PLACES
    }

    /// What became of a cone, if it is still known, and if the longer one keeps the same initials.
    #[inline]
    pub fn get(&self, step: StepId, cone: ConeId, kept: impl FnOnce() -> Option<u64>) -> Option<ConeBefore> {
        let place = &self.places[Self::place(step, cone)];
        let known = place.cone == cone && place.step == step;
        (known && (place.before.longer.is_none() || kept() == Some(place.kept))).then_some(place.before)
    }

    /// Remembers what became of a cone.
    #[inline]
    pub fn put(&mut self, step: StepId, cone: ConeId, before: ConeBefore, kept: u64) {
        self.places[Self::place(step, cone)] = Place { step, cone, before, kept };
    }
}
