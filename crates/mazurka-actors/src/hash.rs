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

/// A hasher that only looks for addresses.
#[derive(Debug, Default)]
pub(crate) struct References(pub Vec<u32>);

impl Hasher for References {
    fn write(&mut self, bytes: &[u8]) {
        if bytes.len() == 12 && bytes[..8] == MARK {
            let id = u32::from_le_bytes(bytes[8..].try_into().expect("four bytes"));
            if !self.0.contains(&id) {
                self.0.push(id);
            }
        }
    }

    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Address;

    #[test]
    fn addresses_are_found_wherever_they_are() {
        let mut found = References::default();
        let (a, b) = (Address::<()>::new(3), Address::<()>::new(9));
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
