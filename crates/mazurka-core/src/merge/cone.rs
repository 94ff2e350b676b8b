//! Abstract causal cones: what the future of a state can do, one record per kind of event.
//!
//! A cone `u.f` of a state `s` says: some execution from `s` has the step `f` pending right after exactly its causal past `u`. It does
//! not say what `u` is, only what matters to a step `p` taken before: which locations and processes `u` involves, how it could start,
//! and what `f` touches.

use super::bits::Bits;
use super::guard::GuardId;
use crate::footprint::{Access, Mode};
use crate::footprints::FootprintId;

/// The process of a step that does not exist yet where the cone is: it is born in the cone's past.
pub(crate) const UNBORN: u32 = u32::MAX;

/// What two cones must have in common for one to make the other superfluous: everything about `f`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    /// The process of `f`, or [`UNBORN`].
    pub process: u32,
    /// What `f` may touch.
    pub footprint: FootprintId,
    /// Whether and how `f` waits; [`GuardId::COLLAPSED`] if the cone stands for many.
    pub guard: GuardId,
}

impl Key {
    /// Whether the cone stands for many.
    pub fn is_collapsed(self) -> bool {
        self.guard == GuardId::COLLAPSED
    }
}

impl Default for Key {
    fn default() -> Self {
        Key {
            process: UNBORN,
            footprint: FootprintId::default(),
            guard: GuardId::NONE,
        }
    }
}

/// A cone `u.f`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Cone {
    /// The number of its [`Key`].
    pub key: u32,
    /// What `u` touches, see [`Trail`].
    pub trail: Trail,
    /// The processes of `u` that exist where the cone is.
    pub past: Bits,
    /// The processes that can start `u`; that of `f` if `u` is empty. For a collapsed cone: the locations that its guards read.
    pub initials: Bits,
}

impl Cone {
    /// A collapsed cone that stands for all that two others stand for.
    pub fn covering(&self, other: &Cone) -> Cone {
        let mut sum = self.clone();
        sum.trail.0.unite(&other.trail.0);
        sum.past.unite(&other.past);
        sum.initials.unite(&other.initials);
        sum
    }

    /// Whether this cone, which is no collapsed one, makes `other`, which has the same key, superfluous: it demands no less wherever both apply.
    pub fn dominates(&self, other: &Cone) -> bool {
        self.initials.is_subset(&other.initials) && self.past.is_subset(&other.past) && self.trail.0.is_subset(&other.trail.0)
    }
}

/// Which locations were touched in which modes: three bits for each location, 21 locations to a word.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Trail(pub Bits);

const LOCATIONS_PER_WORD: u32 = 21;

fn place(location: u32, modes: u64) -> (usize, u64) {
    (
        (location / LOCATIONS_PER_WORD) as usize,
        modes << (location % LOCATIONS_PER_WORD * 3),
    )
}

fn bit(mode: Mode) -> u64 {
    match mode {
        Mode::Read => 1,
        Mode::Write => 2,
        Mode::Accumulate => 4,
    }
}

impl Trail {
    /// Adds what a step touches.
    pub fn add(&mut self, accesses: &[Access]) {
        for a in accesses {
            let (word, mask) = place(a.location.0, bit(a.mode));
            self.0.insert_word(word, mask);
        }
    }

    /// Whether a step that touches this cannot be moved over the trail.
    #[inline]
    pub fn conflicts(&self, accesses: &[Access]) -> bool {
        accesses.iter().any(|a| {
            let against = match a.mode {
                Mode::Read => 2 | 4,
                Mode::Write => 1 | 2 | 4,
                Mode::Accumulate => 1 | 2,
            };
            let (word, mask) = place(a.location.0, against);
            self.0.word(word) & mask != 0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::footprint::conflict;
    use crate::program::Location;
    use proptest::prelude::*;

    fn accesses() -> impl Strategy<Value = Vec<Access>> {
        let mode = prop_oneof![Just(Mode::Read), Just(Mode::Write), Just(Mode::Accumulate)];
        prop::collection::vec((0u32..70, mode), 0..6).prop_map(|list| {
            let access = |(location, mode)| Access {
                location: Location(location),
                mode,
                guard: false,
                maybe: false,
            };
            list.into_iter().map(access).collect()
        })
    }

    proptest! {
        #[test]
        fn a_trail_conflicts_with_what_one_of_its_steps_conflicts_with(a in accesses(), b in accesses(), c in accesses()) {
            let mut trail = Trail::default();
            trail.add(&a);
            trail.add(&b);
            prop_assert_eq!(trail.conflicts(&c), conflict(&a, &c) || conflict(&b, &c));
        }
    }
}
