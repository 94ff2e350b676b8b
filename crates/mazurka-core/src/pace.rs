//! How often a search looks at the clock and at its memory.

use crate::memory::resident_bytes;
use crate::outcome::Limit;
use crate::search::Limits;
use std::time::{Duration, Instant};

/// The most steps between two looks.
const MOST: u32 = 1 << 12;
/// Looks that are closer together than this are too many.
const OFTEN: Duration = Duration::from_millis(1);
/// Looks that are further apart than this are too few.
const SELDOM: Duration = Duration::from_millis(10);

/// Counts steps down to the next look. A look costs more than a step of most programs, and far less than a step that computes for long: so
/// the number of steps in between grows only while they are short.
#[derive(Debug)]
pub(crate) struct Pace {
    left: u32,
    every: u32,
    last: Instant,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            left: 1,
            every: 1,
            last: Instant::now(),
        }
    }
}

impl Pace {
    /// To be asked once a step: the limit on time or memory that is reached, where `elapsed` is the time before `begun`.
    #[inline]
    pub fn limit_reached(&mut self, limits: &Limits, elapsed: Duration, begun: Instant) -> Option<Limit> {
        self.left -= 1;
        if self.left > 0 { None } else { self.look(limits, elapsed, begun) }
    }

    #[cold]
    fn look(&mut self, limits: &Limits, elapsed: Duration, begun: Instant) -> Option<Limit> {
        let now = Instant::now();
        self.every = after(self.every, now - self.last);
        self.left = self.every;
        self.last = now;
        if limits.time.is_some_and(|limit| elapsed + (now - begun) >= limit) {
            return Some(Limit::Time);
        }
        let full = |limit| resident_bytes().is_some_and(|resident| resident >= limit);
        limits.memory.is_some_and(full).then_some(Limit::Memory)
    }
}

/// How many steps to take until the next look when the last `every` took this long.
fn after(every: u32, took: Duration) -> u32 {
    if took < OFTEN {
        (every * 2).min(MOST)
    } else if took > SELDOM {
        (every / 8).max(1)
    } else {
        every
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_already_looked_at() {
        let limits = Limits {
            time: Some(Duration::from_millis(1)),
            ..Limits::default()
        };
        let reached = Pace::default().limit_reached(&limits, Duration::from_millis(1), Instant::now());
        assert_eq!(reached, Some(Limit::Time));
    }

    #[test]
    fn short_steps_are_looked_at_rarely_and_long_ones_each() {
        let mut every = 1;
        for _ in 0..20 {
            every = after(every, Duration::from_micros(3));
        }
        assert_eq!(every, MOST);
        for _ in 0..5 {
            every = after(every, Duration::from_secs(1));
        }
        assert_eq!(every, 1);
    }
}
