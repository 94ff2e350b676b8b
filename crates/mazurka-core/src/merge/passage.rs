//! What became of cones when steps were put before them: a cache, since the same few cones meet the same few steps all the time.

use super::cone_table::ConeId;

/// What becomes of a cone.
#[derive(Clone, Copy)]
pub(crate) struct Passage {
    /// It is a cone of the state before the step, too.
    pub stays: bool,
    /// So is the longer one with the step put before everything else. If both are, the step and the last one of the cone race.
    pub grows: bool,
    /// The longer one, if it grows.
    pub longer: ConeId,
    /// The initials of the cone that the longer one keeps: they depend on what else is pending.
    pub kept: u64,
}

/// The number of places, a power of two.
const PLACES: usize = 1 << 11;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Place {
    step: u32,
    cone: ConeId,
    passage: Passage,
}

/// The cache: each step and cone has one place, where the last one is kept.
#[derive(Default)]
pub(crate) struct Passages {
    places: Vec<Place>,
}

impl Passages {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.places.clear();
    }

    /// Must be called before the cache is used.
    pub fn prepare(&mut self) {
        if self.places.is_empty() {
            let passage = Passage {
                stays: false,
                grows: false,
                longer: NONE,
                kept: 0,
            };
            let free = Place {
                step: NONE,
                cone: NONE,
                passage,
            };
            self.places.resize(PLACES, free);
        }
    }

    #[inline]
    fn place(step: u32, cone: ConeId) -> usize {
        let mixed = (step.wrapping_mul(0x9e37_79b9) ^ cone).wrapping_mul(0x85eb_ca6b);
        (mixed >> 16) as usize % PLACES
    }

    /// What became of a cone, if it is still known.
    #[inline]
    pub fn get(&self, step: u32, cone: ConeId) -> Option<&Passage> {
        let place = &self.places[Self::place(step, cone)];
        (place.cone == cone && place.step == step).then_some(&place.passage)
    }

    /// Remembers what became of a cone.
    #[inline]
    pub fn put(&mut self, step: u32, cone: ConeId, passage: Passage) {
        self.places[Self::place(step, cone)] = Place { step, cone, passage };
    }
}
