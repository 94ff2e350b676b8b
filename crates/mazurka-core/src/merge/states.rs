//! The states whose futures are known, within a memory budget.
//!
//! A stored state may be forgotten at any time: that costs exploring it again, never a wrong answer.

use super::bits::Bits;
use super::cone_set::SetId;
use super::lens::NoteId;
use crate::comparable::Task;
use crate::program::Fingerprint;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// After so many lookups the store must have shown its worth …
const PROBATION: u64 = 1 << 15;
/// … which is one hit in so many.
const USEFUL: u64 = 50;

/// A state whose future was explored.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// The processes that slept: executions that start with one of them are not covered.
    pub sleep: Bits,
    /// The cones of its future.
    pub cones: SetId,
    /// What its future looks at.
    pub note: NoteId,
    /// Its tasks that may be exchanged, sorted.
    pub tasks: Box<[Task]>,
    /// How often it was met again since the last eviction.
    hits: u32,
}

impl Stored {
    /// A state that was not met again yet.
    pub fn new(sleep: Bits, cones: SetId, note: NoteId, tasks: Box<[Task]>) -> Self {
        Stored {
            sleep,
            cones,
            note,
            tasks,
            hits: 0,
        }
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

/// The table of stored states. States with the same key need not be the same.
pub(crate) struct States {
    table: FxHashMap<Fingerprint, SmallVec<[Stored; 1]>>,
    stored: usize,
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
            table: FxHashMap::default(),
            stored: 0,
            evictions: 0,
            traffic: Traffic::default(),
            closed: false,
            next_review: PROBATION,
        }
    }
}

impl States {
    /// Gives the store up if it does not earn its keep: hardly any of the many states looked for were there.
    pub fn give_up_if_useless(&mut self) -> bool {
        let Traffic { lookups, hits, .. } = self.traffic;
        if self.closed || lookups < self.next_review {
            return false;
        }
        self.next_review = lookups + PROBATION;
        let useless = hits * USEFUL < lookups;
        if useless {
            self.closed = true;
            self.table = FxHashMap::default();
            self.stored = 0;
        }
        useless
    }

    /// A stored state with that key that is the same; if possible one that was explored with nothing else asleep than `sleep`.
    pub fn look_up(&mut self, key: Fingerprint, same: impl Fn(&Stored) -> bool, sleep: &Bits) -> Option<&Stored> {
        if self.closed {
            return None;
        }
        self.traffic.lookups += 1;
        let bucket = self.table.get_mut(&key)?;
        let mut candidates = (0..bucket.len()).filter(|&i| same(&bucket[i]));
        let first = candidates.next()?;
        let best = std::iter::once(first).chain(candidates).find(|&i| bucket[i].sleep.is_subset(sleep));
        let found = &mut bucket[best.unwrap_or(first)];
        self.traffic.hits += 1;
        found.hits = found.hits.saturating_add(1);
        Some(found)
    }

    /// Remembers a state; `replaces` says whether equal keys are equal states.
    pub fn insert(&mut self, key: Fingerprint, state: Stored, replaces: bool) {
        if self.closed {
            return;
        }
        let bucket = self.table.entry(key).or_default();
        match bucket.first_mut().filter(|_| replaces) {
            Some(old) => *old = state,
            None => {
                bucket.push(state);
                self.stored += 1;
            }
        }
        self.traffic.most_stored = self.traffic.most_stored.max(self.stored as u64);
    }

    /// Roughly the bytes held, at the usual load of the table.
    pub fn bytes(&self) -> usize {
        self.stored * (size_of::<(Fingerprint, SmallVec<[Stored; 1]>)>() + 1) * 8 / 5
    }

    /// Forgets about half: first what was never met again since the last time, then every other one.
    pub fn evict(&mut self) {
        let before = self.stored;
        self.evictions += 1;
        self.retain(|_, s| s.hits > 0);
        if self.stored > before / 2 {
            let bit = self.evictions % Fingerprint::BITS;
            self.retain(|key, _| key >> bit & 1 == 0);
        }
        self.table.values_mut().flatten().for_each(|s| s.hits = 0);
        self.table.shrink_to_fit();
        self.traffic.evicted += (before - self.stored) as u64;
    }

    fn retain(&mut self, keep: impl Fn(Fingerprint, &Stored) -> bool) {
        self.table.retain(|key, bucket| {
            bucket.retain(|s| keep(*key, s));
            !bucket.is_empty()
        });
        self.stored = self.table.values().map(|b| b.len()).sum();
    }

    /// The states.
    pub fn iter(&self) -> impl Iterator<Item = &Stored> {
        self.table.values().flatten()
    }
}
