//! From a failure of a search to a counterexample that can be shown.

use crate::system::System;
use mazurka_core::schedule::{Budget, Reason, minimise, record};
use mazurka_core::{Describe, Effects, FoundFailure, Program, Transition};
use mazurka_report::Counterexample;
use mazurka_report::summary::Reduced;

/// The failure, minimised and recorded, with the line of code that runs it again.
pub(crate) fn counterexample(system: &System, found: &FoundFailure) -> Counterexample {
    let minimised = minimise(system, &found.schedule, &found.failure, Budget::default());
    let mut recording = record(system, &minimised.schedule, Some(&found.failure));
    // What fails only at the end of an execution is known to the engine, not to a step.
    if recording.failure.is_none() {
        recording.failure = Some(found.failure.clone());
    }
    let keys: Vec<String> = recording.steps.iter().map(|s| s.key.clone()).collect();
    Counterexample {
        after_executions: found.after_executions,
        reduced: Some(Reduced {
            from_steps: minimised.from_steps,
            from_switches: minimised.from_switches,
            best: minimised.best,
        }),
        schedule_file: None,
        replay_command: Some(format!("system.check().replay(\"{}\")", keys.join(" "))),
        recording,
    }
}

/// Why a replayed step is not what was expected.
pub(crate) fn reason(reason: &Reason) -> String {
    match reason {
        Reason::NoProcess => "is not under way here".to_owned(),
        Reason::NoChoice => "has no such choice here".to_owned(),
        Reason::Disabled => "is not accepted here".to_owned(),
        Reason::OtherLabel(label) => format!("is {label} here"),
    }
}

/// Runs a schedule twice and compares: the first step (from 1) after which the two runs differ, and how.
pub(crate) fn first_difference(system: &System, schedule: &[Transition]) -> Option<(usize, String)> {
    let (mut one, mut two) = (system.start(), system.start());
    for (nth, &transition) in schedule.iter().enumerate() {
        let label = match one.envelope(transition.process.0) {
            Some(_) => system.process_name(&one, transition.process),
            None => {
                return Some((
                    nth + 1,
                    format!("message {} is not sent any more", system.process_key(transition.process)),
                ));
            }
        };
        two.envelope(transition.process.0)?;
        let (mut effects_one, mut effects_two) = (Effects::default(), Effects::default());
        system.step(&mut one, transition, &mut effects_one);
        system.step(&mut two, transition, &mut effects_two);
        let same = system.fingerprint(&one) == system.fingerprint(&two) && effects_one.failure == effects_two.failure;
        if !same {
            return Some((nth + 1, label));
        }
    }
    None
}
