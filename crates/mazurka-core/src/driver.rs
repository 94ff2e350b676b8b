//! What every search has in common, stateless, merging or stateful: it can be paused, interrupted and asked, and limits end it.

use crate::findings::Findings;
use crate::outcome::{Counts, Limit, Outcome};
use crate::pace::Pace;
use crate::search::{Estimate, Limits, Options, Progress, Search, Status};
use std::time::{Duration, Instant};

/// What is peculiar to one kind of search: where it goes next.
pub(crate) trait Walk {
    /// Does the next thing, which is at most one step, and notes what it finds. [`Status::Done`] if nothing is left, or if something was
    /// found that ends the search.
    fn go_on(&mut self, findings: &mut Findings) -> Status;

    /// What was done so far.
    fn counts(&self) -> &Counts;

    /// The length of the current execution.
    fn depth(&self) -> u64;

    /// How many executions there will be.
    fn estimate(&self) -> Option<Estimate> {
        None
    }

    /// Adds to the outcome what only this kind of search knows.
    fn complete(&self, outcome: &mut Outcome) {
        let _ = outcome;
    }
}

/// Where a walk over an explicit stack of nodes stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The top node was just reached.
    Arrive,
    /// The top node may have more to explore.
    Choose,
    Done,
}

impl Phase {
    pub fn status(self) -> Status {
        if self == Phase::Done { Status::Done } else { Status::Running }
    }
}

/// A search in progress.
pub(crate) struct Driver<W> {
    pub walk: W,
    findings: Findings,
    limits: Limits,
    elapsed: Duration,
    pace: Pace,
    done: bool,
}

impl<W: Walk> Driver<W> {
    /// A search that has not started.
    pub fn new(walk: W, options: &Options) -> Self {
        Driver {
            walk,
            findings: Findings::new(options),
            limits: options.limits,
            elapsed: Duration::ZERO,
            pace: Pace::default(),
            done: false,
        }
    }

    fn stop(&mut self, limit: Limit) {
        if !self.done {
            self.findings.limit = Some(limit);
            self.done = true;
        }
    }
}

impl<W: Walk> Search for Driver<W> {
    fn advance(&mut self, steps: u64) -> Status {
        let begun = Instant::now();
        let until = self.walk.counts().steps.saturating_add(steps);
        while !self.done && self.walk.counts().steps < until {
            self.done = self.walk.go_on(&mut self.findings) == Status::Done;
            if let Some(limit) = self.pace.limit_reached(&self.limits, self.elapsed, begun) {
                self.stop(limit);
            }
        }
        // The time between two calls does not count.
        self.elapsed += begun.elapsed();
        if self.done { Status::Done } else { Status::Running }
    }

    fn progress(&self) -> Progress {
        Progress {
            counts: *self.walk.counts(),
            depth: self.walk.depth(),
            estimate: self.walk.estimate(),
        }
    }

    fn interrupt(&mut self) {
        self.stop(Limit::Interrupt);
    }

    fn outcome(&self) -> Outcome {
        let mut outcome = self.findings.outcome(*self.walk.counts(), self.done);
        self.walk.complete(&mut outcome);
        outcome
    }
}
