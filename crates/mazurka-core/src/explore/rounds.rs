//! A search that begins again with the next bound when one has left something out.

use crate::bound::{Bound, Bounded, Departure};
use crate::outcome::{Limit, Outcome, Verdict};

/// Which bound is searched, and what it has left out.
pub(super) struct Rounds {
    bound: Bound,
    current: u32,
    cut: u64,
    /// Per depth, the departures of the schedule up to there.
    used: Vec<u32>,
}

impl Rounds {
    /// The first round.
    pub fn new(bound: Bound) -> Self {
        Rounds {
            bound,
            current: bound.first,
            cut: 0,
            used: vec![0],
        }
    }

    /// Whether a step with this cost may be taken at that depth; if so, it is taken to be.
    pub fn admits(&mut self, depth: usize, cost: u32) -> bool {
        let used = self.used[depth].saturating_add(cost);
        if used > self.current {
            self.cut += 1;
            return false;
        }
        self.used.truncate(depth + 1);
        self.used.push(used);
        true
    }

    /// Goes on to the next bound, if there is one and it makes a difference.
    pub fn next(&mut self) -> bool {
        let more = self.cut > 0 && self.current < self.bound.last;
        if more {
            self.current += 1;
            self.cut = 0;
        }
        more
    }

    /// What the bound means for the verdict.
    pub fn complete(&self, outcome: &mut Outcome) {
        outcome.bounded = Some(Bounded {
            bound: self.bound,
            reached: self.current,
            cut: self.cut,
        });
        let finished = outcome.limit.is_none() && !outcome.ended_by_failure && self.current == self.bound.last;
        if finished && self.cut > 0 && outcome.verdict != Verdict::Incomplete {
            outcome.limit = Some(match self.bound.counted {
                Departure::Preemption => Limit::Preemptions,
                Departure::Delay => Limit::Delays,
            });
            if outcome.verdict == Verdict::Complete {
                outcome.verdict = Verdict::Incomplete;
            }
        }
    }
}
