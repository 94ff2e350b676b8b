//! Checking a certificate: what it is for, and which of the kinds of proofs it is.

use crate::Rejection;
use crate::closed::complete;
use crate::format::{In, MAGIC};
use crate::part::{Copied, Part};
use crate::verified::{Claimed, Verified};
use crate::write::{Kind, Subject};
use mazurka_core::{AnyProgram, Describe, Graph};
use std::io::Read;

/// Checks a certificate. `deadlock_is_error` says whether processes that wait for ever at the end are a failure.
///
/// # Errors
/// Why it proves nothing about this program.
pub fn verify(
    program: &dyn AnyProgram,
    subject: &Subject,
    deadlock_is_error: bool,
    certificate: &mut dyn Read,
) -> Result<Verified, Rejection> {
    with_states(
        program,
        &|| Some(program.graph()),
        subject,
        deadlock_is_error,
        Part::WHOLE,
        certificate,
    )
}

/// Checks one part of a certificate; it proves something if all its parts are accepted, each with a program of its own. Every part reads and runs
/// all executions, and looks for the reversals and at the neighbours of some. Certificates of other kinds are not divided: their first part is
/// everything, and the others come back with nothing done.
///
/// # Errors
/// Why it proves nothing about this program.
pub fn verify_part(
    program: &dyn AnyProgram,
    subject: &Subject,
    deadlock_is_error: bool,
    part: Part,
    certificate: &mut dyn Read,
) -> Result<Option<Verified>, Rejection> {
    let mut begin = Vec::new();
    if part.nth > 0 {
        // The header is read twice: it says whether there is anything to do.
        let mut input = In::new(Copied {
            from: &mut *certificate,
            into: &mut begin,
        });
        if header(&mut input, subject)?.1 != Kind::Executions {
            return Ok(None);
        }
    }
    let graph = || Some(program.graph());
    with_states(
        program,
        &graph,
        subject,
        deadlock_is_error,
        part,
        begin.as_slice().chain(certificate),
    )
    .map(Some)
}

/// The same for a program whose type is known, compiled where it is called.
///
/// # Errors
/// Why it proves nothing about this program.
pub fn verify_typed<P>(program: &P, subject: &Subject, deadlock_is_error: bool, certificate: impl Read) -> Result<Verified, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    with_states(program, &|| None, subject, deadlock_is_error, Part::WHOLE, certificate)
}

fn with_states<'g, P>(
    program: &P,
    graph: &dyn Fn() -> Option<Box<dyn Graph + 'g>>,
    subject: &Subject,
    deadlock_is_error: bool,
    part: Part,
    certificate: impl Read,
) -> Result<Verified, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let mut input = In::new(certificate);
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
        _ => complete(program, deadlock_is_error, part, &mut input, Claimed::Everything)?,
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
