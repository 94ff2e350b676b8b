//! What was found against what there is.

use crate::claims::Claims;
use crate::enumerate::Truth;
use crate::seen::Seen;
use mazurka_core::{FailureKind, Order};
use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, Hash};

/// How an algorithm and brute force differ on a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The algorithm.
    pub algorithm: String,
    /// In which order it tried the processes.
    pub order: Order,
    /// What differs.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.algorithm, order_name(self.order), self.what)
    }
}

/// An order as the command line spells it.
pub(crate) fn order_name(order: Order) -> String {
    match order {
        Order::Fifo => "fifo".into(),
        Order::Eca => "eca".into(),
        Order::Lca => "lca".into(),
        Order::Stable => "stable".into(),
        Order::Random(seed) => format!("random:{seed}"),
    }
}

/// The failures with the part of their messages that says which values were met left out.
fn without_values<S>(failures: &HashSet<(FailureKind, String), S>) -> HashSet<(FailureKind, &str)> {
    let place = |message: &'_ str| message.split(", but ").next().map_or(0, str::len);
    failures.iter().map(|(kind, message)| (*kind, &message[..place(message)])).collect()
}

/// The first of the claims that does not hold.
///
/// # Errors
/// What differs, in words.
pub fn compare(truth: &Truth, seen: &Seen, claims: Claims) -> Result<(), String> {
    fn missing<T: Hash + Eq, S: BuildHasher, R: BuildHasher>(what: &str, all: &HashSet<T, S>, found: &HashSet<T, R>) -> Result<(), String> {
        let lost = all.iter().filter(|x| !found.contains(x)).count();
        if lost > 0 {
            Err(format!("misses {lost} of {} {what}", all.len()))
        } else {
            Ok(())
        }
    }
    fn invented<T: Hash + Eq, S: BuildHasher, R: BuildHasher>(
        what: &str,
        all: &HashSet<T, S>,
        found: &HashSet<T, R>,
    ) -> Result<(), String> {
        let extra = found.iter().filter(|x| !all.contains(x)).count();
        if extra > 0 {
            Err(format!("reports {extra} {what} that do not exist"))
        } else {
            Ok(())
        }
    }
    if claims.failures && claims.failure_values {
        missing("failures", &truth.failures, &seen.failures)?;
    } else if claims.failures {
        missing("failures", &without_values(&truth.failures), &without_values(&seen.failures))?;
    }
    invented("failures", &truth.failures, &seen.failures)?;
    invented("final states", &truth.finals, &seen.finals)?;
    invented("deadlocks", &truth.deadlocks, &seen.deadlocks)?;
    if claims.finals {
        missing("final states", &truth.finals, &seen.finals)?;
        missing("deadlocks", &truth.deadlocks, &seen.deadlocks)?;
    }
    if claims.outcomes {
        missing("outcomes", &truth.outcomes, &seen.outcomes)?;
    }
    if !truth.deadlocks.is_empty() && seen.deadlocks.is_empty() {
        return Err("misses all deadlocks".into());
    }
    let lost = truth.traces.iter().filter(|t| !seen.traces.contains_key(t)).count();
    if claims.traces && lost > 0 {
        return Err(format!("misses {lost} of {} traces", truth.traces.len()));
    }
    let extra = seen.traces.keys().filter(|t| !truth.traces.contains(t)).count();
    if extra > 0 {
        return Err(format!("explores {extra} executions of traces that do not exist"));
    }
    let twice = seen.traces.values().filter(|n| **n > 1).count();
    if claims.once && twice > 0 {
        return Err(format!("explores {twice} of {} traces more than once", truth.traces.len()));
    }
    let recorded: u64 = seen.traces.values().map(|n| u64::from(*n)).sum();
    if recorded != seen.counts.executions {
        return Err(format!("counts {} executions but completed {recorded}", seen.counts.executions));
    }
    if let Some(Err(what)) = &seen.certificate {
        return Err(what.clone());
    }
    if claims.interleavings && u128::from(recorded) != truth.interleavings {
        return Err(format!(
            "explores {recorded} executions, but there are {} interleavings",
            truth.interleavings
        ));
    }
    if claims.unblocked && seen.counts.blocked > 0 {
        return Err(format!("abandons {} executions because everything sleeps", seen.counts.blocked));
    }
    if claims.one_per_final && recorded != truth.finals.len() as u64 {
        return Err(format!("explores {recorded} executions for {} final states", truth.finals.len()));
    }
    Ok(())
}
