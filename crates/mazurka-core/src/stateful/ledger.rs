//! What both stateful searches keep account of: counts, failures, limits, statements reached.

use crate::outcome::{Counts, Failure, FailureKind, FoundFailure, Limit, Outcome, Verdict};
use crate::pace::Pace;
use crate::program::Transition;
use crate::search::{Limits, Options};
use std::time::{Duration, Instant};

/// The account of one search.
pub(super) struct Ledger {
    pub counts: Counts,
    pub limit: Option<Limit>,
    pub keep_going: bool,
    deadlock_is_error: bool,
    pub limits: Limits,
    final_states: bool,
    failures: Vec<FoundFailure>,
    failure_counts: [u64; FailureKind::ALL.len()],
    elapsed: Duration,
    pace: Pace,
    reached: Vec<bool>,
}

impl Ledger {
    pub fn new(options: &Options, statements: usize) -> Self {
        Ledger {
            counts: Counts::default(),
            limit: None,
            keep_going: options.keep_going,
            deadlock_is_error: options.deadlock_is_error,
            limits: options.limits,
            final_states: options.final_states,
            failures: Vec::new(),
            failure_counts: [0; FailureKind::ALL.len()],
            elapsed: Duration::ZERO,
            pace: Pace::default(),
            reached: vec![false; statements],
        }
    }

    pub fn reach(&mut self, statement: u32) {
        if let Some(reached) = self.reached.get_mut(statement as usize) {
            *reached = true;
        }
    }

    pub fn reached(&self) -> &[bool] {
        &self.reached
    }

    /// Whether it is one that the user wants to hear of.
    pub fn is_error(&self, failure: &Failure) -> bool {
        self.deadlock_is_error || failure.kind != FailureKind::Deadlock
    }

    /// Records a failure; true if the search must stop.
    pub fn fail(&mut self, failure: Failure, schedule: impl FnOnce() -> Vec<Transition>) -> bool {
        self.failure_counts[failure.kind as usize] += 1;
        if self.failures.iter().all(|f| f.failure != failure) {
            self.failures.push(FoundFailure {
                failure,
                schedule: schedule(),
                after_executions: self.counts.executions,
            });
        }
        !self.keep_going
    }

    /// The limit that is reached now, if one is.
    pub fn limit_reached(&mut self, begun: Instant) -> Option<Limit> {
        if self.limits.executions.is_some_and(|limit| self.counts.states >= limit) {
            return Some(Limit::Executions);
        }
        self.pace.limit_reached(&self.limits, self.elapsed, begun)
    }

    /// The time between two calls of `advance` does not count.
    pub fn pause(&mut self, begun: Instant) {
        self.elapsed += begun.elapsed();
    }

    pub fn outcome(&self) -> Outcome {
        let verdict = if !self.failures.is_empty() {
            Verdict::Violation
        } else if self.limit.is_some() {
            Verdict::Incomplete
        } else {
            Verdict::Complete
        };
        Outcome {
            verdict,
            limit: self.limit,
            counts: self.counts,
            failures: self.failures.clone(),
            failure_counts: self.failure_counts,
            // Stored states are distinct, and every reduction keeps the states where nothing is enabled.
            distinct_final_states: self.final_states.then_some(self.counts.executions),
            merged: None,
            sound: true,
        }
    }
}
