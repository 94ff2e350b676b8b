//! Sets of cones: each distinct set is stored once and keeps only cones that no other one dominates.

use super::bits::Bits;
use super::cone::{Key, trail};
use super::cone_table::{ConeId, ConeTable};
use super::guard::GuardId;
use super::intern::{Index, Interner};
use crate::footprints::Footprints;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// The number of a set of cones.
pub(crate) type SetId = u32;

const NONE: u32 = u32::MAX;

/// All cones and sets of one search.
#[derive(Default)]
pub(crate) struct Cones {
    keys: Interner<Key>,
    /// Whether some key has a guard.
    guarded: bool,
    pub table: ConeTable,
    sets: Index,
    spans: Vec<Span>,
    /// The cones of all sets, those of each one in ascending order.
    members: Vec<ConeId>,
    /// How many of them are of sets in use.
    used: usize,
    /// The cones with an empty past.
    firsts: FxHashMap<Key, ConeId>,
    /// The set being gathered. Members with the same key form a chain.
    gathering: Vec<Member>,
    /// Whether a member that was there from the start was dominated.
    lost: bool,
    /// Per key, the last member of the set being gathered that has it: valid if the stamp is current.
    heads: Vec<(u32, u32)>,
    /// Per cone, the stamp of the last gathering that met it.
    met: Vec<u32>,
    stamp: u32,
    sorted: Vec<ConeId>,
}

/// Where the cones of a set are, none of which dominates another.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    length: u32,
    /// Whether the last step of some cone has a guard.
    guarded: bool,
    /// Whether some cone stands for many.
    collapsed: bool,
}

impl Span {
    fn range(self) -> std::ops::Range<usize> {
        self.start..self.start + self.length as usize
    }
}

#[derive(Clone, Copy)]
struct Member {
    /// The cone; [`NONE`] when another one dominated it.
    cone: ConeId,
    /// The previous member with the same key.
    previous: u32,
}

impl Cones {
    /// The key with this number.
    #[inline]
    pub fn key(&self, number: u32) -> Key {
        *self.keys.get(number)
    }

    /// The cones of a set.
    #[inline]
    pub fn set(&self, id: SetId) -> &[ConeId] {
        &self.members[self.spans[id as usize].range()]
    }

    /// Whether the last step of some cone of a set has a guard.
    #[inline]
    pub fn is_guarded(&self, id: SetId) -> bool {
        self.spans[id as usize].guarded
    }

    /// Whether some cone of a set stands for many.
    #[inline]
    pub fn is_collapsed(&self, id: SetId) -> bool {
        self.spans[id as usize].collapsed
    }

    /// The guards of a set.
    pub fn guards(&self, id: SetId) -> impl Iterator<Item = GuardId> + '_ {
        self.set(id).iter().map(|c| self.key(self.table.key(*c)).guard)
    }

    /// The number of a key.
    pub fn intern_key(&mut self, key: Key) -> u32 {
        self.guarded |= key.guard != GuardId::NONE;
        self.keys.intern(key).0
    }

    /// The cone of a step that is pending now: nothing happens before it.
    pub fn first(&mut self, key: Key) -> ConeId {
        if let Some(known) = self.firsts.get(&key) {
            return *known;
        }
        let number = self.intern_key(key);
        let id = self.table.first(number, key.process);
        self.firsts.insert(key, id);
        id
    }

    /// The number of the set of these cones, which are in ascending order and do not dominate each other.
    pub fn intern_members(&mut self, members: &[ConeId]) -> SetId {
        let hash = FxBuildHasher.hash_one(members);
        if let Some(id) = self.sets.find(hash, |id| *self.set(id) == *members) {
            return id;
        }
        let mut span = Span {
            start: self.members.len(),
            length: members.len() as u32,
            guarded: false,
            collapsed: false,
        };
        for cone in members.iter().take_while(|_| self.guarded) {
            let guard = self.key(self.table.key(*cone)).guard;
            span.guarded |= guard != GuardId::NONE;
            span.collapsed |= guard == GuardId::COLLAPSED;
        }
        self.members.extend_from_slice(members);
        self.used += members.len();
        let id = self.sets.insert(hash);
        match self.spans.get_mut(id as usize) {
            Some(place) => *place = span,
            None => self.spans.push(span),
        }
        id
    }

    /// The cones of two sets, without those that others dominate.
    pub fn unite(&mut self, a: SetId, b: SetId) -> SetId {
        self.gather(Some(a));
        for at in 0..self.set(b).len() {
            self.add(self.set(b)[at]);
        }
        self.gathered(Some(a))
    }

    /// Starts to gather a set that has all cones of `base`.
    pub fn gather(&mut self, base: Option<SetId>) {
        if self.stamp == u32::MAX {
            self.met.fill(0);
            self.heads.fill((0, NONE));
            self.stamp = 0;
        }
        self.stamp += 1;
        self.lost = false;
        self.gathering.clear();
        self.met.resize(self.table.bound(), 0);
        self.heads.resize(self.keys.bound(), (0, NONE));
        let base = base.map_or(0..0, |set| self.spans[set as usize].range());
        for at in base {
            let cone = self.members[at];
            self.met[cone as usize] = self.stamp;
            self.push(cone, self.table.key(cone));
        }
    }

    #[inline]
    fn push(&mut self, cone: ConeId, key: u32) {
        let at = self.gathering.len() as u32;
        let (stamp, last) = std::mem::replace(&mut self.heads[key as usize], (self.stamp, at));
        let previous = if stamp == self.stamp { last } else { NONE };
        self.gathering.push(Member { cone, previous });
    }

    /// Adds a cone to the set being gathered unless a member dominates it; members that it dominates go.
    pub fn add(&mut self, id: ConeId) {
        if id as usize >= self.met.len() {
            self.met.resize(id as usize + 1, 0);
        }
        if std::mem::replace(&mut self.met[id as usize], self.stamp) == self.stamp {
            return;
        }
        let key = self.table.key(id);
        if key as usize >= self.heads.len() {
            self.heads.resize(key as usize + 1, (0, NONE));
        }
        let (stamp, last) = self.heads[key as usize];
        if stamp != self.stamp {
            return self.push(id, key);
        }
        if self.keys.get(key).is_collapsed() {
            let member = &mut self.gathering[last as usize];
            let sum = self.table.covering(member.cone, id);
            self.lost |= sum != member.cone;
            member.cone = sum;
            return;
        }
        let (mut at, mut after) = (last, NONE);
        while at != NONE {
            let Member { cone, previous } = self.gathering[at as usize];
            let (superfluous, better) = self.table.dominate(cone, id);
            if superfluous {
                return;
            }
            if better {
                self.lost = true;
                self.gathering[at as usize].cone = NONE;
                match self.gathering.get_mut(after as usize) {
                    Some(member) => member.previous = previous,
                    None => self.heads[key as usize].1 = previous,
                }
            } else {
                after = at;
            }
            at = previous;
        }
        self.push(id, key);
    }

    /// The number of the set that was gathered, from `base`.
    pub fn gathered(&mut self, base: Option<SetId>) -> SetId {
        if let Some(base) = base
            && !self.lost
            && self.gathering.len() == self.set(base).len()
        {
            return base;
        }
        let mut members = std::mem::take(&mut self.sorted);
        members.clear();
        members.extend(self.gathering.iter().map(|m| m.cone).filter(|c| *c != NONE));
        members.sort_unstable();
        let set = self.intern_members(&members);
        self.sorted = members;
        set
    }

    /// Brings a set below a number of cones where it can: all cones of one process become one that covers them.
    ///
    /// Cones of a process that has a collapsed one are always taken into it: an ordinary cone never stands for a collapsed one.
    pub fn collapse(&mut self, set: SetId, cap: usize, footprints: &Footprints) -> SetId {
        let mut members = self.set(set).to_vec();
        loop {
            let mut census: Vec<(u32, usize, bool)> = Vec::new();
            for cone in &members {
                let key = self.key(self.table.key(*cone));
                let collapsed = key.is_collapsed();
                match census.iter_mut().find(|(p, ..)| *p == key.process) {
                    Some((_, n, c)) => {
                        *n += 1;
                        *c |= collapsed;
                    }
                    None => census.push((key.process, 1, collapsed)),
                }
            }
            let over = members.len() > cap;
            let pick = |&&(_, n, collapsed): &&(u32, usize, bool)| n > 1 && (collapsed || over);
            let Some(&(process, ..)) = census.iter().filter(pick).max_by_key(|&&(p, n, c)| (c, n, std::cmp::Reverse(p))) else {
                members.sort_unstable();
                return self.intern_members(&members);
            };
            let sum = self.sum(process, &members, footprints);
            members.retain(|c| self.key(self.table.key(*c)).process != process);
            members.push(sum);
        }
    }

    /// The collapsed cone that stands for all cones of a process.
    fn sum(&mut self, process: u32, members: &[ConeId], footprints: &Footprints) -> ConeId {
        let (mut initials, mut past, mut touched) = (Bits::default(), Bits::default(), Bits::default());
        for cone in members {
            let key = self.key(self.table.key(*cone));
            if key.process != process {
                continue;
            }
            past.unite(&self.table.past(*cone));
            touched.unite(&self.table.trail(*cone));
            if key.is_collapsed() {
                initials.unite(&self.table.initials(*cone));
            } else {
                trail(footprints.accesses(key.footprint)).for_each(|(word, mask)| touched.insert_word(word, mask));
                footprints.guard_locations(key.footprint).for_each(|l| initials.insert(l.0));
            }
        }
        let key = self.intern_key(Key {
            process,
            guard: GuardId::COLLAPSED,
            ..Key::default()
        });
        self.table.collapsed(key, &initials, &past, &touched)
    }

    /// Roughly the bytes held.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.table.bytes() + self.sets.len() * (size_of::<Span>() + Index::BYTES) + self.used * size_of::<ConeId>()
    }

    /// Forgets the sets that are not in `sets`, and the cones that are in no set.
    pub fn sweep(&mut self, sets: impl Iterator<Item = SetId>) {
        let mut live_sets = vec![false; self.spans.len()];
        let mut live_cones = vec![false; self.table.bound()];
        sets.for_each(|s| live_sets[s as usize] = true);
        let mut members = Vec::new();
        for (set, _) in live_sets.iter().enumerate().filter(|(_, live)| **live) {
            let start = members.len();
            members.extend_from_slice(&self.members[self.spans[set].range()]);
            self.spans[set].start = start;
        }
        members.iter().for_each(|c: &ConeId| live_cones[*c as usize] = true);
        self.used = members.len();
        self.members = members;
        self.sets.sweep(|s| live_sets[s as usize], |_| {});
        self.table.sweep(|c| live_cones[c as usize]);
        // Numbers are used again: what was known of a number says nothing about its next bearer.
        self.firsts.clear();
        self.met.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Cones of three processes, with few enough different parts that many of them dominate others.
    fn cones() -> impl Strategy<Value = Vec<(u32, u32)>> {
        prop::collection::vec((0u32..3, 0u32..32), 0..10)
    }

    proptest! {
        #[test]
        fn a_union_has_the_cones_that_no_other_dominates(first in cones(), second in cones()) {
            let mut table = Cones::default();
            let mut put = |&(process, parts): &(u32, u32)| {
                let key = table.intern_key(Key { process, ..Key::default() });
                let initials = (0..5).filter(|i| parts >> i & 1 == 1).collect();
                table.table.collapsed(key, &initials, &Bits::default(), &Bits::default())
            };
            let lists: [Vec<ConeId>; 2] = [&first, &second].map(|list| list.iter().map(&mut put).collect());
            let minimal = |table: &Cones, list: &[ConeId]| {
                let worse = |a: ConeId, b: ConeId| a != b && table.table.key(a) == table.table.key(b) && table.table.dominate(b, a).0;
                let mut kept: Vec<ConeId> = list.iter().copied().filter(|a| !list.iter().any(|b| worse(*a, *b))).collect();
                kept.sort_unstable();
                kept.dedup();
                kept
            };
            let [a, b] = lists.clone().map(|list| {
                let kept = minimal(&table, &list);
                table.intern_members(&kept)
            });
            let union = table.unite(a, b);
            prop_assert_eq!(table.set(union), &*minimal(&table, &lists.concat()));
            prop_assert_eq!(table.unite(b, a), union);
            prop_assert_eq!(table.unite(union, a), union);
            table.sweep([union].into_iter());
            prop_assert_eq!(table.set(union), &*minimal(&table, &lists.concat()));
        }
    }
}
