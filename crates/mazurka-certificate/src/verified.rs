//! What a certificate was found to prove.

use crate::Rejection;
use crate::claims::Claims;
use crate::format::In;
use mazurka_core::Failure;
use std::io::Read;

/// What was found out about a program, and need not be believed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Verified {
    /// What the certificate says about its origin.
    pub algorithm: String,
    /// What is proved.
    pub proved: Proved,
    /// The steps that were run, those of the laws and of tests aside.
    pub steps: u64,
    /// What shows that nothing is missing.
    pub evidence: Evidence,
    /// The pairs of independent neighbours that were swapped.
    pub swapped: u64,
}

impl Verified {
    pub(crate) fn new(proved: Proved, steps: u64, evidence: Evidence) -> Self {
        Verified {
            algorithm: String::new(),
            proved,
            steps,
            evidence,
            swapped: 0,
        }
    }
}

/// What shows that nothing is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Evidence {
    /// A set of executions that is closed under reversals.
    Closed {
        /// The reversals that were looked for, and found.
        reversals: u64,
    },
    /// States that are explored as far as the races below them demand.
    Merged {
        /// The states.
        states: u64,
        /// The demands that races made, and that were met.
        demands: u64,
    },
    /// A closed set of states.
    States {
        /// The states.
        states: u64,
        /// Those of which not every successor is needed.
        reduced: u64,
    },
    /// Schedules were run.
    Run,
}

/// What a certificate proves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Proved {
    /// These are all executions, and this is what there is to say about them.
    Complete(Claims),
    /// These failures happen.
    Violation(Vec<Failure>),
}

/// Whether what a certificate claims must be so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claimed {
    Everything,
    /// What it says is not looked at: what is found counts.
    Nothing,
}

impl Claimed {
    /// Reads the claims at the end, and compares them with what was found.
    pub fn compare<R: Read>(self, input: &mut In<R>, found: Claims) -> Result<Proved, Rejection> {
        if self == Claimed::Everything {
            if let Some(difference) = found.difference(input)? {
                return Err(Rejection::refused(difference));
            }
            input.end()?;
        }
        Ok(Proved::Complete(found))
    }
}
