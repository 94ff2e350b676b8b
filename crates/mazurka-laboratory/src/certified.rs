//! Certificates of what is fuzzed: the checker accepts what a search did, and what is left when something is left out only if nothing was lost.

use mazurka_certificate::{Claims, check_executions, check_merged};
use mazurka_core::{Describe, Ending, Observe, Observer, Options, Outcome, Program, Status, Transition, search};
use std::cell::RefCell;
use std::rc::Rc;

/// Whether the checker accepts the executions of a search through executions, comes to the same numbers, and notices that one, by turns, is
/// missing.
pub(crate) fn all_executions<P>(
    program: &P,
    mut executions: Vec<Vec<Transition>>,
    deadlock_is_error: bool,
    outcome: &Outcome,
) -> Result<(), String>
where
    P: Describe,
    P::State: Clone,
{
    let found = check_executions(program, deadlock_is_error, &executions).map_err(|why| format!("its certificate is refused: {why}"))?;
    same(&found, outcome)?;
    if executions.len() > 1 {
        executions.remove(outcome.counts.steps as usize % executions.len());
        if check_executions(program, deadlock_is_error, &executions).is_ok() {
            return Err("its certificate is accepted although an execution is missing".to_owned());
        }
    }
    Ok(())
}

/// Whether a merging search with these options is the plain one that certificates are for, or as good: then that one is certified beside it.
pub(crate) fn merges_plainly<P: Program>(program: &P, options: &Options) -> bool {
    let features = program.features();
    let fits = features.static_footprints && features.static_alternatives && features.terminating;
    let unbounded = options.cone_cap.is_none() && options.limits.memory.is_none();
    let once = program.insights().comparable.is_none() || (options.observe == Observe::States && !options.exchange_tasks);
    options.algorithm.merges() && fits && unbounded && once && matches!(options.observe, Observe::States | Observe::Finals)
}

/// Every execution that a search began, however it ended.
#[derive(Default, Clone)]
struct Executions(Rc<RefCell<Vec<Vec<Transition>>>>);

impl<S> Observer<S> for Executions {
    fn execution(&mut self, schedule: &[Transition], _: &S, _: Ending) {
        self.0.borrow_mut().push(schedule.to_vec());
    }
}

/// Runs the plain merging search and has it certified. Then branches are left out; what is accepted nevertheless must have all final states and
/// failures.
pub(crate) fn merged_executions<P>(program: &P, options: &Options) -> Result<(), String>
where
    P: Describe,
    P::State: Clone,
{
    let options = options
        .clone()
        .observe(Observe::States)
        .see_values(false)
        .keep_store(true)
        .final_states(true);
    let executions = Executions::default();
    let mut search = search(program, &options, executions.clone()).map_err(|e| e.to_string())?;
    while search.advance(100_000) == Status::Running {}
    let outcome = search.outcome();
    drop(search);
    let executions = executions.0.take();
    let deadlock_is_error = options.deadlock_is_error;
    let found =
        check_merged(program, deadlock_is_error, &executions).map_err(|why| format!("the certificate of merging is refused: {why}"))?;
    same(&found, &outcome)?;
    // What lies below the first steps of one of them, more and more.
    let turn = outcome.counts.steps as usize % executions.len();
    for shared in (0..executions[turn].len()).rev().take(8) {
        let below = |schedule: &&Vec<Transition>| schedule.get(..=shared) != Some(&executions[turn][..=shared]);
        let fewer: Vec<Vec<Transition>> = executions.iter().filter(below).cloned().collect();
        if let Ok(less) = check_merged(program, deadlock_is_error, &fewer)
            && (less.final_states, &less.failures) != (found.final_states, &found.failures)
        {
            return Err("the certificate of merging is accepted although something is missing".to_owned());
        }
    }
    Ok(())
}

/// Whether the checker found what the search says.
fn same(found: &Claims, outcome: &Outcome) -> Result<(), String> {
    let finals = outcome.distinct_final_states.unwrap_or(found.final_states);
    let same = (found.executions, found.deadlocks, found.final_states) == (outcome.counts.executions, outcome.counts.deadlocks, finals)
        && found.failures.len() == outcome.failures.len();
    if same {
        Ok(())
    } else {
        Err(format!("its certificate shows {found:?}"))
    }
}
