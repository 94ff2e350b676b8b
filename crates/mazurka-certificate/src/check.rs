//! Checking what a search did without a file, for tests of searches: the certificate is written with whatever it must claim to be accepted.

use crate::claims::Claims;
use crate::closed::complete;
use crate::format::In;
use crate::verified::{Claimed, Verified};
use crate::verify::header;
use crate::workers::Workers;
use crate::write::{StatesWriter, Subject, Writer};
use crate::{Proved, Rejection};
use mazurka_core::{Describe, Graph, Transition};

const SUBJECT: Subject = Subject {
    version: String::new(),
    digest: 0,
};

/// Whether these are all executions of a program, as [`verify`](crate::verify) finds out, without a file and without claims: what there is
/// to say about them. They must be in the order of a search that goes through a tree.
///
/// # Errors
/// Why they are not.
pub fn check_executions<P>(program: &P, deadlock_is_error: bool, executions: &[Vec<Transition>]) -> Result<Claims, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let bytes = written(program, Writer::new(Vec::new(), &SUBJECT, ""), executions)?;
    let mut input = In::new(&bytes[..]);
    header(&mut input, &SUBJECT)?;
    found(complete(program, deadlock_is_error, Workers::One, &mut input, Claimed::Nothing)?)
}

/// The same for the executions of a search that merges, those that were cut or blocked among them.
///
/// # Errors
/// Why something may be missing.
pub fn check_merged<P>(program: &P, deadlock_is_error: bool, executions: &[Vec<Transition>]) -> Result<Claims, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let bytes = written(program, Writer::merging(Vec::new(), &SUBJECT, ""), executions)?;
    let mut input = In::new(&bytes[..]);
    header(&mut input, &SUBJECT)?;
    found(crate::merging::merged(program, deadlock_is_error, &mut input, Claimed::Nothing)?)
}

/// The same for a search that stores states, and for each, in its order, the numbers of the successors that it explored, and how many
/// there are.
///
/// # Errors
/// Why something may be missing.
pub fn check_states(graph: Box<dyn Graph + '_>, deadlock_is_error: bool, explored: &[(Vec<u32>, usize)]) -> Result<Claims, Rejection> {
    let written = StatesWriter::new(Vec::new(), &SUBJECT, "").and_then(|mut writer| {
        explored.iter().try_for_each(|(chosen, all)| writer.state(chosen, *all))?;
        writer.finish(&Claims::default())
    });
    let bytes = written.map_err(|e| Rejection::unreadable(e.to_string()))?;
    let mut input = In::new(&bytes[..]);
    header(&mut input, &SUBJECT)?;
    found(crate::states::closed(graph, deadlock_is_error, &mut input, Claimed::Nothing)?)
}

fn written<P>(program: &P, writer: std::io::Result<Writer<Vec<u8>>>, executions: &[Vec<Transition>]) -> Result<Vec<u8>, Rejection>
where
    P: Describe + ?Sized,
{
    let key = |t: Transition| program.process_key(t.process);
    let written = writer.and_then(|mut writer| {
        executions.iter().try_for_each(|schedule| writer.execution(schedule, &key))?;
        writer.finish(&Claims::default())
    });
    written.map_err(|e| Rejection::unreadable(e.to_string()))
}

fn found(verified: Verified) -> Result<Claims, Rejection> {
    match verified.proved {
        Proved::Complete(claims) => Ok(claims),
        Proved::Violation(_) => Err(Rejection::refused("it is of another kind")),
    }
}
