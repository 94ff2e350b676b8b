//! Certificates of violations: schedules that fail.

use crate::Rejection;
use crate::claims::{anywhere, read_failure};
use crate::execution::LONGEST;
use crate::format::In;
use crate::symbols::Steps;
use crate::verified::{Evidence, Proved, Verified};
use mazurka_core::{Describe, Effects, Failure, FailureKind, Pending};
use rustc_hash::FxHashSet;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Checks a certificate of a violation: every schedule can be run, and fails as it says.
pub(crate) fn violation<P: Describe + ?Sized, R: Read>(
    program: &P,
    deadlock_is_error: bool,
    algorithm: String,
    mut input: In<R>,
) -> Result<Verified, Rejection>
where
    P::State: Clone,
{
    let mut symbols = Steps::default();
    let (mut failures, mut known, mut steps) = (Vec::new(), FxHashSet::default(), 0);
    for number in 0..input.number()? {
        let claimed = read_failure(&mut input)?;
        steps += fails(program, deadlock_is_error, &claimed, &mut symbols, &mut input).map_err(|r| r.in_execution(number))?;
        if !known.insert(claimed.clone()) {
            return Err(Rejection::refused("it has a failure twice"));
        }
        failures.push(claimed);
    }
    input.end()?;
    if failures.is_empty() {
        return Err(Rejection::refused("it says that something fails, but not what"));
    }
    Ok(Verified {
        algorithm,
        ..Verified::new(Proved::Violation(failures), steps, Evidence::Run)
    })
}

/// Runs a schedule that must fail in its last step or at its end; its length.
fn fails<P: Describe + ?Sized, R: Read>(
    program: &P,
    deadlock_is_error: bool,
    claimed: &Failure,
    symbols: &mut Steps,
    input: &mut In<R>,
) -> Result<u64, Rejection> {
    let length = input.number()?;
    if length > LONGEST as u64 {
        return Err(Rejection::refused("a schedule in it is longer than this checker takes"));
    }
    let mut state = program.start();
    let mut pending: Vec<Pending> = Vec::new();
    let mut effects = Effects::default();
    for at in 1..=length {
        pending.clear();
        program.pending(&state, &mut pending);
        let transition = symbols.read(input, program, pending.iter().map(|p| p.transition.process))?;
        if !pending.iter().any(|p| p.enabled && p.transition == transition) {
            return Err(Rejection::refused("a step in it cannot be taken"));
        }
        effects.clear();
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| program.step(&mut state, transition, &mut effects))) {
            let said = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
            let said = said.or_else(|| payload.downcast_ref::<String>().cloned());
            let same = said.is_none_or(|said| said == claimed.message);
            if at == length && claimed.kind == FailureKind::Panic && same {
                return Ok(length);
            }
            return Err(Rejection::refused("a step panics"));
        }
    }
    let happened = effects.failure.take().map(anywhere);
    if happened.as_ref() == Some(claimed) && claimed.kind != FailureKind::Limit {
        return Ok(length);
    }
    pending.clear();
    program.pending(&state, &mut pending);
    let mut at_end = Vec::new();
    if !pending.iter().any(|p| p.enabled) {
        program.failures_at_end(&state, &mut at_end);
    }
    let is_error = deadlock_is_error || claimed.kind != FailureKind::Deadlock;
    if is_error && at_end.into_iter().map(anywhere).any(|failure| failure == *claimed) {
        Ok(length)
    } else {
        Err(Rejection::refused("a schedule does not fail as it says"))
    }
}
