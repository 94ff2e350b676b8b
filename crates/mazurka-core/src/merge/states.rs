//! The states whose futures are known, within a memory budget.
//!
//! A stored state may be forgotten at any time: that costs exploring it again, never a wrong answer.

use super::bits::Bits;
use super::cone_set::SetId;
use crate::program::Fingerprint;
use rustc_hash::FxHashMap;

/// A state whose future was explored.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// The processes that slept: executions that start with one of them are not covered.
    pub sleep: Bits,
    /// The cones of its future.
    pub cones: SetId,
    /// How often it was met again since the last eviction.
    hits: u32,
}

/// What the store did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Traffic {
    pub lookups: u64,
    pub hits: u64,
    pub evicted: u64,
    pub most_stored: u64,
}

/// The table of stored states.
#[derive(Default)]
pub(crate) struct States {
    table: FxHashMap<Fingerprint, Stored>,
    evictions: u32,
    pub traffic: Traffic,
}

impl States {
    /// What is known of a state.
    pub fn look_up(&mut self, state: Fingerprint) -> Option<&Stored> {
        self.traffic.lookups += 1;
        let found = self.table.get_mut(&state)?;
        self.traffic.hits += 1;
        found.hits = found.hits.saturating_add(1);
        Some(found)
    }

    /// Remembers a state.
    pub fn insert(&mut self, state: Fingerprint, sleep: Bits, cones: SetId) {
        self.table.insert(state, Stored { sleep, cones, hits: 0 });
        self.traffic.most_stored = self.traffic.most_stored.max(self.table.len() as u64);
    }

    /// Roughly the bytes held, at the usual load of the table.
    pub fn bytes(&self) -> usize {
        self.table.len() * (size_of::<(Fingerprint, Stored)>() + 1) * 8 / 5
    }

    /// Forgets about half: first what was never met again since the last time, then every other one.
    pub fn evict(&mut self) {
        let before = self.table.len();
        self.evictions += 1;
        self.table.retain(|_, s| s.hits > 0);
        if self.table.len() > before / 2 {
            let bit = self.evictions % Fingerprint::BITS;
            self.table.retain(|f, _| f >> bit & 1 == 0);
        }
        self.table.values_mut().for_each(|s| s.hits = 0);
        self.traffic.evicted += (before - self.table.len()) as u64;
        self.table.shrink_to_fit();
    }

    /// The sets of cones that are in use.
    pub fn sets(&self) -> impl Iterator<Item = SetId> + '_ {
        self.table.values().map(|s| s.cones)
    }
}
