//! Steps that panic: a failure like any other, except that nothing is known of the state after it.

use crate::effects::Effects;
use crate::outcome::{Failure, FailureKind};
use crate::program::{Program, Transition};
use crate::store::Store;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Takes a step from the state after `schedule` and leaves its failure, if it has one, in `failure`. True if the step panicked: the
/// state must not be looked at again.
pub(crate) fn step_or_panic<P: Program, S: Store<P>>(
    (program, store): (&P, &mut S),
    schedule: &[Transition],
    transition: Transition,
    effects: &mut Effects,
    failure: &mut Option<Failure>,
) -> bool {
    effects.clear();
    // The state of a run whose step panicked is never looked at again: the execution ends here.
    match catch_unwind(AssertUnwindSafe(|| store.step(program, schedule, transition, &mut *effects))) {
        Ok(()) => {
            // Nearly all steps succeed, and a failure is large: it is not moved for nothing.
            if effects.failure.is_some() || failure.is_some() {
                *failure = effects.failure.take();
            }
            false
        }
        Err(payload) => {
            *failure = Some(Failure {
                kind: FailureKind::Panic,
                message: message(&*payload),
                at: None,
            });
            true
        }
    }
}

/// Takes a step of a trial run. False if it panicked: the state must not be looked at again.
pub(crate) fn tried<P: Program>(program: &P, run: &mut P::Run, transition: Transition, effects: &mut Effects) -> bool {
    effects.clear();
    catch_unwind(AssertUnwindSafe(|| program.step(run, transition, effects))).is_ok()
}

fn message(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "the program panicked".to_owned())
}
