//! Hashing states to 128 bits, and finding the addresses that a state holds.

use crate::address::MARK;
use std::hash::{Hash, Hasher};

/// A hasher of two independent 64-bit lanes. Not cryptographic; no adversary picks the states.
#[derive(Clone, Debug)]
pub(crate) struct Hash128 {
    multiplied: u64,
    folded: u64,
}

impl Hash128 {
    pub(crate) fn new() -> Self {
        Hash128 {
            multiplied: 0x243f_6a88_85a3_08d3,
            folded: 0x1319_8a2e_0370_7344,
        }
    }

    pub(crate) fn of(value: impl Hash) -> u128 {
        let mut hasher = Self::new();
        value.hash(&mut hasher);
        hasher.finish128()
    }

    fn word(&mut self, word: u64) {
        self.multiplied = (self.multiplied ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.multiplied ^= self.multiplied >> 29;
        let product = u128::from(self.folded.rotate_left(23) ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93_a409_3822_299f_31d1);
        self.folded = (product >> 64) as u64 ^ product as u64;
    }

    pub(crate) fn finish128(&self) -> u128 {
        let mut last = self.clone();
        last.word(0x0801_f2e2);
        last.word(0x858e_fc16);
        u128::from(last.multiplied) << 64 | u128::from(last.folded)
    }
}

impl Hasher for Hash128 {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.word(u64::from_le_bytes(chunk.try_into().expect("eight bytes")));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.word(u64::from_le_bytes(last) ^ (rest.len() as u64) << 56);
        }
    }

    fn write_u8(&mut self, i: u8) {
        self.word(u64::from(i) | 1 << 56);
    }

    fn write_u32(&mut self, i: u32) {
        self.word(u64::from(i) | 4 << 56);
    }

    fn write_u64(&mut self, i: u64) {
        self.word(i);
    }

    fn write_usize(&mut self, i: usize) {
        self.word(i as u64);
    }

    fn finish(&self) -> u64 {
        self.finish128() as u64
    }
}

/// What stands for each actor while something is hashed, by the actor's number.
#[derive(Clone, Debug)]
pub(crate) struct Tokens(pub Vec<u64>);

impl Tokens {
    /// What stands for an actor: its number, unless something else does.
    pub fn of(&self, actor: u32) -> u64 {
        self.0.get(actor as usize).copied().unwrap_or(u64::from(actor))
    }

    /// The hash of a value in which these stand for the actors.
    pub fn hash(&self, value: &(impl Hash + ?Sized)) -> u128 {
        let mut hasher = Renaming {
            tokens: self,
            inner: Hash128::new(),
            open: Vec::new(),
        };
        value.hash(&mut hasher);
        hasher.inner.finish128()
    }
}

/// A hasher for which tokens stand for actors, and for which the order of entries in collections without an order is nothing.
#[derive(Debug)]
struct Renaming<'t> {
    tokens: &'t Tokens,
    inner: Hash128,
    /// For each collection that was begun: what came before it, and the sum of the entries that are complete.
    open: Vec<(Hash128, Option<u128>)>,
}

impl Renaming<'_> {
    fn close_entry(&mut self) {
        if let Some((_, sum)) = self.open.last_mut() {
            let entry = std::mem::replace(&mut self.inner, Hash128::new()).finish128();
            *sum = sum.map_or(Some(0), |sum| Some(sum.wrapping_add(entry)));
        }
    }
}

impl Hasher for Renaming<'_> {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(actor) = address_in(bytes) {
            self.inner.write(&MARK);
            self.inner.write_u64(self.tokens.of(actor));
        } else if bytes == collection::BEGIN {
            self.open.push((std::mem::replace(&mut self.inner, Hash128::new()), None));
        } else if bytes == collection::ENTRY {
            self.close_entry();
        } else if bytes == collection::END {
            self.close_entry();
            if let Some((before, sum)) = self.open.pop() {
                self.inner = before;
                (collection::BEGIN, sum).hash(&mut self.inner);
            }
        } else {
            self.inner.write(bytes);
        }
    }

    fn write_u8(&mut self, i: u8) {
        self.inner.write_u8(i);
    }

    fn write_u32(&mut self, i: u32) {
        self.inner.write_u32(i);
    }

    fn write_u64(&mut self, i: u64) {
        self.inner.write_u64(i);
    }

    fn write_usize(&mut self, i: usize) {
        self.inner.write_usize(i);
    }

    fn finish(&self) -> u64 {
        self.inner.finish()
    }
}

/// The actor whose address hashes to these bytes.
fn address_in(bytes: &[u8]) -> Option<u32> {
    let of_address = bytes.len() == 12 && bytes[..8] == MARK;
    of_address.then(|| u32::from_le_bytes(bytes[8..].try_into().expect("four bytes")))
}

/// What a collection without an order writes: before it, before each entry, and after it.
pub(crate) mod collection {
    pub(crate) const BEGIN: [u8; 12] = *b"\xffmazurkaset{";
    pub(crate) const ENTRY: [u8; 12] = *b"\xffmazurkaset,";
    pub(crate) const END: [u8; 12] = *b"\xffmazurkaset}";
}

/// A hasher that only looks for addresses.
#[derive(Debug, Default)]
pub(crate) struct References(pub Vec<u32>);

impl Hasher for References {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(id) = address_in(bytes).filter(|id| !self.0.contains(id)) {
            self.0.push(id);
        }
    }

    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{Address, Origin};

    #[test]
    fn addresses_are_found_wherever_they_are() {
        let mut found = References::default();
        let (a, b) = (Address::<()>::new(3, Origin::HOSTED), Address::<()>::new(9, Origin::HOSTED));
        (vec![(1u8, a)], Some(b), "text", [b; 2], 12usize).hash(&mut found);
        assert_eq!(found.0, [3, 9]);
    }

    #[test]
    fn numbers_of_every_size_take_part() {
        assert_ne!(Hash128::of(1u8), Hash128::of(2u8));
        assert_ne!(Hash128::of(1u16), Hash128::of(2u16));
        assert_ne!(Hash128::of(1u32), Hash128::of(2u32));
        assert_ne!(Hash128::of(1u64), Hash128::of(2u64));
        assert_ne!(Hash128::of(1u128), Hash128::of(2u128));
        assert_ne!(Hash128::of(1usize), Hash128::of(2usize));
        assert_ne!(Hash128::of(1i64), Hash128::of(-1i64));
    }

    #[test]
    fn the_short_hash_is_one_lane_of_the_long_one() {
        let hasher = |value: u64| {
            let mut hasher = Hash128::new();
            value.hash(&mut hasher);
            hasher
        };
        assert_eq!(hasher(7).finish(), hasher(7).finish128() as u64);
        assert_ne!(hasher(7).finish(), hasher(8).finish());
    }

    #[test]
    fn small_differences_change_both_lanes() {
        for (a, b) in [(vec![0u8], vec![0, 0]), (vec![1], vec![2]), (vec![], vec![0])] {
            let (a, b) = (Hash128::of(a), Hash128::of(b));
            assert_ne!(a >> 64, b >> 64);
            assert_ne!(a as u64, b as u64);
        }
    }
}
