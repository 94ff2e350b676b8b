//! Random numbers that depend on a seed and the number of an execution, and on nothing else.

/// SplitMix64 (Steele, Lea, Flood; OOPSLA'14).
#[derive(Clone, Debug)]
pub(super) struct Numbers(u64);

impl Numbers {
    /// Those of one execution.
    pub fn of(seed: u64, execution: u64) -> Self {
        Numbers(mix(seed) ^ mix(execution.wrapping_add(0x5851_F42D_4C95_7F2D)))
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        // The bias is n / 2⁶⁴.
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
