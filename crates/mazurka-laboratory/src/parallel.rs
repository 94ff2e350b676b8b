//! A search by several workers against brute force.

use crate::enumerate::Truth;
use mazurka_core::{Algorithm, Crew, FailureKind, Features, Options, Order, Sharing, Status, Verdict, parallel_search};
use rustc_hash::FxHashSet;

/// Searches with as many workers and in the order that the seed says, and compares with what there is. The workers share everything, in most
/// runs: in programs as small as these they would hardly meet otherwise.
///
/// # Errors
/// What differs, in words.
pub fn check(crew: &Crew, features: Features, truth: &Truth, seed: u64) -> Result<(), String> {
    let (workers, sharing) = match seed % 8 {
        0 => (2, Sharing::OnDemand),
        n => (1 + n as usize % 4, Sharing::Always),
    };
    let order = if seed.is_multiple_of(3) { Order::Fifo } else { Order::Random(seed) };
    let algorithm = Algorithm::parse("optimal").map_err(|e| e.to_string())?;
    let mut options = Options::new(algorithm).order(order).keep_going(true).final_states(true);
    options.limits.executions = Some(truth.traces.len() as u64 * 2);
    let mut search = parallel_search(crew, features, &options, workers, sharing).map_err(|e| e.to_string())?;
    while search.advance([7, 100, 1 << 20][seed as usize % 3]) == Status::Running {}
    let outcome = search.outcome();
    let differs = |what: &str, found: u64, there: usize| match found == there as u64 {
        true => Ok(()),
        false => Err(format!("{workers} workers find {found} {what} where there are {there}")),
    };
    differs("traces", outcome.counts.executions, truth.traces.len())?;
    differs("deadlocks", outcome.counts.deadlocks, truth.deadlocked_traces)?;
    differs("blocked executions", outcome.counts.blocked, 0)?;
    differs("final states", outcome.distinct_final_states.unwrap_or(0), truth.finals.len())?;
    let failures = outcome.failures.iter().filter(|f| f.failure.kind != FailureKind::Deadlock);
    let failures: FxHashSet<_> = failures.map(|f| (f.failure.kind, f.failure.message.clone())).collect();
    if failures != truth.failures {
        return Err(format!("{workers} workers find {failures:?} where there are {:?}", truth.failures));
    }
    let fails = outcome.counts.deadlocks > 0 || !failures.is_empty();
    let expected = if fails { Verdict::Violation } else { Verdict::Complete };
    match outcome.verdict == expected && outcome.limit.is_none() {
        true => Ok(()),
        false => Err(format!("{workers} workers say {:?}, {:?}", outcome.verdict, outcome.limit)),
    }
}
