//! What becomes of the last step of a cone when a step is put before everything else: the same for all cones with the same key.

use super::bits::Bits;
use super::cone::{Key, UNBORN};
use super::cone_set::Cones;
use super::frame::Edge;
use super::guard::{Changes, GuardId};
use super::intern::Interner;
use super::lens::Lens;
use crate::footprints::{FootprintId, Footprints};
use rustc_hash::FxHashMap;

/// The number of what steps may have beside a process and a footprint: births, and changes that guards can see.
pub(crate) type ExtraId = u32;

/// Neither births nor changes.
pub(crate) const NO_EXTRA: ExtraId = 0;

/// All that is known should be forgotten when it is about so many steps, or so many different births and changes.
const MOST_STEPS: usize = 1 << 16;
/// The number of places for fates, a power of two.
const PLACES: usize = 1 << 11;
const NONE: u32 = u32::MAX;

/// What becomes of the last step of a cone.
#[derive(Clone, Copy)]
struct Fate {
    step: u32,
    key: u32,
    /// The step is of the same process, or its birth.
    own: bool,
    /// The steps may not be swapped.
    conflict: bool,
    /// The number of the key of a cone that grows by the step; [`NONE`] if it is not known.
    grown: u32,
}

/// The fates of keys under the steps that were seen so far.
#[derive(Default)]
pub(crate) struct Fates {
    extras: Interner<(Bits, Changes)>,
    steps: FxHashMap<(u32, FootprintId, ExtraId), u32>,
    /// A cache: each step and key has one place, where the last one is kept.
    fates: Vec<Fate>,
}

/// Whether the last step of a cone goes with the step that is put before.
#[derive(Clone, Copy)]
pub(crate) struct Relation {
    /// The step is of the same process, or its birth.
    pub own: bool,
    /// The steps may not be swapped.
    pub conflict: bool,
}

impl Fates {
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
    pub fn step(&mut self, edge: &Edge, extra: ExtraId) -> u32 {
        if self.fates.is_empty() {
            let free = Fate {
                step: NONE,
                key: NONE,
                own: false,
                conflict: false,
                grown: NONE,
            };
            self.fates.resize(PLACES, free);
        }
        let next = self.steps.len() as u32;
        *self.steps.entry((edge.process, edge.footprint, extra)).or_insert(next)
    }

    #[inline]
    fn place(step: u32, key: u32) -> usize {
        let mixed = (step.wrapping_mul(0x9e37_79b9) ^ key).wrapping_mul(0x85eb_ca6b);
        (mixed >> 16) as usize % PLACES
    }

    /// How the last step of cones with this key stands to a step.
    #[inline]
    pub fn relation(&mut self, step: u32, key: u32, cones: &Cones, edge: &Edge, footprints: &Footprints) -> Relation {
        let fate = &mut self.fates[Self::place(step, key)];
        if (fate.step, fate.key) != (step, key) {
            let Key { process, footprint, .. } = cones.key(key);
            *fate = Fate {
                step,
                key,
                own: process == edge.process || edge.births.contains(process),
                conflict: footprints.conflict(footprint, edge.footprint),
                grown: NONE,
            };
        }
        Relation {
            own: fate.own,
            conflict: fate.conflict,
        }
    }

    /// The key of cones that had this key and grow by the step, and whether nothing was looked at to find it; its relation was asked for
    /// just before.
    #[inline]
    pub fn grown<L: Lens>(
        &mut self,
        (step, key): (u32, u32),
        cones: &mut Cones,
        edge: &Edge,
        footprints: &Footprints,
        (lens, values): (&mut L, &mut Bits),
    ) -> (u32, bool) {
        let fate = &mut self.fates[Self::place(step, key)];
        debug_assert_eq!((fate.step, fate.key), (step, key));
        if fate.grown != NONE {
            return (fate.grown, true);
        }
        let looked_at = &mut Bits::default();
        let grown = grown_key(key, cones, edge, footprints, (lens, looked_at));
        // What was looked at belongs to the image that asked: such a fate is found out again for the next one.
        let blind = looked_at.is_empty();
        if blind {
            fate.grown = grown;
        } else {
            values.unite(looked_at);
        }
        (grown, blind)
    }
}

fn grown_key<L: Lens>(number: u32, cones: &mut Cones, edge: &Edge, footprints: &Footprints, (lens, values): (&mut L, &mut Bits)) -> u32 {
    let key = cones.key(number);
    let born = edge.births.contains(key.process);
    let guard = match key.guard {
        GuardId::NONE => GuardId::NONE,
        guard => {
            let touches = born || key.process == edge.process || footprints.writes_guard(edge.footprint, key.footprint);
            lens.extended(guard, &edge.changes, touches, values)
        }
    };
    let process = if born { UNBORN } else { key.process };
    if (process, guard) == (key.process, key.guard) {
        number
    } else {
        cones.intern_key(Key { process, guard, ..key })
    }
}
