//! The states whose futures are known, within a memory budget.
//!
//! A stored state may be forgotten at any time: that costs exploring it again, never a wrong answer.

use super::bits::Bits;
use super::cone_set::SetId;
use super::view::NoteId;
use crate::program::{Fingerprint, Process};

/// After so many lookups the store must have shown its worth …
const PROBATION: u64 = 1 << 15;
/// … which is one hit in so many.
const USEFUL: u64 = 50;

const NONE: u32 = u32::MAX;

/// A state whose future was explored.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// The processes that slept: executions that start with one of them are not covered.
    pub sleep: Bits,
    /// The cones of its future.
    pub cones: SetId,
    /// What its future looks at.
    pub note: NoteId,
    /// Its tasks that may be exchanged, sorted by what they do.
    pub tasks: Box<[Process]>,
}

impl Stored {
    fn heap_bytes(&self) -> usize {
        self.sleep.heap_bytes() + size_of_val(&*self.tasks)
    }
}

/// What the store did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Traffic {
    pub lookups: u64,
    pub hits: u64,
    pub evicted: u64,
    pub most_stored: u64,
}

struct Entry {
    key: Fingerprint,
    state: Stored,
    /// How often it was met again since the last eviction.
    hits: u32,
    /// The next entry with the same key: states with the same key need not be the same.
    next: u32,
    /// In the first entry of a key, the last one.
    last: u32,
}

/// The table of stored states.
pub(crate) struct States {
    entries: Vec<Entry>,
    /// Open addressing: the first entry of each key plus one, 0 is free. The length is a power of two.
    slots: Vec<u32>,
    heap_bytes: usize,
    evictions: u32,
    pub traffic: Traffic,
    /// Nothing is stored any more.
    pub closed: bool,
    /// The number of lookups after which the worth of the store is judged.
    next_review: u64,
}

impl Default for States {
    fn default() -> Self {
        States {
            entries: Vec::new(),
            slots: Vec::new(),
            heap_bytes: 0,
            evictions: 0,
            traffic: Traffic::default(),
            closed: false,
            next_review: PROBATION,
        }
    }
}

impl States {
    /// Gives the store up if it does not earn its keep: hardly any of the many states looked for were there.
    #[inline]
    pub fn give_up_if_useless(&mut self) -> bool {
        let Traffic { lookups, hits, .. } = self.traffic;
        if self.closed || lookups < self.next_review {
            return false;
        }
        self.next_review = lookups + PROBATION;
        let useless = hits * USEFUL < lookups;
        if useless {
            self.closed = true;
            self.entries = Vec::new();
            self.slots = Vec::new();
            self.heap_bytes = 0;
        }
        useless
    }

    /// A stored state with that key that is the same; if possible one that was explored with nothing else asleep than `sleep`.
    #[inline]
    pub fn look_up(&mut self, key: Fingerprint, mut same: impl FnMut(&Stored) -> bool, sleep: &Bits) -> Option<&Stored> {
        if self.closed {
            return None;
        }
        self.traffic.lookups += 1;
        let (_, mut at) = self.first(key);
        let mut found = NONE;
        while at != NONE {
            let entry = &self.entries[at as usize];
            if same(&entry.state) {
                let covers = entry.state.sleep.is_subset(sleep);
                if covers || found == NONE {
                    found = at;
                }
                if covers {
                    break;
                }
            }
            at = entry.next;
        }
        let entry = self.entries.get_mut(found as usize)?;
        self.traffic.hits += 1;
        entry.hits = entry.hits.saturating_add(1);
        Some(&entry.state)
    }

    /// Remembers a state; `replaces` says whether equal keys are equal states.
    pub fn insert(&mut self, key: Fingerprint, state: Stored, replaces: bool) {
        if self.closed {
            return;
        }
        if (self.entries.len() + 1) * 2 > self.slots.len() {
            self.rebuild((self.slots.len() * 2).max(256));
        }
        self.heap_bytes += state.heap_bytes();
        let (slot, first) = self.first(key);
        if first != NONE && replaces {
            let old = std::mem::replace(&mut self.entries[first as usize].state, state);
            self.heap_bytes -= old.heap_bytes();
            return;
        }
        let new = self.entries.len() as u32;
        self.entries.push(Entry {
            key,
            state,
            hits: 0,
            next: NONE,
            last: new,
        });
        self.link(slot, first, new);
        self.traffic.most_stored = self.traffic.most_stored.max(self.entries.len() as u64);
    }

    /// Roughly the bytes held.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.entries.len() * (size_of::<Entry>() + 16) + self.heap_bytes
    }

    /// Forgets about half: first what was never met again since the last time, then every other one.
    pub fn evict(&mut self) {
        let before = self.entries.len();
        self.evictions += 1;
        self.entries.retain(|e| e.hits > 0);
        if self.entries.len() > before / 2 {
            let bit = self.evictions % Fingerprint::BITS;
            self.entries.retain(|e| e.key >> bit & 1 == 0);
        }
        self.entries.iter_mut().for_each(|e| e.hits = 0);
        self.entries.shrink_to_fit();
        self.heap_bytes = self.entries.iter().map(|e| e.state.heap_bytes()).sum();
        self.rebuild((self.entries.len() * 4).next_power_of_two().max(256));
        self.traffic.evicted += (before - self.entries.len()) as u64;
    }

    /// The states.
    pub fn iter(&self) -> impl Iterator<Item = &Stored> {
        self.entries.iter().map(|e| &e.state)
    }

    /// The slot of a key, and its first entry if it has one.
    #[inline]
    fn first(&self, key: Fingerprint) -> (usize, u32) {
        let Some(mask) = self.slots.len().checked_sub(1) else {
            return (0, NONE);
        };
        let mut slot = spread(key) & mask;
        while let Some(first) = self.slots[slot].checked_sub(1) {
            if self.entries[first as usize].key == key {
                return (slot, first);
            }
            slot = (slot + 1) & mask;
        }
        (slot, NONE)
    }

    /// Puts an entry behind the others with its key.
    fn link(&mut self, slot: usize, first: u32, new: u32) {
        if first == NONE {
            self.slots[slot] = new + 1;
            return;
        }
        let last = std::mem::replace(&mut self.entries[first as usize].last, new);
        self.entries[last as usize].next = new;
    }

    fn rebuild(&mut self, size: usize) {
        self.slots.clear();
        self.slots.resize(size, 0);
        for at in 0..self.entries.len() as u32 {
            let entry = &mut self.entries[at as usize];
            (entry.next, entry.last) = (NONE, at);
            let (slot, first) = self.first(self.entries[at as usize].key);
            self.link(slot, first, at);
        }
    }
}

/// Programs may have fingerprints that differ in few bits.
fn spread(key: Fingerprint) -> usize {
    let folded = (key as u64) ^ ((key >> 64) as u64).rotate_left(32);
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(cones: SetId) -> Stored {
        Stored {
            sleep: Bits::default(),
            cones,
            note: 0,
            tasks: Box::default(),
        }
    }

    #[test]
    fn states_with_the_same_key_are_found_one_by_one_before_and_after_an_eviction() {
        let mut states = States::default();
        for n in 0..3000u32 {
            states.insert(Fingerprint::from(n / 3), state(n), false);
        }
        let found = |states: &mut States, n: u32| {
            states
                .look_up(Fingerprint::from(n / 3), |s| s.cones == n, &Bits::default())
                .map(|s| s.cones)
        };
        for n in 0..3000 {
            assert_eq!(found(&mut states, n), Some(n));
        }
        for n in (0..3000).step_by(2) {
            assert_eq!(found(&mut states, n), Some(n));
        }
        states.evict();
        assert!(states.iter().count() <= 1600 && states.iter().count() > 1000);
        assert_eq!(states.traffic.evicted, 3000 - states.iter().count() as u64);
        let left: Vec<SetId> = states.iter().map(|s| s.cones).collect();
        for n in 0..3000 {
            assert_eq!(found(&mut states, n), left.contains(&n).then_some(n));
        }
    }

    #[test]
    fn a_state_takes_the_place_of_the_one_with_its_key() {
        let mut states = States::default();
        states.insert(7, state(1), true);
        states.insert(7, state(2), true);
        assert_eq!(states.look_up(7, |_| true, &Bits::default()).map(|s| s.cones), Some(2));
        assert_eq!(states.iter().count(), 1);
    }
}
