//! How many different things a sample has seen, and what that tells about those it has not.
//!
//! Memory is bounded: beyond [`MOST`] different things, only those are remembered whose hash ends in so many zeros, and counts are multiplied
//! accordingly (Wegman's adaptive sampling; Flajolet 1990). What is rare and what is frequent is remembered alike.

use crate::saved::{Decoder, Encoder, Misfit};
use rustc_hash::FxHashMap;

/// The most different things that are remembered: about 30 MB.
const MOST: usize = 1 << 20;
/// Counts above this are not told apart.
const MANY: u8 = 3;
/// Two-sided 95% of a normal distribution.
const Z: f64 = 1.96;

/// Counts how often each thing was seen.
#[derive(Default)]
pub(super) struct Species {
    counts: FxHashMap<u64, u8>,
    samples: u64,
    /// Only hashes that end in so many zeros are remembered.
    level: u32,
    once: u64,
    twice: u64,
}

impl Species {
    /// Notes that a thing was seen. The hash must be well mixed.
    pub fn add(&mut self, hash: u64) {
        self.samples += 1;
        if hash.trailing_zeros() < self.level {
            return;
        }
        let count = self.counts.entry(hash).or_insert(0);
        match *count {
            0 => self.once += 1,
            1 => {
                self.once -= 1;
                self.twice += 1;
            }
            2 => self.twice -= 1,
            _ => {}
        }
        *count = (*count + 1).min(MANY);
        while self.counts.len() > MOST {
            self.forget_half();
        }
    }

    /// What was seen so far.
    pub fn diversity(&self) -> Diversity {
        Diversity {
            samples: self.samples,
            seen: (self.counts.len() as u64) << self.level,
            once: self.once << self.level,
            twice: self.twice << self.level,
            exact: self.level == 0,
        }
    }

    pub fn save(&self, out: &mut Encoder) {
        out.list(self.counts.iter(), |out, (hash, count)| {
            out.number(*hash);
            out.number((*count).into());
        });
        for number in [self.samples, self.level.into(), self.once, self.twice] {
            out.number(number);
        }
    }

    pub fn resumed(from: &mut Decoder<'_>) -> Result<Self, Misfit> {
        Ok(Species {
            counts: from.list(|from| Ok((from.number()?, from.small()?)))?.into_iter().collect(),
            samples: from.number()?,
            level: from.small()?,
            once: from.number()?,
            twice: from.number()?,
        })
    }

    fn forget_half(&mut self) {
        self.level += 1;
        let level = self.level;
        self.counts.retain(|hash, _| hash.trailing_zeros() >= level);
        self.once = self.counts.values().filter(|n| **n == 1).count() as u64;
        self.twice = self.counts.values().filter(|n| **n == 2).count() as u64;
    }
}

/// How many different things a sample has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Diversity {
    /// How many executions were looked at.
    pub samples: u64,
    /// How many different things they showed.
    pub seen: u64,
    /// Those that one execution showed.
    pub once: u64,
    /// Those that two executions showed.
    pub twice: u64,
    /// False if they were too many to be remembered, and the numbers are estimates with an error below a percent.
    pub exact: bool,
}

/// An estimate of the number of all things that can be drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Richness {
    /// The lower end of a 95% interval.
    pub low: f64,
    /// The estimate.
    pub estimate: f64,
    /// The upper end of a 95% interval.
    pub high: f64,
}

impl Diversity {
    /// The probability that the next execution shows something new, and half of its 95% interval, in the way of Good and Turing (Good 1953;
    /// the interval is Esty's, 1983). It assumes that executions are drawn independently, all from one distribution; nothing is assumed about the
    /// distribution. `None` without executions.
    ///
    /// Where everything was seen more than once the estimate is 0, and the interval reaches up to 3 / n (the rule of three).
    pub fn unseen(&self) -> Option<(f64, f64)> {
        if self.samples == 0 {
            return None;
        }
        let (n, once, twice) = (self.samples as f64, self.once as f64, self.twice as f64);
        let probability = (once / n).min(1.0);
        let variance = (once * (1.0 - probability) + 2.0 * twice) / (n * n);
        Some((probability, (Z * variance.sqrt()).max(3.0 / n).min(1.0)))
    }

    /// How many things there are at least, in the way of Chao (1984, bias-corrected; the interval is that of 1987). It is a lower bound in
    /// expectation: things that this way of drawing hardly ever shows are not counted. `None` if nearly everything was seen once, when nothing
    /// can be said.
    pub fn richness(&self) -> Option<Richness> {
        let (seen, once, twice) = (self.seen as f64, self.once as f64, self.twice as f64);
        if self.samples == 0 || self.twice == 0 && self.once > 0 {
            return None;
        }
        let unseen = once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0));
        let ratio = if self.twice == 0 { 0.0 } else { once / twice };
        let variance = twice * (ratio.powi(4) / 4.0 + ratio.powi(3) + ratio.powi(2) / 2.0);
        if unseen <= 0.0 {
            return Some(Richness {
                low: seen,
                estimate: seen,
                high: seen,
            });
        }
        let spread = (Z * (1.0 + variance / (unseen * unseen)).ln().sqrt()).exp();
        Some(Richness {
            low: seen + unseen / spread,
            estimate: seen + unseen,
            high: seen + unseen * spread,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::numbers::Numbers;

    /// Draws from `kinds` things, all as likely.
    fn drawn(kinds: u64, samples: u64) -> Species {
        let mut numbers = Numbers::of(1, kinds);
        let mut species = Species::default();
        for _ in 0..samples {
            let kind = numbers.below(kinds);
            species.add(Numbers::of(kind, 7).next());
        }
        species
    }

    #[test]
    fn what_is_left_is_estimated_within_its_interval() {
        for (kinds, samples) in [(1_000, 500), (1_000, 2_000), (1_000, 20_000), (50_000, 20_000)] {
            let seen = drawn(kinds, samples).diversity();
            let truth = (kinds - seen.seen) as f64 / kinds as f64;
            let (unseen, half) = seen.unseen().unwrap();
            assert!(
                (unseen - truth).abs() <= half,
                "{kinds} {samples}: {unseen} ± {half}, truly {truth}"
            );
            let richness = seen.richness().unwrap();
            assert!(
                richness.low <= kinds as f64 && kinds as f64 <= richness.high.ceil(),
                "{kinds} {samples}: {richness:?}"
            );
        }
    }

    #[test]
    fn nothing_is_said_where_everything_is_new() {
        let seen = drawn(u64::MAX, 1_000).diversity();
        assert_eq!((seen.seen, seen.once), (1_000, 1_000));
        assert_eq!(seen.richness(), None);
        assert!(seen.unseen().unwrap().0 > 0.99);
        assert_eq!(Species::default().diversity().unseen(), None);
    }

    #[test]
    fn more_than_can_be_remembered_is_estimated() {
        let seen = drawn(u64::MAX, 3 << 20).diversity();
        let error = seen.seen as f64 / (3u64 << 20) as f64 - 1.0;
        assert!(!seen.exact && error.abs() < 0.01, "{error}");
        assert!(seen.unseen().unwrap().0 > 0.99);
    }
}
