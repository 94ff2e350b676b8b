//! From the failures of an outcome to counterexamples that can be shown.

use crate::session::Session;
use mazurka_core::schedule::{Budget, Schedule, Stage, minimise_until, plan, record};
use mazurka_core::{AnyProgram, FailureKind, FoundFailure, Outcome, Transition};
use mazurka_report::Counterexample;
use mazurka_report::summary::Reduced;

/// So many failures are minimised; the others are shown as they were found.
const MINIMISED: usize = 20;

/// How failures are made easier to read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Minimise {
    /// Not at all.
    No,
    /// Fewer switches count for more than a few steps.
    Yes,
    /// Nothing may make them longer: the search looked for the shortest.
    KeepShortest,
}

/// Records every failure, the first ones minimised until `stop` says to show them as they are. Failures that come out the same are kept
/// once.
pub fn of(session: &Session<'_>, outcome: &Outcome, minimise: Minimise, stop: &dyn Fn() -> bool) -> Vec<Counterexample> {
    let mut list: Vec<Counterexample> = Vec::new();
    for (at, found) in outcome.failures.iter().enumerate() {
        // A loop is shown as it was found: a part of it is none.
        let minimised = minimise != Minimise::No && found.failure.kind != FailureKind::Livelock;
        let small = minimised && at < MINIMISED && !stop();
        let budget = Budget::default().may_lengthen(minimise != Minimise::KeepShortest);
        let counterexample = one(&*session.program, found, small.then_some((budget, stop)));
        let steps = plan(&counterexample.recording);
        let same = |c: &Counterexample| plan(&c.recording) == steps && c.recording.failure == counterexample.recording.failure;
        if !list.iter().any(same) {
            list.push(counterexample);
        }
    }
    list
}

fn one(program: &dyn AnyProgram, found: &FoundFailure, small: Option<(Budget, &dyn Fn() -> bool)>) -> Counterexample {
    let (schedule, reduced) = if let Some((budget, stop)) = small {
        let result = minimise_until(program, &found.schedule, &found.failure, budget, stop);
        let reduced = Reduced {
            from_steps: result.from_steps,
            from_switches: switches(program, &found.schedule),
            best: result.best,
        };
        (result.schedule, Some(reduced))
    } else {
        (found.schedule.clone(), None)
    };
    let mut recording = record(program, &schedule, Some(&found.failure));
    // What fails only at the end of an execution is known to the engine, not to a step.
    if recording.failure.is_none() {
        recording.failure = Some(found.failure.clone());
    }
    Counterexample {
        recording,
        after_executions: found.after_executions,
        reduced,
        schedule_file: None,
        replay_command: None,
    }
}

/// The context switches of a schedule, counted as those of its recording are.
fn switches(program: &dyn AnyProgram, schedule: &[Transition]) -> usize {
    let mut stage = Stage::new(program);
    for &transition in schedule {
        if !stage.is_enabled(transition) {
            break;
        }
        stage.step(transition);
    }
    stage.recording().switches()
}

/// The counterexample as it is written to a file.
pub fn schedule(session: &Session<'_>, counterexample: &Counterexample) -> Schedule {
    Schedule {
        program: session.name.clone(),
        arguments: session.arguments.clone(),
        failure: counterexample.recording.failure.as_ref().map(|f| (f.kind, f.message.clone())),
        steps: plan(&counterexample.recording),
    }
}
