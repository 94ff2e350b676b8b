//! What every search has in common, stateless, merging or stateful: it can be paused, interrupted and asked, and limits end it.

use crate::findings::Findings;
use crate::outcome::{Counts, Limit, Outcome};
use crate::pace::Pace;
use crate::saved::{Decoder, Encoder, Misfit, resumed_limit, save_limit};
use crate::search::{Estimate, Limits, Options, Progress, Search, SearchError, Status};
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

    /// Whether it can be saved here; after some more steps it can.
    fn at_rest(&self) -> bool {
        true
    }

    /// Writes where it stands.
    ///
    /// # Errors
    /// Why it cannot.
    fn save(&mut self, out: &mut Encoder) -> Result<(), &'static str> {
        let _ = out;
        Err("it does not say where it stands; take `optimal` or `source`")
    }

    /// Goes on where it was saved.
    ///
    /// # Errors
    /// If what was saved is not of this walk.
    fn resume(&mut self, from: &mut Decoder<'_>) -> Result<(), Misfit> {
        let _ = from;
        Err(Misfit::OtherSearch)
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
    /// What its search is called.
    name: &'static str,
    /// It was stopped; what had limited it before that.
    stopped: Option<Option<Limit>>,
    /// Keeps no snapshots.
    replay: bool,
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
            name: match options.sampling.is_some() || options.bound.is_some() {
                true => "this search",
                false => options.algorithm.name(),
            },
            stopped: None,
            replay: options.replay,
        }
    }

    fn stop(&mut self, limit: Limit) {
        if !self.done {
            self.stopped = Some(self.findings.limit.replace(limit));
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

    /// One that was stopped is saved as if it had not been.
    fn save(&mut self) -> Result<Vec<u8>, SearchError> {
        let unsaved = |name, reason| SearchError::Unsaved { name, reason };
        if self.replay {
            return Err(unsaved(
                "--replay",
                "a search that keeps no snapshots runs schedules again as it is, and would count these runs twice",
            ));
        }
        let (stopped, stopped_at) = (self.stopped.take(), self.findings.limit);
        if let Some(limit) = stopped {
            self.findings.limit = limit;
            self.done = false;
        }
        while !self.done && !self.walk.at_rest() {
            self.done = self.walk.go_on(&mut self.findings) == Status::Done;
        }
        let mut out = Encoder::default();
        out.flag(self.done);
        out.number(self.elapsed.as_nanos() as u64);
        save_limit(self.findings.limit, &mut out);
        self.findings.save(&mut out);
        let saved = self.walk.save(&mut out);
        if let (Some(_), Some(limit)) = (stopped, stopped_at) {
            self.stop(limit);
        }
        saved.map_err(|reason| unsaved(self.name, reason))?;
        Ok(out.into_bytes())
    }

    fn resume(&mut self, saved: &[u8]) -> Result<(), Misfit> {
        let mut from = Decoder::new(saved);
        self.done = from.flag()?;
        self.elapsed = Duration::from_nanos(from.number()?);
        self.findings.limit = resumed_limit(&mut from)?;
        self.findings.resume(&mut from)?;
        self.walk.resume(&mut from)?;
        from.end()
    }

    fn outcome(&self) -> Outcome {
        let mut outcome = self.findings.outcome(*self.walk.counts(), self.done);
        self.walk.complete(&mut outcome);
        outcome
    }
}
