//! From the failures of an outcome to counterexamples that can be shown.

use crate::session::Session;
use mazurka_core::schedule::{Budget, Schedule, Stage, minimise_until, plan, record, record_steps};
use mazurka_core::{AnyProgram, FailureKind, FoundFailure, Outcome, Transition};
use mazurka_report::Counterexample;
use mazurka_report::summary::Reduced;

/// So many failures are minimised; the others are shown as they were found.
const MINIMISED: usize = 20;
/// So many steps are run to record failures when time is up.
const HURRIED: usize = 20_000;

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

/// The failures of an outcome, recorded.
pub struct Recorded {
    /// Those that can be shown.
    pub counterexamples: Vec<Counterexample>,
    /// For so many there was no time.
    pub left_out: usize,
}

/// How much work a recording is worth.
#[derive(Clone, Copy)]
enum Care<'a> {
    /// It is made easier to read first, until somebody loses patience.
    Minimised(Budget, &'a dyn Fn() -> bool),
    /// It is shown as it was found.
    Found,
    /// As it was found, without the race that decides it: every step is run once.
    Hurried,
}

/// Records every failure, the first ones minimised until `stop` says to show them as they are, and what then can be run in `HURRIED` steps. The first
/// failure is always recorded. Failures that come out the same are kept once.
pub fn of(session: &Session<'_>, outcome: &Outcome, minimise: Minimise, stop: &dyn Fn() -> bool) -> Recorded {
    let mut counterexamples: Vec<Counterexample> = Vec::new();
    let mut plans = Vec::new();
    let (mut left, mut left_out) = (HURRIED, 0);
    for (at, found) in outcome.failures.iter().enumerate() {
        // A loop is shown as it was found: a part of it is none.
        let endless = matches!(found.failure.kind, FailureKind::Livelock | FailureKind::Property);
        let minimised = minimise != Minimise::No && !endless;
        let budget = Budget::default().may_lengthen(minimise != Minimise::KeepShortest);
        let care = match stop() {
            true => Care::Hurried,
            false if minimised && at < MINIMISED => Care::Minimised(budget, stop),
            false => Care::Found,
        };
        if matches!(care, Care::Hurried) {
            if at > 0 && found.schedule.len() > left {
                left_out += 1;
                continue;
            }
            left = left.saturating_sub(found.schedule.len());
        }
        let counterexample = one(&*session.program, found, care);
        let steps = plan(&counterexample.recording);
        let mut earlier = counterexamples.iter().zip(&plans);
        if !earlier.any(|(c, plan)| c.recording.failure == counterexample.recording.failure && *plan == steps) {
            counterexamples.push(counterexample);
            plans.push(steps);
        }
    }
    Recorded { counterexamples, left_out }
}

fn one(program: &dyn AnyProgram, found: &FoundFailure, care: Care<'_>) -> Counterexample {
    let (schedule, reduced) = if let Care::Minimised(budget, stop) = care {
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
    let mut recording = match care {
        Care::Minimised(..) | Care::Found => record(program, &schedule, Some(&found.failure)),
        Care::Hurried => record_steps(program, &schedule, Some(&found.failure)),
    };
    // What fails only at the end of an execution is known to the engine, not to a step.
    if recording.failure.is_none() || found.failure.kind == FailureKind::Property {
        recording.failure = Some(found.failure.clone());
    }
    if found.failure.kind == FailureKind::Property {
        recording.race = None;
        recording.repeats = found.repeats;
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
        repeats: counterexample.recording.repeats,
    }
}

#[cfg(test)]
mod tests {
    use super::{Minimise, of};
    use crate::Session;
    use mazurka_core::{Algorithm, Limits, Options, Status, Unobserved, search};
    use mazurka_litmus::Machine;

    /// 150 tasks fail one after another: running all of that again takes far more steps than a search that is over may still take.
    #[test]
    fn when_time_is_up_the_first_failures_are_recorded_and_the_others_counted() {
        let text = "bounded; p0(i=0): #top [i+=1; spawn k(i); if (i<150) goto top] k(n):[assert n<0]";
        let machine = Machine::parse_file_with("many.litmus", text, &[]).expect("a program");
        let options = Options::new(Algorithm::parse("optimal").expect("a name"));
        let options = options.keep_going(true).limits(Limits::default().executions(1));
        let mut searching = search(&machine, &options, Unobserved).expect("a search");
        while searching.advance(1000) == Status::Running {}
        let outcome = searching.outcome();
        drop(searching);
        assert_eq!(outcome.failures.len(), 150);
        let recorded = of(&Session::new(machine, "many.litmus"), &outcome, Minimise::Yes, &|| true);
        let shown = recorded.counterexamples.len();
        assert!(shown > 0 && recorded.left_out > 0, "{shown} and {}", recorded.left_out);
        assert_eq!(shown + recorded.left_out, 150);
    }
}
