//! The states that were reached: by fingerprint, or exactly.

use super::graph::{Graph, Slot};
use crate::program::Fingerprint;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Where states are stored.
pub(super) enum Visited {
    /// 16 bytes per state; two states that share their fingerprint are taken for one.
    Fingerprints(Fingerprints),
    /// Whole states.
    Exact(Exact),
}

impl Visited {
    /// Stores the state; false if it was there.
    pub fn insert(&mut self, graph: &dyn Graph, state: Slot) -> bool {
        match self {
            Visited::Fingerprints(table) => table.insert(graph.fingerprint(state)),
            Visited::Exact(table) => {
                table.state.clear();
                graph.encode(state, &mut table.state);
                table.insert()
            }
        }
    }

    /// How likely it is that some two of the stored states, or a state taken for one of them, shared a fingerprint.
    pub fn collision_probability(&self) -> Option<f64> {
        match self {
            Visited::Fingerprints(table) => {
                let n = table.len as f64;
                Some(n * (n - 1.0).max(0.0) / 2.0 / 2f64.powi(128))
            }
            Visited::Exact(_) => None,
        }
    }
}

/// An open-addressing table of fingerprints. The free slot is 0; the fingerprint 0 is stored as 1.
pub(super) struct Fingerprints {
    slots: Vec<Fingerprint>,
    len: usize,
}

impl Default for Fingerprints {
    fn default() -> Self {
        Fingerprints {
            slots: vec![0; 1 << 12],
            len: 0,
        }
    }
}

impl Fingerprints {
    fn insert(&mut self, fingerprint: Fingerprint) -> bool {
        let fingerprint = fingerprint.max(1);
        let at = self.find(fingerprint);
        if self.slots[at] == fingerprint {
            return false;
        }
        self.slots[at] = fingerprint;
        self.len += 1;
        if self.len * 10 > self.slots.len() * 7 {
            self.grow();
        }
        true
    }

    /// The slot that holds the fingerprint, or the free one where it belongs.
    fn find(&self, fingerprint: Fingerprint) -> usize {
        let mask = self.slots.len() - 1;
        // Programs may combine fingerprints linearly, so all bits are stirred before a few of them choose the slot.
        let folded = (fingerprint as u64) ^ (fingerprint >> 64) as u64;
        let mut at = (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize & mask;
        while self.slots[at] != 0 && self.slots[at] != fingerprint {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let bigger = vec![0; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, bigger);
        for fingerprint in old.into_iter().filter(|f| *f != 0) {
            let at = self.find(fingerprint);
            self.slots[at] = fingerprint;
        }
    }
}

/// Whole states, with runs of zeros squeezed, one after the other in an arena.
pub(super) struct Exact {
    /// The state to look up, filled by [`Graph::encode`].
    state: Vec<u8>,
    squeezed: Vec<u8>,
    arena: Vec<u8>,
    /// One more than the place in the arena where a state of this hash begins; 0 is free.
    slots: Vec<usize>,
    len: usize,
}

impl Default for Exact {
    fn default() -> Self {
        Exact {
            state: Vec::new(),
            squeezed: Vec::new(),
            arena: Vec::new(),
            slots: vec![0; 1 << 12],
            len: 0,
        }
    }
}

impl Exact {
    fn insert(&mut self) -> bool {
        squeeze(&self.state, &mut self.squeezed);
        let mut at = self.home(&self.squeezed);
        while self.slots[at] != 0 {
            if self.stored(self.slots[at] - 1) == self.squeezed {
                return false;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = self.arena.len() + 1;
        let length = u32::try_from(self.squeezed.len()).unwrap_or(u32::MAX);
        self.arena.extend_from_slice(&length.to_le_bytes());
        self.arena.extend_from_slice(&self.squeezed);
        self.len += 1;
        if self.len * 10 > self.slots.len() * 7 {
            self.grow();
        }
        true
    }

    fn home(&self, squeezed: &[u8]) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write(squeezed);
        (hasher.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize & (self.slots.len() - 1)
    }

    fn stored(&self, at: usize) -> &[u8] {
        let (length, rest) = self.arena[at..].split_at(4);
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
        &rest[..length as usize]
    }

    fn grow(&mut self) {
        let bigger = vec![0; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, bigger);
        for place in old.into_iter().filter(|p| *p != 0) {
            let mut at = self.home(self.stored(place - 1));
            while self.slots[at] != 0 {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = place;
        }
    }
}

/// Writes each run of zeros as a zero and its length: most bytes of most states are zero.
fn squeeze(state: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let mut rest = state;
    while let Some((&byte, tail)) = rest.split_first() {
        out.push(byte);
        rest = tail;
        if byte == 0 {
            let more = rest.iter().take(254).take_while(|b| **b == 0).count();
            out.push(more as u8);
            rest = &rest[more..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn the_table_of_fingerprints_is_a_set(values in proptest::collection::vec(0u128..5_000, 0..9_000)) {
            let (mut table, mut set) = (Fingerprints::default(), HashSet::new());
            for v in values {
                // 0 and 1 share a slot: the price of a free slot that needs no extra bit.
                prop_assert_eq!(table.insert(v.max(1)), set.insert(v.max(1)));
            }
            prop_assert_eq!(table.len, set.len());
        }

        #[test]
        fn the_exact_table_is_a_set(values in proptest::collection::vec(proptest::collection::vec(0u8..3, 0..6), 0..600)) {
            let (mut table, mut set) = (Exact::default(), HashSet::new());
            for v in values {
                table.state.clone_from(&v);
                prop_assert_eq!(table.insert(), set.insert(v));
            }
        }

        #[test]
        fn squeezing_keeps_states_apart(a in proptest::collection::vec(0u8..2, 0..400), b in proptest::collection::vec(0u8..2, 0..400)) {
            let (mut x, mut y) = (Vec::new(), Vec::new());
            squeeze(&a, &mut x);
            squeeze(&b, &mut y);
            prop_assert_eq!(a == b, x == y);
        }
    }

    #[test]
    fn the_exact_table_survives_growth() {
        let mut table = Exact::default();
        for round in [true, false] {
            for i in 0u32..10_000 {
                table.state = i.to_le_bytes().to_vec();
                assert_eq!(table.insert(), round);
            }
        }
    }
}
