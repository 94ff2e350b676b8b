//! The numbers that two of the papers' programs draw: the documented linear congruential generator of `java.util.Random`.

/// Draws `nextInt(bound)`.
pub(super) struct JavaRandom(u64);

impl JavaRandom {
    const MULTIPLIER: u64 = 0x5_DEEC_E66D;
    const MASK: u64 = (1 << 48) - 1;

    pub(super) fn new(seed: u64) -> Self {
        JavaRandom((seed ^ Self::MULTIPLIER) & Self::MASK)
    }

    fn bits(&mut self, bits: u32) -> i32 {
        self.0 = self.0.wrapping_mul(Self::MULTIPLIER).wrapping_add(0xB) & Self::MASK;
        (self.0 >> (48 - bits)) as i32
    }

    pub(super) fn next_int(&mut self, bound: i32) -> i32 {
        if bound & (bound - 1) == 0 {
            return ((i64::from(bound) * i64::from(self.bits(31))) >> 31) as i32;
        }
        loop {
            let bits = self.bits(31);
            let value = bits % bound;
            if bits.checked_sub(value).and_then(|b| b.checked_add(bound - 1)).is_some() {
                return value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_java() {
        let mut random = JavaRandom::new(42);
        assert_eq!(
            [(); 4].map(|()| random.next_int(10)),
            [0, 3, 8, 4],
            "new Random(42).nextInt(10), four times"
        );
    }
}
