//! From a failure of a search to a counterexample that can be shown.

use crate::promises::is_of_promise;
use crate::system::System;
use mazurka_core::schedule::{Budget, Planned, Reason, minimise, record};
use mazurka_core::{Describe, Effects, FoundFailure, Program, Transition};
use mazurka_report::Counterexample;
use mazurka_report::summary::Reduced;

/// The failure, minimised and recorded, with the line of code that runs it again.
pub(crate) fn counterexample(system: &System, found: &FoundFailure) -> Counterexample {
    let minimised = (!is_of_promise(found)).then(|| minimise(system, &found.schedule, &found.failure, Budget::default()));
    let schedule = minimised.as_ref().map_or(&found.schedule, |m| &m.schedule);
    let mut recording = record(system, schedule, Some(&found.failure));
    // What fails only at the end of an execution is known to the engine, not to a step.
    if recording.failure.is_none() {
        recording.failure = Some(found.failure.clone());
    }
    let keys: Vec<String> = recording.steps.iter().map(|s| key(&s.key, s.transition.choice)).collect();
    Counterexample {
        after_executions: found.after_executions,
        reduced: minimised.map(|minimised| Reduced {
            from_steps: minimised.from_steps,
            from_switches: minimised.from_switches,
            best: minimised.best,
        }),
        schedule_file: None,
        replay_command: Some(format!("system.check().replay(\"{}\")", keys.join(" "))),
        recording,
    }
}

/// A step, as it is written in code: the message, and which of its alternatives, if that is not the first.
fn key(process: &str, choice: u32) -> String {
    if choice == 0 {
        process.to_owned()
    } else {
        format!("{process}#{choice}")
    }
}

/// What a step as it is written in code means.
pub(crate) fn planned(key: &str) -> Planned {
    let (process, choice) = match key.split_once('#') {
        Some((process, choice)) => (process, choice.parse().unwrap_or(u32::MAX)),
        None => (key, 0),
    };
    Planned {
        process: process.to_owned(),
        choice,
        ..Planned::default()
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
        let label = match system.subject(&one, transition.process.0) {
            Some(_) => system.process_name(&one, transition.process),
            None => {
                return Some((
                    nth + 1,
                    format!("message {} is not sent any more", system.process_key(transition.process)),
                ));
            }
        };
        system.subject(&two, transition.process.0)?;
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
