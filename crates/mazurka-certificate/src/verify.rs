//! Checking a certificate.
//!
//! The first pass reads it and runs every step of the tree once: enabled, not asleep, within the laws; what is maximal, fails or is
//! a final state is found out here. The second one looks for the reversals of each execution in the tree.

use crate::Rejection;
use crate::actions::Actions;
use crate::claims::{Claims, sorted};
use crate::execution::{Execution, Numbers};
use crate::format::{In, MAGIC};
use crate::laws::Laws;
use crate::reversals::Scratch;
use crate::schedules::Symbols;
use crate::tree::Tree;
use crate::write::{Kind, Subject, Writer};
use mazurka_core::{AnyProgram, Describe, Failure, FailureKind, Transition};
use rustc_hash::FxHashSet;
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
    /// The reversals that were looked for, and found.
    pub reversals: u64,
    /// The pairs of independent neighbours that were swapped.
    pub swapped: u64,
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
    verify_typed(program, subject, deadlock_is_error, certificate)
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
    let mut input = In::new(certificate);
    let (algorithm, kind) = header(&mut input, subject)?;
    match kind {
        Kind::Executions => complete(program, deadlock_is_error, algorithm, input),
        Kind::Failures => crate::schedules::violation(program, deadlock_is_error, algorithm, input),
    }
}

/// Whether these are all executions of a program, as [`verify`] finds out, without a file and without claims: what there is to say about
/// them. They must be in the order of a search that goes through a tree.
///
/// # Errors
/// Why they are not.
pub fn check_executions<P>(program: &P, deadlock_is_error: bool, executions: &[Vec<Transition>]) -> Result<Claims, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let subject = Subject {
        version: String::new(),
        digest: 0,
    };
    let key = |t: Transition| program.process_key(t.process);
    let written = Writer::new(Vec::new(), &subject, "").and_then(|mut writer| {
        executions.iter().try_for_each(|schedule| writer.execution(schedule, &key))?;
        writer.finish(&Claims::default())
    });
    let bytes = written.map_err(|e| Rejection::unreadable(e.to_string()))?;
    let mut input = In::new(&bytes[..]);
    header(&mut input, &subject)?;
    let mut actions = Actions::default();
    let (tree, found) = run(program, deadlock_is_error, &mut actions, &mut Laws::new(), &mut input)?;
    close(program, &tree, &actions)?;
    Ok(found)
}

/// Reads what the certificate is for, and compares.
fn header<R: Read>(input: &mut In<R>, subject: &Subject) -> Result<(String, Kind), Rejection> {
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
        _ => return Err(Rejection::unreadable("it is of a kind that does not exist")),
    };
    Ok((algorithm, kind))
}

fn complete<P, R: Read>(program: &P, deadlock_is_error: bool, algorithm: String, mut input: In<R>) -> Result<Verified, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    if !program.features().static_footprints {
        return Err(Rejection::refused(
            "the footprints of this program are not static, and the theorem needs that",
        ));
    }
    let mut actions = Actions::default();
    let mut laws = Laws::new();
    let (tree, found) = run(program, deadlock_is_error, &mut actions, &mut laws, &mut input)?;
    let claims = Claims::read(&mut input)?;
    input.end()?;
    if let Some(difference) = claims.difference(&found) {
        return Err(Rejection::refused(difference));
    }
    let reversals = close(program, &tree, &actions)?;
    Ok(Verified {
        algorithm,
        proved: Proved::Complete(found),
        steps: tree.steps(),
        reversals,
        swapped: laws.swapped,
    })
}

/// The first pass: the tree, and what is to be said about its executions.
fn run<P, R: Read>(
    program: &P,
    deadlock_is_error: bool,
    actions: &mut Actions,
    laws: &mut Laws<P::State>,
    input: &mut In<R>,
) -> Result<(Tree, Claims), Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let mut tree = Tree::new();
    let mut symbols = Symbols::default();
    let mut claims = Claims::default();
    let mut failures: FxHashSet<Failure> = FxHashSet::default();
    let mut final_states = FxHashSet::default();
    let mut at_end = Vec::new();
    let mut execution = Execution::new(program, &mut Numbers::Growing(actions))?;
    while let Some(back) = input.number()?.checked_sub(1) {
        if back > execution.depth() as u64 || (back == 0 && claims.executions > 0) {
            return Err(Rejection::unreadable("its executions are not in the order of a tree"));
        }
        for _ in 0..back {
            execution.leave(None, actions);
            tree.pop();
        }
        for _ in 0..input.number()? {
            let transition = symbols.read(input, program, &execution, actions)?;
            let action = execution.offered(transition, actions);
            let action = action.ok_or_else(|| Rejection::refused("a step in it cannot be taken").in_execution(claims.executions))?;
            let node = tree.push(action)?;
            let mut numbers = Numbers::Growing(actions);
            let taken = execution.arrive(action, node, &mut numbers, true);
            taken
                .and_then(|()| laws.check(&execution, actions))
                .map_err(|r| r.in_execution(claims.executions))?;
            note(execution.events()[execution.depth() - 1].failure.as_ref(), &mut failures)?;
        }
        if execution.top().offers.iter().any(|o| o.enabled) {
            return Err(Rejection::refused("it ends although it could go on").in_execution(claims.executions));
        }
        let state = &execution.top().state;
        at_end.clear();
        program.failures_at_end(state, &mut at_end);
        final_states.insert(program.fingerprint(state));
        claims.executions += 1;
        claims.deadlocks += u64::from(at_end.iter().any(|f| f.kind == FailureKind::Deadlock));
        for failure in at_end.iter().filter(|f| deadlock_is_error || f.kind != FailureKind::Deadlock) {
            note(Some(failure), &mut failures)?;
        }
    }
    if claims.executions == 0 {
        return Err(Rejection::refused("it has no execution"));
    }
    tree.close();
    claims.final_states = final_states.len() as u64;
    claims.failures = sorted(failures.into_iter().collect());
    Ok((tree, claims))
}

fn note(failure: Option<&Failure>, failures: &mut FxHashSet<Failure>) -> Result<(), Rejection> {
    let Some(failure) = failure else { return Ok(()) };
    if failure.kind == FailureKind::Limit {
        return Err(Rejection::refused("a step is larger than this tool takes"));
    }
    if !failures.contains(failure) {
        failures.insert(failure.clone());
    }
    Ok(())
}

/// The second pass: how many reversals there are. In the proofs: `closed`.
fn close<P>(program: &P, tree: &Tree, actions: &Actions) -> Result<u64, Rejection>
where
    P: Describe + ?Sized,
    P::State: Clone,
{
    let mut scratch = Scratch::default();
    let mut numbers = Numbers::Known(actions);
    let mut execution = Execution::new(program, &mut numbers)?;
    for (leaf, number) in (0..tree.end(0)).filter(|node| tree.is_leaf(*node)).zip(0..) {
        let step = execution.go_to(leaf, tree, &mut numbers);
        step.and_then(|()| execution.is_closed(tree, actions, &mut scratch))
            .map_err(|r| r.in_execution(number))?;
    }
    Ok(scratch.reversals)
}
