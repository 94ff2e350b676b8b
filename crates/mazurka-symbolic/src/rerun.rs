//! Runs a suite that was written down: every test under every interleaving.

use crate::known::run_known;
use crate::write::{Given, Wanted};
use mazurka_abs::run::Machine;
use mazurka_core::{Algorithm, Limit, SearchError, Transition};

/// How a test went.
#[derive(Debug)]
pub struct Report {
    /// Its name.
    pub name: String,
    /// Its inputs.
    pub inputs: String,
    /// How many interleavings were run.
    pub interleavings: u64,
    /// Whether a limit ended it.
    pub incomplete: bool,
    /// What is wrong: the first of it.
    pub failure: Option<Wrong>,
}

/// What is wrong with an execution of a test.
#[derive(Debug)]
pub struct Wrong {
    /// In one sentence.
    pub message: String,
    /// The schedule.
    pub schedule: Vec<Transition>,
}

/// Runs a test under every interleaving. It passes if nothing fails and every outcome is one of those that are allowed; where none is named,
/// any is.
///
/// # Errors
/// The algorithm does not take the program.
pub fn rerun(machine: &mut Machine, test: &Given, algorithm: Algorithm, executions: u64) -> Result<Report, SearchError> {
    let (ran, outcome) = run_known(machine, Some(test.scene.clone()), algorithm, executions)?;
    let mut failure: Option<Wrong> = None;
    for execution in &ran {
        let wrong = match execution.outcome.failures.first() {
            Some(failed) => {
                let at = failed.at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
                Some(format!("{}{at}", failed.message))
            }
            None => {
                let found = test.found(machine, &execution.outcome);
                let allowed = test.allowed.is_empty() || test.allowed.iter().any(|wanted| wanted.is(&found.calls, &found.heap));
                (!allowed).then(|| unexpected(test, &found))
            }
        };
        let Some(message) = wrong else { continue };
        let easier = |known: &Wrong| crate::keep::switches(&execution.schedule) < crate::keep::switches(&known.schedule);
        if failure.as_ref().is_none_or(easier) {
            failure = Some(Wrong {
                message,
                schedule: execution.schedule.clone(),
            });
        }
    }
    Ok(Report {
        name: test.name.clone(),
        inputs: test.inputs.clone(),
        interleavings: outcome.counts.executions,
        incomplete: outcome.limit.is_some_and(|limit| limit != Limit::Interrupt) || outcome.large_step.is_some(),
        failure,
    })
}

/// What is not as it was wanted, compared with the allowed outcome that is nearest.
fn unexpected(test: &Given, found: &Wanted) -> String {
    let differences = |wanted: &Wanted| {
        let calls = wanted.calls.iter().zip(&found.calls).enumerate();
        let calls = calls.filter(|(_, (wanted, found))| wanted != found);
        let mut all: Vec<String> = calls
            .map(|(nth, (wanted, found))| format!("call {} gives {found}, expected was {wanted}", nth + 1))
            .collect();
        for (name, wanted) in &wanted.heap {
            if let Some(found) = found.heap.get(name).filter(|found| *found != wanted) {
                all.push(format!("{name} is {found}, expected was {wanted}"));
            }
        }
        all
    };
    let nearest = test.allowed.iter().map(differences).min_by_key(Vec::len).unwrap_or_default();
    nearest.join("; ")
}
