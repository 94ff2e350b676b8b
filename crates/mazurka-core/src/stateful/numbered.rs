//! Numbers for the pairs of a state and a state of an automaton, in the order in which they are met.

use super::graph::{Graph, Slot};
use crate::program::Fingerprint;
use rustc_hash::FxHashMap;

/// Spreads the numbers of automaton states over all bits of a fingerprint.
const SPREAD: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;

/// By what pairs are known: by fingerprint, or exactly.
pub(super) enum Numbered {
    /// Two pairs that share their fingerprint are taken for one.
    Fingerprints(FxHashMap<Fingerprint, u32>),
    /// Whole states.
    Exact(FxHashMap<Box<[u8]>, u32>),
}

impl Numbered {
    pub fn new(exact: bool) -> Self {
        match exact {
            false => Numbered::Fingerprints(FxHashMap::default()),
            true => Numbered::Exact(FxHashMap::default()),
        }
    }

    fn fingerprint(graph: &dyn Graph, state: Slot, at: u32) -> Fingerprint {
        graph.fingerprint(state).wrapping_add(SPREAD.wrapping_mul(u128::from(at) + 1))
    }

    fn bytes(graph: &dyn Graph, state: Slot, at: u32) -> Box<[u8]> {
        let mut bytes = at.to_le_bytes().to_vec();
        graph.encode(state, &mut bytes);
        bytes.into()
    }

    /// The number of a pair, and whether it is new.
    pub fn number(&mut self, graph: &dyn Graph, state: Slot, at: u32) -> (u32, bool) {
        let next = u32::try_from(self.len()).unwrap_or_else(|_| panic!("more than 2³² states are stored"));
        let number = match self {
            Numbered::Fingerprints(table) => *table.entry(Self::fingerprint(graph, state, at)).or_insert(next),
            Numbered::Exact(table) => *table.entry(Self::bytes(graph, state, at)).or_insert(next),
        };
        (number, number == next)
    }

    /// The number of a pair that has one.
    pub fn get(&self, graph: &dyn Graph, state: Slot, at: u32) -> Option<u32> {
        match self {
            Numbered::Fingerprints(table) => table.get(&Self::fingerprint(graph, state, at)).copied(),
            Numbered::Exact(table) => table.get(&Self::bytes(graph, state, at)).copied(),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Numbered::Fingerprints(table) => table.len(),
            Numbered::Exact(table) => table.len(),
        }
    }

    /// How likely it is that some two pairs shared a fingerprint.
    pub fn collision_probability(&self) -> Option<f64> {
        match self {
            Numbered::Fingerprints(table) => {
                let n = table.len() as f64;
                Some(n * (n - 1.0).max(0.0) / 2.0 / 2f64.powi(128))
            }
            Numbered::Exact(_) => None,
        }
    }
}
