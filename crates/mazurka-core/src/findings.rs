//! What a search collects on its way: failures, final states, the limit that ended it.

use crate::outcome::{Counts, Failure, FailureKind, FoundFailure, Limit, Outcome, Verdict};
use crate::program::{Fingerprint, Transition};
use crate::search::Options;
use rustc_hash::FxHashSet;

/// The findings of one search.
pub(crate) struct Findings {
    pub limit: Option<Limit>,
    pub(crate) large_step: Option<Failure>,
    /// Go on after the first failure.
    pub keep_going: bool,
    sound: bool,
    deadlock_is_error: bool,
    pub(crate) final_states: Option<FxHashSet<Fingerprint>>,
    pub(crate) failures: Vec<FoundFailure>,
    pub(crate) failure_counts: [u64; FailureKind::ALL.len()],
}

impl Findings {
    /// Nothing yet.
    pub fn new(options: &Options) -> Self {
        Findings {
            limit: None,
            large_step: None,
            keep_going: options.keep_going,
            sound: options.algorithm.about().sound,
            deadlock_is_error: options.deadlock_is_error,
            final_states: options.final_states.then(FxHashSet::default),
            failures: Vec::new(),
            failure_counts: [0; FailureKind::ALL.len()],
        }
    }

    /// Those of another worker of the same search, who has found nothing yet.
    pub fn empty(&self) -> Self {
        Findings {
            limit: None,
            large_step: None,
            final_states: self.final_states.as_ref().map(|_| FxHashSet::default()),
            failures: Vec::new(),
            failure_counts: [0; FailureKind::ALL.len()],
            ..*self
        }
    }

    /// Whether it is one that the user wants to hear of.
    pub fn is_error(&self, failure: &Failure) -> bool {
        self.deadlock_is_error || failure.kind != FailureKind::Deadlock
    }

    /// Notes a failure, if it counts as one; true if it ends the search.
    pub fn fail(&mut self, failure: Failure, after_executions: u64, schedule: impl FnOnce() -> Vec<Transition>) -> bool {
        if failure.kind == FailureKind::Limit {
            self.limit = Some(Limit::Step);
            self.large_step = Some(failure);
            return true;
        }
        if !self.is_error(&failure) {
            return false;
        }
        self.failure_counts[failure.kind as usize] += 1;
        if self.failures.iter().all(|f| f.failure != failure) {
            self.failures.push(FoundFailure {
                failure,
                schedule: schedule(),
                repeats: None,
                after_executions,
            });
        }
        !self.keep_going
    }

    /// Notes an execution that violates a property by repeating all but its first `repeats` steps for ever.
    pub fn fail_for_ever(&mut self, failure: Failure, after_executions: u64, schedule: Vec<Transition>, repeats: usize) {
        self.failure_counts[failure.kind as usize] += 1;
        self.failures.push(FoundFailure {
            failure,
            schedule,
            repeats: Some(repeats),
            after_executions,
        });
    }

    /// Notes a final state, if they are to be counted.
    pub fn end(&mut self, state: impl FnOnce() -> Fingerprint) {
        if let Some(states) = &mut self.final_states {
            states.insert(state());
        }
    }

    /// Whether nothing more is to be looked for.
    pub fn end_the_search(&self) -> bool {
        let failed = !self.keep_going && !self.failures.is_empty();
        failed || matches!(self.limit, Some(Limit::Step | Limit::Executions))
    }

    /// Adds what another worker has found. Of failures that both have found, the one with the shorter schedule is kept.
    pub fn join(&mut self, other: &Findings) {
        self.limit = other
            .limit
            .filter(|_| self.limit.is_none_or(|limit| limit == Limit::Depth))
            .or(self.limit);
        self.large_step = self.large_step.take().or_else(|| other.large_step.clone());
        if let (Some(states), Some(others)) = (&mut self.final_states, &other.final_states) {
            states.extend(others);
        }
        for (count, more) in self.failure_counts.iter_mut().zip(other.failure_counts) {
            *count += more;
        }
        for found in &other.failures {
            match self.failures.iter_mut().find(|f| f.failure == found.failure) {
                None => self.failures.push(found.clone()),
                Some(known) if found.schedule.len() < known.schedule.len() => *known = found.clone(),
                Some(_) => {}
            }
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
            large_step: self.large_step.clone(),
            counts,
            ended_by_failure: verdict == Verdict::Violation && !self.keep_going,
            failures: self.failures.clone(),
            failure_counts: self.failure_counts,
            distinct_final_states: self.final_states.as_ref().map(|s| s.len() as u64),
            merged: None,
            sampled: None,
            bounded: None,
            sound: self.sound,
        }
    }
}
