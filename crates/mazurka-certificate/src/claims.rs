//! What a certificate claims. The checker computes all of it again.

use crate::Rejection;
use crate::format::{In, Out};
use mazurka_core::{Failure, FailureKind, Fingerprint, Position};
use rustc_hash::FxHashSet;
use std::io::{Read, Write};

/// What there is to say about all executions of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Claims {
    /// How many there are, up to the order of independent steps.
    pub executions: u64,
    /// In how many different states they end.
    pub final_states: u64,
    /// How many of them end with processes that wait for ever.
    pub deadlocks: u64,
    /// Everything that goes wrong in one of them, in the order of kind, message and place.
    pub failures: Vec<Failure>,
}

impl Claims {
    /// The same with the failures in the order of certificates.
    pub(crate) fn in_order(&self) -> Claims {
        Claims {
            failures: sorted(self.failures.clone()),
            ..self.clone()
        }
    }

    pub(crate) fn write<W: Write>(&self, out: &mut Out<W>) -> std::io::Result<()> {
        out.number(self.executions)?;
        out.number(self.final_states)?;
        out.number(self.deadlocks)?;
        out.number(self.failures.len() as u64)?;
        self.failures.iter().try_for_each(|failure| write_failure(failure, out))
    }

    pub(crate) fn read<R: Read>(input: &mut In<R>) -> Result<Self, Rejection> {
        let mut claims = Claims {
            executions: input.number()?,
            final_states: input.number()?,
            deadlocks: input.number()?,
            failures: Vec::new(),
        };
        for _ in 0..input.number()? {
            claims.failures.push(read_failure(input)?);
        }
        Ok(claims)
    }

    /// What differs from what was found.
    pub(crate) fn difference(&self, found: &Claims) -> Option<String> {
        let numbers = [
            ("executions", self.executions, found.executions),
            ("final states", self.final_states, found.final_states),
            ("deadlocks", self.deadlocks, found.deadlocks),
        ];
        for (what, claimed, found) in numbers {
            if claimed != found {
                return Some(format!("it claims {claimed} {what}, and there are {found}"));
            }
        }
        (self.failures != found.failures).then(|| "it claims other failures than there are".to_owned())
    }
}

/// What the checker finds out by running a program.
pub(crate) struct Findings {
    deadlock_is_error: bool,
    executions: u64,
    deadlocks: u64,
    final_states: FxHashSet<Fingerprint>,
    failures: FxHashSet<Failure>,
}

impl Findings {
    pub fn new(deadlock_is_error: bool) -> Self {
        Findings {
            deadlock_is_error,
            executions: 0,
            deadlocks: 0,
            final_states: FxHashSet::default(),
            failures: FxHashSet::default(),
        }
    }

    /// How many executions have ended.
    pub fn executions(&self) -> u64 {
        self.executions
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
        self.final_states.insert(state);
        self.deadlocks += u64::from(failures.iter().any(|f| f.kind == FailureKind::Deadlock));
        let is_error = |f: &&Failure| self.deadlock_is_error || f.kind != FailureKind::Deadlock;
        let errors: Vec<&Failure> = failures.iter().filter(is_error).collect();
        errors.into_iter().try_for_each(|failure| self.step(Some(failure)))
    }

    pub fn claims(self) -> Claims {
        Claims {
            executions: self.executions,
            final_states: self.final_states.len() as u64,
            deadlocks: self.deadlocks,
            failures: sorted(self.failures.into_iter().collect()),
        }
    }
}

/// A failure without the directory that its file is in: the same file may be named in several ways.
pub(crate) fn anywhere(mut failure: Failure) -> Failure {
    if let Some(at) = &mut failure.at
        && let Some(slash) = at.file.rfind(['/', '\\'])
    {
        at.file.drain(..=slash);
    }
    failure
}

/// Puts failures into an order that does not depend on the search, each once.
pub(crate) fn sorted(failures: Vec<Failure>) -> Vec<Failure> {
    let mut failures: Vec<Failure> = failures.into_iter().map(anywhere).collect();
    failures.sort_by_cached_key(|f| (f.kind, f.message.clone(), f.at.as_ref().map(ToString::to_string)));
    failures.dedup();
    failures
}

pub(crate) fn write_failure<W: Write>(failure: &Failure, out: &mut Out<W>) -> std::io::Result<()> {
    out.number(failure.kind as u64)?;
    out.text(&failure.message)?;
    match &failure.at {
        None => out.number(0),
        Some(at) => {
            out.number(1)?;
            out.text(&at.file)?;
            out.number(u64::from(at.line))?;
            out.number(u64::from(at.column))
        }
    }
}

pub(crate) fn read_failure<R: Read>(input: &mut In<R>) -> Result<Failure, Rejection> {
    let kind = input.number()?;
    let kind = FailureKind::ALL.into_iter().find(|k| *k as u64 == kind);
    let kind = kind.ok_or_else(|| Rejection::unreadable("it has a kind of failure that does not exist"))?;
    let message = input.text()?;
    let at = match input.number()? {
        0 => None,
        1 => Some(Position {
            file: input.text()?,
            line: input.small()?,
            column: input.small()?,
        }),
        _ => return Err(Rejection::unreadable("the place of a failure is garbled")),
    };
    Ok(Failure { kind, message, at })
}
