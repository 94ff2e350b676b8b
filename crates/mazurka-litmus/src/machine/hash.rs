//! The fingerprint of one cell. A state's fingerprint is the XOR over its cells, so a step costs what it changes.

/// What sets one cell apart from all others: 128 bits, two independent halves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key(u64, u64);

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd1b5_4a32_d192_ed03;

impl Key {
    /// The key of the shared variables: cell `i` has `Key::shared().cell(i)`.
    pub(super) fn shared() -> Key {
        Key(mix(1), mix(2))
    }

    /// The key of a process that has no parent.
    pub(super) fn root(nth: usize) -> Key {
        Key(mix(nth as u64 + 3), mix(!(nth as u64)))
    }

    /// The key of the `nth` child, if it runs `body`.
    pub(super) fn child(self, nth: u32, body: usize) -> Key {
        let place = (u64::from(nth) << 32) | body as u64;
        Key(
            mix(self.0 ^ place.wrapping_mul(SECOND)),
            mix(self.1.wrapping_add(place.wrapping_mul(GOLDEN))),
        )
    }

    /// The key of the cell at `offset`.
    #[inline(always)]
    pub(super) fn cell(self, offset: usize) -> Key {
        Key(
            self.0.wrapping_add((offset as u64).wrapping_mul(GOLDEN)),
            self.1.wrapping_add((offset as u64).wrapping_mul(SECOND)),
        )
    }

    /// A positive number that stands for the process, as the value of the locks it holds.
    pub(super) fn token(self) -> i32 {
        ((self.0 as u32) | 0x4000_0000) as i32 & i32::MAX
    }

    /// The part of a state's fingerprint that this cell contributes when it has that value.
    #[inline(always)]
    pub(super) fn hash(self, value: i32) -> u128 {
        let v = u64::from(value as u32);
        let low = mix(self.0 ^ v.wrapping_mul(SECOND));
        let high = mix(self.1 ^ v.wrapping_mul(GOLDEN));
        u128::from(high) << 64 | u128::from(low)
    }
}

/// The finaliser of splitmix64: every input bit changes every output bit with probability about one half.
#[inline(always)]
fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Key;

    #[test]
    fn no_token_says_that_the_lock_is_free_or_that_a_first_process_holds_it() {
        for low in [0, 1, 0x3fff_ffff, 0x4000_0000, 0x4000_0001, 0x8000_0000, 0xc000_0000, 0xffff_ffff] {
            assert!(Key(low, 0).token() >= 0x4000_0000, "{low:x}");
        }
    }
}
