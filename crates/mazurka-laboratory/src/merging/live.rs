//! Merging of states that differ only in values that nobody can read any more.

use super::compare::same_as_plain;
use crate::seen::explore;
use mazurka_core::{Describe, Fingerprint, Observe, Options, Outcome, Program};
use rustc_hash::FxHashSet;

/// A state without the values that nobody can read any more, as a number; the whole state if that is not known.
pub fn live_part<P: Program>(program: &P, state: &P::State) -> Fingerprint {
    match program.insights().liveness {
        Some(liveness) => liveness.live_fingerprint(state),
        None => program.fingerprint(state),
    }
}

/// Runs a merging search that need not keep final shared values, and compares it with `ends`, the live parts of all final states: it comes
/// to each of them exactly once, and does what the plain algorithm does.
///
/// # Errors
/// What differs.
pub fn keeps_live_parts<P>(program: &P, options: &Options, ends: &FxHashSet<Fingerprint>) -> Result<Outcome, String>
where
    P: Describe,
    P::State: Clone,
{
    let options = options.clone().observe(Observe::Outcomes);
    let (seen, outcome) = explore(program, &options, live_part).map_err(|e| e.to_string())?;
    let lost = ends.difference(&seen.outcomes).count();
    if lost > 0 {
        return Err(format!("without final shared values it misses {lost} of {} ends", ends.len()));
    }
    if outcome.counts.executions != ends.len() as u64 {
        let executions = outcome.counts.executions;
        return Err(format!(
            "without final shared values there are {executions} executions for {} ends",
            ends.len()
        ));
    }
    same_as_plain(program, &options, &outcome, &seen.finals)?;
    Ok(outcome)
}
