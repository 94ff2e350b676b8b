//! 128 bits for a whole state.

const SEEDS: [u64; 2] = [0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344];
const FACTORS: [u64; 2] = [0xA409_3822_299F_31D1, 0x082E_FA98_EC4E_6C89];

/// A product of two words, both halves folded into one.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Hashes words into two lanes that share nothing but the input.
pub(crate) struct Hasher([u64; 2]);

impl Hasher {
    pub fn new() -> Self {
        Hasher(SEEDS)
    }

    #[inline]
    pub fn word(&mut self, word: u64) {
        self.0[0] = fold(self.0[0] ^ word, FACTORS[0]).wrapping_add(word.rotate_left(29));
        self.0[1] = fold(self.0[1] ^ word.rotate_left(32), FACTORS[1]).wrapping_add(word);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.word(u64::from_le_bytes(word));
        }
    }

    pub fn finish(&self) -> u128 {
        let a = fold(self.0[0] ^ SEEDS[1], FACTORS[1]);
        let b = fold(self.0[1] ^ SEEDS[0], FACTORS[0]);
        u128::from(a ^ self.0[1].rotate_left(17)) << 64 | u128::from(b ^ self.0[0].rotate_left(41))
    }

    /// The first lane alone.
    pub fn short(&self) -> u32 {
        (fold(self.0[0] ^ SEEDS[1], FACTORS[1]) >> 20) as u32
    }
}
