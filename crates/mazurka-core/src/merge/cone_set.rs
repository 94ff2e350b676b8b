//! Sets of cones: each distinct cone and each distinct set is stored once; a set keeps only cones that no other one dominates.

use super::cone::{Cone, Key};
use super::guard::GuardId;
use super::intern::Interner;
use crate::footprints::Footprints;

/// The number of a cone.
pub(crate) type ConeId = u32;
/// The number of a set of cones.
pub(crate) type SetId = u32;

const NONE: u32 = u32::MAX;

/// All cones and sets of one search.
#[derive(Default)]
pub(crate) struct Cones {
    keys: Interner<Key>,
    cones: Interner<Cone>,
    sets: Interner<Box<[ConeId]>>,
    bytes: usize,
    /// Per key, the last member of the set being gathered that has it: valid if the stamp is current.
    heads: Vec<(u32, u32)>,
    /// Per cone, the stamp of the last gathering that met it.
    met: Vec<u32>,
    stamp: u32,
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
    pub fn iter(&self) -> impl Iterator<Item = ConeId> + '_ {
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
        self.sets.get(id)
    }

    /// The guards of a set that is being gathered.
    pub fn guards<'a>(&'a self, gather: &'a Gather) -> impl Iterator<Item = GuardId> + 'a {
        gather.members.iter().map(|m| self.keys.get(m.key).guard)
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

    /// The number of a gathered set.
    pub fn intern_set(&mut self, gather: &Gather) -> SetId {
        let mut members: Vec<ConeId> = gather.iter().collect();
        members.sort_unstable();
        let heap = members.len() * 4;
        let (id, new) = self.sets.intern(members.into_boxed_slice());
        if new {
            self.bytes += Interner::<Box<[ConeId]>>::bytes_per_item() + heap;
        }
        id
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
    pub fn collapse(&mut self, gather: &mut Gather, cap: Option<usize>, footprints: &Footprints) {
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
            let over = cap.is_some_and(|cap| gather.members.len() > cap);
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

    /// Forgets the sets that are not in `sets` and the cones that are in no set and not in `cones`.
    pub fn sweep(&mut self, sets: impl Iterator<Item = SetId>, cones: impl Iterator<Item = ConeId>) {
        let mut live_sets = vec![false; self.sets.bound()];
        let mut live_cones = vec![false; self.cones.bound()];
        sets.for_each(|s| live_sets[s as usize] = true);
        cones.for_each(|c| live_cones[c as usize] = true);
        for (set, _) in live_sets.iter().enumerate().filter(|(_, live)| **live) {
            self.sets.get(set as u32).iter().for_each(|c| live_cones[*c as usize] = true);
        }
        let mut freed = 0;
        self.sets.sweep(
            |s| live_sets[s as usize],
            |set| freed += Interner::<Box<[ConeId]>>::bytes_per_item() + set.len() * 4,
        );
        self.cones.sweep(
            |c| live_cones[c as usize],
            |c| freed += Interner::<Cone>::bytes_per_item() + c.trail.0.heap_bytes() + c.past.heap_bytes() + c.initials.heap_bytes(),
        );
        self.bytes = self.bytes.saturating_sub(freed);
        // Numbers are used again: what was met under a number says nothing about its next bearer.
        self.met.fill(0);
    }
}
