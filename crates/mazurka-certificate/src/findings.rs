//! What is found out about a program by running its executions.

use crate::Rejection;
use crate::claims::{Claims, cannot_keep, sorted};
use crate::distinct::Distinct;
use mazurka_core::{Failure, FailureKind, Fingerprint};
use rustc_hash::FxHashSet;

/// What the checker finds out by running a program.
pub(crate) struct Findings {
    deadlock_is_error: bool,
    executions: u64,
    deadlocks: u64,
    final_states: Distinct,
    failures: FxHashSet<Failure>,
}

impl Findings {
    pub fn new(deadlock_is_error: bool) -> Self {
        Findings {
            deadlock_is_error,
            executions: 0,
            deadlocks: 0,
            final_states: Distinct::new(),
            failures: FxHashSet::default(),
        }
    }

    /// What a step did.
    pub fn step(&mut self, failure: Option<&Failure>) -> Result<(), Rejection> {
        let Some(failure) = failure else { return Ok(()) };
        match failure.kind {
            FailureKind::Limit => return Err(Rejection::refused("a step is larger than this tool takes")),
            FailureKind::Panic => return Err(Rejection::refused("a step panics, and what could follow it is not known")),
            _ => {}
        }
        if !self.failures.contains(failure) {
            self.failures.insert(failure.clone());
        }
        Ok(())
    }

    /// An execution that ends in this state, with what is wrong there.
    pub fn end(&mut self, state: Fingerprint, failures: &[Failure]) -> Result<(), Rejection> {
        self.executions += 1;
        self.final_states.insert(state).map_err(cannot_keep)?;
        self.deadlocks += u64::from(failures.iter().any(|f| f.kind == FailureKind::Deadlock));
        let is_error = |f: &&Failure| self.deadlock_is_error || f.kind != FailureKind::Deadlock;
        let errors: Vec<&Failure> = failures.iter().filter(is_error).collect();
        errors.into_iter().try_for_each(|failure| self.step(Some(failure)))
    }

    /// What another one found out about other executions, too.
    pub fn add(&mut self, other: Findings) -> Result<(), Rejection> {
        self.executions += other.executions;
        self.deadlocks += other.deadlocks;
        self.failures.extend(other.failures);
        self.final_states.add(other.final_states).map_err(cannot_keep)
    }

    pub fn claims(self) -> Result<Claims, Rejection> {
        Ok(Claims {
            executions: self.executions,
            final_states: self.final_states.count().map_err(cannot_keep)?,
            deadlocks: self.deadlocks,
            failures: sorted(self.failures.into_iter().collect()),
        })
    }
}
