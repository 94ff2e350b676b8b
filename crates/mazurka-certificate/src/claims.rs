//! What a certificate claims. The checker computes all of it again.

use crate::Rejection;
use crate::format::{In, Out};
use mazurka_core::{Failure, FailureKind, Position};
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

    /// Reads what is claimed, as far as it is this; what differs. Nothing is kept of it.
    pub(crate) fn difference<R: Read>(&self, input: &mut In<R>) -> Result<Option<String>, Rejection> {
        let numbers = [
            ("executions", self.executions),
            ("final states", self.final_states),
            ("deadlocks", self.deadlocks),
        ];
        for (what, found) in numbers {
            let claimed = input.number()?;
            if claimed != found {
                return Ok(Some(format!("it claims {claimed} {what}, and there are {found}")));
            }
        }
        let mut same = input.number()? == self.failures.len() as u64;
        for found in &self.failures {
            same = same && read_failure(input)? == *found;
        }
        Ok((!same).then(|| "it claims other failures than there are".to_owned()))
    }
}

/// What does not fit into memory is kept in files.
pub(crate) fn cannot_keep(error: std::io::Error) -> Rejection {
    Rejection::unreadable(format!("there is no room for what is needed to check it: {error}"))
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
