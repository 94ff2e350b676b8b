//! Counterexamples in words.

use crate::system::System;
use mazurka_core::schedule::{Reason, Recording, record};
use mazurka_core::{Describe, Effects, FoundFailure, Program, Transition};
use std::fmt::Write as _;

/// A failure with its schedule: what happened, step by step, and how to run it again.
pub(crate) fn violation(system: &System, schedule: &[Transition], found: &FoundFailure) -> String {
    let recording = record(system, schedule);
    let mut text = format!("violation: {}: {}", found.failure.kind.name(), found.failure.message);
    if let Some(at) = &found.failure.at {
        let _ = write!(text, "\n  at {at}");
    }
    let _ = write!(
        text,
        "\n  after {} steps, found after {} executions\n\n",
        schedule.len(),
        found.after_executions
    );
    text.push_str(&render(&recording));
    let keys: Vec<String> = schedule.iter().map(|t| system.process_key(t.process)).collect();
    let _ = writeln!(text, "\nreplay:  system.check().replay(\"{}\")", keys.join(" "));
    text
}

/// A recording, one step per line: who handles what, what it sends, what is different after it.
pub(crate) fn render(recording: &Recording) -> String {
    let width = recording.columns().iter().map(|c| c.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (nth, step) in recording.steps.iter().enumerate() {
        let _ = write!(text, "{:>5}  {:<width$}  {}", nth + 1, step.column, step.text.label);
        for (receiver, message) in &step.text.sends {
            let _ = write!(text, "  ▶ {receiver}: {message}");
        }
        text.push('\n');
        for change in &step.changes {
            if let Some(after) = &change.after {
                let _ = writeln!(text, "       {:<width$}  · {} is now {after}", "", change.name);
            }
        }
        if let Some(failure) = &step.failure {
            let _ = writeln!(text, "       {:<width$}  ✗ {}", "", failure.message);
        }
    }
    for wait in &recording.waits {
        let _ = writeln!(text, "       {:<width$}  … {} waits for {}", wait.column, wait.process, wait.what);
    }
    text
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
