//! Checking a certificate: what it is for, and which of the kinds of proofs it is.

use crate::Rejection;
use crate::closed::complete;
use crate::compressed::Plain;
use crate::format::{In, MAGIC};
use crate::verified::{Claimed, Verified};
use crate::workers::Workers;
use crate::write::{Kind, Subject};
use mazurka_core::{AnyProgram, Describe, Graph};
use std::io::{BufReader, Read};

/// Checks a certificate. `deadlock_is_error` says whether processes that wait for ever at the end are a failure.
///
/// # Errors
/// Why it proves nothing about this program.
pub fn verify(
    program: &dyn AnyProgram,
    subject: &Subject,
    deadlock_is_error: bool,
    workers: Workers<'_>,
    certificate: impl Read + Send,
) -> Result<Verified, Rejection> {
    with_states(program, &|| Some(program.graph()), subject, deadlock_is_error, workers, certificate)
}

/// The same for a program whose type is known, compiled where it is called.
///
/// # Errors
/// Why it proves nothing about this program.
pub fn verify_typed<P>(
    program: &P,
    subject: &Subject,
    deadlock_is_error: bool,
    certificate: impl Read + Send,
) -> Result<Verified, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    with_states(program, &|| None, subject, deadlock_is_error, Workers::One, certificate)
}

fn with_states<'g, P>(
    program: &P,
    graph: &dyn Fn() -> Option<Box<dyn Graph + 'g>>,
    subject: &Subject,
    deadlock_is_error: bool,
    workers: Workers<'_>,
    certificate: impl Read + Send,
) -> Result<Verified, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let plain = Plain::of(certificate).map_err(|error| Rejection::unreadable(format!("cannot read it: {error}")))?;
    let mut input = In::new(BufReader::new(plain));
    let (algorithm, kind) = header(&mut input, subject)?;
    if kind == Kind::Failures {
        return crate::schedules::violation(program, deadlock_is_error, algorithm, input);
    }
    let mut found = match kind {
        Kind::Merged => crate::merging::merged(program, deadlock_is_error, &mut input, Claimed::Everything)?,
        Kind::States => {
            let graph = graph().ok_or_else(|| Rejection::refused("nothing is known of the states of this program"))?;
            crate::states::closed(graph, deadlock_is_error, &mut input, Claimed::Everything)?
        }
        _ => complete(program, deadlock_is_error, workers, &mut input, Claimed::Everything)?,
    };
    found.algorithm = algorithm;
    Ok(found)
}

/// Reads what the certificate is for, and compares.
pub(crate) fn header<R: Read>(input: &mut In<R>, subject: &Subject) -> Result<(String, Kind), Rejection> {
    let mut magic = [0; MAGIC.len()];
    let read = input.bytes(&mut magic);
    if read.is_err() || magic != *MAGIC {
        return Err(Rejection::unreadable("it is no certificate of this version of the format"));
    }
    let version = input.text()?;
    if version != subject.version {
        let shown: String = version.chars().filter(|c| !c.is_control()).take(40).collect();
        return Err(Rejection::unreadable(format!(
            "it was written by version {shown} of the tool, and this is version {}",
            subject.version
        )));
    }
    let mut digest = [0; 16];
    input.bytes(&mut digest)?;
    if u128::from_le_bytes(digest) != subject.digest {
        return Err(Rejection::unreadable("it is for another program, or for other options"));
    }
    let algorithm = input.text()?;
    let kind = match input.number()? {
        1 => Kind::Executions,
        2 => Kind::Failures,
        3 => Kind::Merged,
        4 => Kind::States,
        _ => return Err(Rejection::unreadable("it is of a kind that does not exist")),
    };
    Ok((algorithm, kind))
}
