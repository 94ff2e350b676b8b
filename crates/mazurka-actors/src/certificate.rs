//! `system.check().verified()`: a verdict that nobody has to believe.

use crate::system::System;
use mazurka_certificate::{Claims, Proved, Subject, Writer, digest, verify_typed, write_violation};
use mazurka_core::{Covers, Describe, Ending, FailureKind, Observe, Observer, Options, Outcome, Transition};
use mazurka_report::units::counted;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

/// Whether the environment asks for proofs.
pub(crate) fn is_asked_for() -> bool {
    std::env::var_os("MAZURKA_VERIFY").is_some_and(|value| !value.is_empty() && value != "0")
}

/// A system is known by what it does: its code has no text here.
fn subject() -> Subject {
    Subject {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        digest: digest(["actors in Rust"]),
    }
}

/// Writes the certificate while the search runs.
pub(crate) struct Certifying<'s> {
    system: &'s System,
    writer: Rc<RefCell<Option<Writer<Vec<u8>>>>>,
    merges: bool,
}

impl Clone for Certifying<'_> {
    fn clone(&self) -> Self {
        Certifying {
            writer: Rc::clone(&self.writer),
            ..*self
        }
    }
}

impl<'s> Certifying<'s> {
    /// Before the search. The options become those of a search that can be certified.
    ///
    /// # Panics
    /// If the algorithm has no certificates.
    pub fn begin(system: &'s System, options: &mut Options) -> Self {
        let (algorithm, promise) = (options.algorithm, options.algorithm.about().promise);
        let merges = algorithm.merges();
        let writer = match (merges, promise.once && promise.covers == Covers::Traces) {
            (true, _) => Writer::merging(Vec::new(), &subject(), algorithm.name()),
            (_, true) => Writer::new(Vec::new(), &subject(), algorithm.name()),
            _ => panic!("`{algorithm}` has no certificates; take `optimal`, `source` or `source+merge`"),
        };
        *options = options
            .clone()
            .final_states(true)
            .observe(Observe::States)
            .see_values(false)
            .keep_store(true);
        Certifying {
            system,
            writer: Rc::new(RefCell::new(writer.ok())),
            merges,
        }
    }

    /// After the search: has what it wrote checked, and keeps it if that is wanted. What was proved, if there is something to prove.
    ///
    /// # Panics
    /// If the certificate is refused or cannot be kept.
    pub fn end(self, options: &Options, outcome: &Outcome, keep: Option<&Path>) -> Option<String> {
        let writer = self.writer.take()?;
        let certain = |kind: FailureKind| {
            !matches!(
                kind,
                FailureKind::Livelock | FailureKind::Property | FailureKind::Nondeterminism | FailureKind::Limit
            )
        };
        let failures: Vec<_> = outcome.failures.iter().filter(|f| certain(f.failure.kind)).cloned().collect();
        let panics = outcome.failure_counts[FailureKind::Panic as usize] > 0;
        let whole = outcome.limit.is_none() && !outcome.ended_by_failure && !panics;
        let key = |t: Transition| self.system.process_key(t.process);
        let written = match (whole, failures.is_empty()) {
            (true, _) => writer.finish(&Claims {
                executions: outcome.counts.executions,
                final_states: outcome.distinct_final_states.unwrap_or_default(),
                deadlocks: outcome.counts.deadlocks,
                failures: outcome.failures.iter().map(|f| f.failure.clone()).collect(),
            }),
            (false, false) => write_violation(Vec::new(), &subject(), options.algorithm.name(), &failures, &key),
            (false, true) => return None,
        };
        let bytes = written.unwrap_or_else(|e| panic!("cannot write the certificate: {e}"));
        if let Some(path) = keep {
            std::fs::write(path, &bytes).unwrap_or_else(|e| panic!("cannot write {}: {e}", path.display()));
        }
        let verified = verify(self.system, options, &bytes);
        Some(
            verified
                .unwrap_or_else(|why| panic!("internal error: the certificate of this check is refused, so there is no verdict: {why}")),
        )
    }
}

/// What a certificate proves, in words.
pub(crate) fn verify(system: &System, options: &Options, bytes: &[u8]) -> Result<String, String> {
    let verified = verify_typed(system, &subject(), options.deadlock_is_error, bytes).map_err(|why| why.to_string())?;
    let steps = counted(verified.steps, "step");
    let what = match &verified.proved {
        Proved::Complete(claims) => format!("{steps} of {} run", counted(claims.executions, "execution")),
        Proved::Violation(failures) => counted(failures.len() as u64, "failure"),
        _ => steps,
    };
    Ok(format!("verified by an independent checker: {what}"))
}

impl<S> Observer<S> for Certifying<'_> {
    fn execution(&mut self, schedule: &[Transition], _: &S, ending: Ending) {
        let is_maximal = matches!(ending, Ending::Finished | Ending::Deadlock);
        if let Some(writer) = &mut *self.writer.borrow_mut()
            && (self.merges || is_maximal)
        {
            let key = |t: Transition| self.system.process_key(t.process);
            // It writes into memory.
            drop(writer.execution(schedule, &key));
        }
    }
}
