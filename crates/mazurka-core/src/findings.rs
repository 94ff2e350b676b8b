//! What a search collects on its way: failures, final states, the limit that ended it.

use crate::outcome::{Counts, Failure, FailureKind, FoundFailure, Limit, Outcome, Verdict};
use crate::program::{Fingerprint, Transition};
use crate::search::Options;
use rustc_hash::FxHashSet;

/// The findings of one search.
pub(crate) struct Findings {
    pub limit: Option<Limit>,
    sound: bool,
    deadlock_is_error: bool,
    final_states: Option<FxHashSet<Fingerprint>>,
    failures: Vec<FoundFailure>,
    failure_counts: [u64; FailureKind::ALL.len()],
}

impl Findings {
    /// Nothing yet.
    pub fn new(options: &Options) -> Self {
        Findings {
            limit: None,
            sound: options.algorithm.about().sound,
            deadlock_is_error: options.deadlock_is_error,
            final_states: options.final_states.then(FxHashSet::default),
            failures: Vec::new(),
            failure_counts: [0; FailureKind::ALL.len()],
        }
    }

    /// Notes a failure and returns true if it counts as one.
    pub fn fail(&mut self, failure: Failure, schedule: &[Transition], after_executions: u64) -> bool {
        if failure.kind == FailureKind::Deadlock && !self.deadlock_is_error {
            return false;
        }
        self.failure_counts[failure.kind as usize] += 1;
        if self.failures.iter().all(|f| f.failure != failure) {
            self.failures.push(FoundFailure {
                failure,
                schedule: schedule.to_vec(),
                after_executions,
            });
        }
        true
    }

    /// Notes a final state, if they are to be counted.
    pub fn end(&mut self, state: impl FnOnce() -> Fingerprint) {
        if let Some(states) = &mut self.final_states {
            states.insert(state());
        }
    }

    /// Everything so far.
    pub fn outcome(&self, counts: Counts, done: bool) -> Outcome {
        let verdict = match (self.failures.is_empty(), self.limit) {
            (false, _) => Verdict::Violation,
            (true, None) if done => Verdict::Complete,
            _ => Verdict::Incomplete,
        };
        Outcome {
            verdict,
            limit: self.limit,
            counts,
            failures: self.failures.clone(),
            failure_counts: self.failure_counts,
            distinct_final_states: self.final_states.as_ref().map(|s| s.len() as u64),
            merged: None,
            sound: self.sound,
        }
    }
}
