//! Sets of cones: each distinct cone and each distinct set is stored once; a set keeps only cones that no other one dominates.

use super::bits::Bits;
use super::cone::{Cone, Key};
use super::guard::GuardId;
use super::intern::Interner;
use crate::footprints::Footprints;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::BuildHasher;

/// The number of a cone.
pub(crate) type ConeId = u32;
/// The number of a set of cones.
pub(crate) type SetId = u32;

const NONE: u32 = u32::MAX;

/// Unions are forgotten when there are so many.
const MOST_UNIONS: usize = 1 << 16;

/// All cones and sets of one search.
#[derive(Default)]
pub(crate) struct Cones {
    keys: Interner<Key>,
    cones: Interner<Cone>,
    sets: Interner<ConeSet>,
    bytes: usize,
    /// Unions that were computed before.
    unions: FxHashMap<u64, SetId>,
    /// The cones with an empty past.
    firsts: FxHashMap<Key, ConeId>,
    scratch: Gather,
    /// Per key, the last member of the set being gathered that has it: valid if the stamp is current.
    heads: Vec<(u32, u32)>,
    /// Per cone, the stamp of the last gathering that met it.
    met: Vec<u32>,
    stamp: u32,
}

/// A set of cones none of which dominates another.
#[derive(PartialEq, Eq, Hash, Default)]
struct ConeSet {
    /// In ascending order.
    cones: Box<[ConeId]>,
    /// Whether the last step of some cone has a guard.
    guarded: bool,
}

/// A set being gathered. Members with the same key form a chain.
#[derive(Default)]
pub(crate) struct Gather {
    members: Vec<Member>,
}

#[derive(Clone, Copy)]
struct Member {
    cone: ConeId,
    key: u32,
    /// The previous member with the same key.
    previous: u32,
}

impl Gather {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.members.clear();
    }

    /// The cones.
    fn iter(&self) -> impl Iterator<Item = ConeId> + '_ {
        self.members.iter().map(|m| m.cone)
    }
}

impl Cones {
    #[inline]
    pub fn cone(&self, id: ConeId) -> &Cone {
        self.cones.get(id)
    }

    /// The key of a cone.
    #[inline]
    pub fn key(&self, cone: &Cone) -> Key {
        *self.keys.get(cone.key)
    }

    /// The cones of a set.
    #[inline]
    pub fn set(&self, id: SetId) -> &[ConeId] {
        &self.sets.get(id).cones
    }

    /// Whether the last step of some cone of a set has a guard.
    #[inline]
    pub fn is_guarded(&self, id: SetId) -> bool {
        self.sets.get(id).guarded
    }

    /// The guards of a set.
    pub fn guards(&self, id: SetId) -> impl Iterator<Item = GuardId> + '_ {
        self.set(id).iter().map(|c| self.key(self.cone(*c)).guard)
    }

    /// The number of a key.
    pub fn intern_key(&mut self, key: Key) -> u32 {
        self.keys.intern(key).0
    }

    /// The number of a cone.
    pub fn intern(&mut self, cone: Cone) -> ConeId {
        let heap = cone.trail.0.heap_bytes() + cone.past.heap_bytes() + cone.initials.heap_bytes();
        let (id, new) = self.cones.intern(cone);
        if new {
            self.bytes += Interner::<Cone>::bytes_per_item() + heap;
        }
        id
    }

    /// The cone of a step that is pending now: nothing happens before it.
    pub fn first(&mut self, key: Key) -> ConeId {
        if let Some(known) = self.firsts.get(&key) {
            return *known;
        }
        let cone = Cone {
            key: self.intern_key(key),
            initials: Bits::only(key.process),
            ..Cone::default()
        };
        let id = self.intern(cone);
        self.firsts.insert(key, id);
        id
    }

    /// The number of a gathered set.
    pub fn intern_set(&mut self, gather: &Gather) -> SetId {
        let mut members: SmallVec<[ConeId; 32]> = gather.iter().collect();
        members.sort_unstable();
        self.intern_members(&members)
    }

    /// The number of the set of these cones, which are in ascending order and do not dominate each other.
    pub fn intern_members(&mut self, members: &[ConeId]) -> SetId {
        let hash = FxBuildHasher.hash_one(members);
        if let Some(id) = self.sets.find(hash, |s| *s.cones == *members) {
            return id;
        }
        let guarded = members.iter().any(|c| self.key(self.cone(*c)).guard != GuardId::NONE);
        self.bytes += Interner::<ConeSet>::bytes_per_item() + members.len() * 4;
        let set = ConeSet {
            cones: members.into(),
            guarded,
        };
        self.sets.insert(hash, set)
    }

    /// The cones of two sets, without those that others dominate.
    pub fn unite(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b {
            return a;
        }
        let pair = u64::from(a) << 32 | u64::from(b);
        if let Some(known) = self.unions.get(&pair) {
            return *known;
        }
        let mut gather = std::mem::take(&mut self.scratch);
        gather.clear();
        self.resume(&mut gather);
        for set in [a, b] {
            for at in 0..self.set(set).len() {
                self.add(&mut gather, self.set(set)[at]);
            }
        }
        let union = self.intern_set(&gather);
        self.scratch = gather;
        if self.unions.len() >= MOST_UNIONS {
            self.unions.clear();
        }
        self.unions.insert(pair, union);
        union
    }

    /// Must be called before cones are added to a set, whenever another one was gathered in between.
    pub fn resume(&mut self, gather: &mut Gather) {
        self.stamp += 1;
        self.met.resize(self.cones.bound(), 0);
        self.heads.resize(self.keys.bound(), (0, NONE));
        for at in 0..gather.members.len() {
            let Member { cone, key, .. } = gather.members[at];
            self.met[cone as usize] = self.stamp;
            gather.members[at].previous = self.link(key, at as u32);
        }
    }

    /// Makes the member at `at` the last one with its key and returns the one before.
    fn link(&mut self, key: u32, at: u32) -> u32 {
        let (stamp, last) = std::mem::replace(&mut self.heads[key as usize], (self.stamp, at));
        if stamp == self.stamp { last } else { NONE }
    }

    /// Adds a cone unless a member dominates it; members that it dominates go.
    pub fn add(&mut self, gather: &mut Gather, id: ConeId) {
        if id as usize >= self.met.len() {
            self.met.resize(id as usize + 1, 0);
        }
        if std::mem::replace(&mut self.met[id as usize], self.stamp) == self.stamp {
            return;
        }
        let cone = self.cones.get(id);
        let key = cone.key;
        if key as usize >= self.heads.len() {
            self.heads.resize(key as usize + 1, (0, NONE));
        }
        let (stamp, last) = self.heads[key as usize];
        let mut at = if stamp == self.stamp { last } else { NONE };
        if at != NONE && self.keys.get(key).is_collapsed() {
            let sum = self.cones.get(gather.members[at as usize].cone).covering(cone);
            gather.members[at as usize].cone = self.intern(sum);
            return;
        }
        // The first dominated member is replaced; further ones are few and removed by rebuilding the chains.
        let mut replaced = NONE;
        let mut more = false;
        while at != NONE {
            let member = gather.members[at as usize];
            let other = self.cones.get(member.cone);
            if other.dominates(cone) {
                return;
            }
            if cone.dominates(other) {
                if replaced == NONE {
                    replaced = at;
                } else {
                    more = true;
                }
            }
            at = member.previous;
        }
        if replaced != NONE {
            gather.members[replaced as usize].cone = id;
            if more {
                let (cones, new) = (&self.cones, self.cones.get(id));
                gather
                    .members
                    .retain(|m| m.cone == id || m.key != key || !new.dominates(cones.get(m.cone)));
                self.resume(gather);
            }
            return;
        }
        let previous = self.link(key, gather.members.len() as u32);
        gather.members.push(Member { cone: id, key, previous });
    }

    /// Brings a set below a number of cones where it can: all cones of one process become one that covers them.
    ///
    /// Cones of a process that has a collapsed one are always taken into it: an ordinary cone never stands for a collapsed one.
    pub fn collapse(&mut self, set: SetId, cap: usize, footprints: &Footprints) -> SetId {
        let mut gather = Gather::default();
        self.resume(&mut gather);
        for at in 0..self.set(set).len() {
            self.add(&mut gather, self.set(set)[at]);
        }
        self.collapse_gathered(&mut gather, cap, footprints);
        self.intern_set(&gather)
    }

    fn collapse_gathered(&mut self, gather: &mut Gather, cap: usize, footprints: &Footprints) {
        loop {
            let mut census: Vec<(u32, usize, bool)> = Vec::new();
            for member in &gather.members {
                let key = *self.keys.get(member.key);
                let collapsed = key.is_collapsed();
                match census.iter_mut().find(|(p, ..)| *p == key.process) {
                    Some((_, n, c)) => {
                        *n += 1;
                        *c |= collapsed;
                    }
                    None => census.push((key.process, 1, collapsed)),
                }
            }
            let over = gather.members.len() > cap;
            let pick = |&&(_, n, collapsed): &&(u32, usize, bool)| n > 1 && (collapsed || over);
            let Some(&(process, ..)) = census.iter().filter(pick).max_by_key(|&&(p, n, c)| (c, n, std::cmp::Reverse(p))) else {
                return;
            };
            let mut sum = Cone {
                key: self.intern_key(Key {
                    process,
                    guard: GuardId::COLLAPSED,
                    ..Key::default()
                }),
                ..Cone::default()
            };
            for member in &gather.members {
                let key = *self.keys.get(member.key);
                if key.process == process {
                    let cone = self.cones.get(member.cone);
                    sum.trail.0.unite(&cone.trail.0);
                    sum.past.unite(&cone.past);
                    if key.is_collapsed() {
                        sum.initials.unite(&cone.initials);
                    } else {
                        sum.trail.add(footprints.accesses(key.footprint));
                        footprints.guard_locations(key.footprint).for_each(|l| sum.initials.insert(l.0));
                    }
                }
            }
            let keys = &self.keys;
            gather.members.retain(|m| keys.get(m.key).process != process);
            let key = sum.key;
            let cone = self.intern(sum);
            gather.members.push(Member { cone, key, previous: NONE });
            self.resume(gather);
        }
    }

    /// Roughly the bytes held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Forgets the sets that are not in `sets`, and the cones that are in no set.
    pub fn sweep(&mut self, sets: impl Iterator<Item = SetId>) {
        let mut live_sets = vec![false; self.sets.bound()];
        let mut live_cones = vec![false; self.cones.bound()];
        sets.for_each(|s| live_sets[s as usize] = true);
        for (set, _) in live_sets.iter().enumerate().filter(|(_, live)| **live) {
            self.sets.get(set as u32).cones.iter().for_each(|c| live_cones[*c as usize] = true);
        }
        let mut freed = 0;
        self.sets.sweep(
            |s| live_sets[s as usize],
            |set| freed += Interner::<ConeSet>::bytes_per_item() + set.cones.len() * 4,
        );
        self.cones.sweep(
            |c| live_cones[c as usize],
            |c| freed += Interner::<Cone>::bytes_per_item() + c.trail.0.heap_bytes() + c.past.heap_bytes() + c.initials.heap_bytes(),
        );
        self.bytes = self.bytes.saturating_sub(freed);
        // Numbers are used again: what was known of a number says nothing about its next bearer.
        self.unions.clear();
        self.firsts.clear();
        self.met.fill(0);
    }
}
