//! Abstract causal cones: what the future of a state can do, one record per kind of event.
//!
//! A cone `u.f` of a state `s` says: some execution from `s` has the step `f` pending right after exactly its causal past `u`. It does
//! not say what `u` is, only what matters to a step `p` taken before: which locations and processes `u` involves, how it could start,
//! and what `f` touches.
//!
//! All but what concerns `f` is sets of small numbers, and all questions about cones are questions about such sets. So a cone is a *row* of
//! words: its *initials* (the processes that can start `u`, that of `f` if `u` is empty; for a cone that stands for many, the locations that
//! their guards read), its *past* (the processes of `u` that exist where the cone is) and its *trail* (what `u` touches, three bits for each
//! location).

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
    #[inline]
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

/// A trail has three bits for each location and 21 locations to a word.
const LOCATIONS_PER_WORD: u32 = 21;

/// Where the bits of a location are in a trail.
fn place(location: u32, modes: u64) -> (usize, u64) {
    (
        (location / LOCATIONS_PER_WORD) as usize,
        modes << (location % LOCATIONS_PER_WORD * 3),
    )
}

/// The bits of a trail that a step with these accesses sets, word by word.
pub(crate) fn trail(accesses: &[Access]) -> impl Iterator<Item = (usize, u64)> + '_ {
    accesses.iter().map(|a| {
        let bit = match a.mode {
            Mode::Read => 1,
            Mode::Write => 2,
            Mode::Accumulate => 4,
        };
        place(a.location.0, bit)
    })
}

/// The bits of a trail over which a step with these accesses cannot be moved, word by word.
pub(crate) fn obstacles(accesses: &[Access]) -> impl Iterator<Item = (usize, u64)> + '_ {
    accesses.iter().map(|a| {
        let against = match a.mode {
            Mode::Read => 2 | 4,
            Mode::Write => 1 | 2 | 4,
            Mode::Accumulate => 1 | 2,
        };
        place(a.location.0, against)
    })
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
        fn a_trail_stops_what_one_of_its_steps_conflicts_with(a in accesses(), b in accesses(), c in accesses()) {
            let mut words = [0; 4];
            for (word, mask) in trail(&a).chain(trail(&b)) {
                words[word] |= mask;
            }
            let stopped = obstacles(&c).any(|(word, mask)| words[word] & mask != 0);
            prop_assert_eq!(stopped, conflict(&a, &c) || conflict(&b, &c));
        }
    }
}
