//! What `replay` says: the execution as columns, and where it was not what was written down.

use crate::columns;
use crate::paint::{self, Paint, wrap};
use crate::units::counted;
use crate::verdict::explanation;
use mazurka_core::schedule::{Alternative, Divergence, Reason, Replay, Schedule, signature};
use mazurka_core::{Failure, FailureKind};

/// How many divergences are shown.
const SHOWN: usize = 10;

/// The whole text.
pub fn render(schedule: &Schedule, replay: &Replay, paint: Paint) -> String {
    let mut out = format!("{}\n", headline(schedule, replay, paint));
    out.push_str(&columns::render(&replay.recording, paint));
    out.push('\n');
    out.push_str(&explanation(&replay.recording, paint));
    for divergence in replay.divergences.iter().take(SHOWN) {
        out.push_str(&self::divergence(divergence, paint));
    }
    if replay.divergences.len() > SHOWN {
        out.push_str(&format!(
            "   {}\n",
            counted((replay.divergences.len() - SHOWN) as u64, "more difference")
        ));
    }
    out
}

/// Whether the schedule did what it says, with a line break at its end.
pub fn headline(schedule: &Schedule, replay: &Replay, paint: Paint) -> String {
    let steps = counted(replay.recording.steps.len() as u64, "step");
    let end = match &replay.recording.failure {
        Some(f) => format!("{} after {steps}", f.kind.name()),
        None => format!("no failure in {steps}"),
    };
    let (word, rest) = match (replay.divergences.first(), reproduced(schedule, replay)) {
        (None, true) => ("replayed", format!("{end}, exactly as recorded")),
        (None, false) => ("diverged", format!("{end}, but {} was recorded", recorded(schedule))),
        (Some(first), same) => (
            "diverged",
            format!(
                "the program differs from the recording at step {}; {end}{}",
                first.planned + 1,
                if same { " all the same" } else { "" }
            ),
        ),
    };
    let styled = if word == "replayed" { paint.good(word) } else { paint.warn(word) };
    paint::headline(word, &styled, &paint.text(&rest), paint)
}

/// Whether the failure is the recorded one.
pub fn reproduced(schedule: &Schedule, replay: &Replay) -> bool {
    match (&schedule.failure, &replay.recording.failure) {
        (None, None) => true,
        (Some((kind, message)), Some(found)) => {
            // The place is not written down, so the messages are compared without their numbers.
            let plain = |kind: FailureKind, message: &str| {
                signature(&Failure {
                    kind,
                    message: message.to_owned(),
                    at: None,
                })
            };
            plain(*kind, message) == plain(found.kind, &found.message)
        }
        _ => false,
    }
}

fn recorded(schedule: &Schedule) -> String {
    match &schedule.failure {
        Some((kind, message)) => format!("{} ({message})", kind.name()),
        None => "no failure".to_owned(),
    }
}

/// One difference in a few lines.
pub fn divergence(divergence: &Divergence, paint: Paint) -> String {
    let expected = match divergence.expected.label.as_str() {
        "" => format!("a step of process {}", divergence.expected.process),
        label => format!("`{label}` of process {}", divergence.expected.process),
    };
    let reason = match &divergence.reason {
        Reason::NoProcess => "there is no such process here; left out".to_owned(),
        Reason::NoChoice => format!("it has no choice {} here; left out", divergence.expected.choice),
        Reason::Disabled => "it cannot be taken here; left out".to_owned(),
        Reason::OtherLabel(now) => format!("the process now does `{now}`; taken"),
    };
    let text = format!("step {}: expected {expected}, but {reason}", divergence.planned + 1);
    let mut out = String::new();
    for (at, line) in wrap(&paint.text(&text), paint.width.saturating_sub(5)).into_iter().enumerate() {
        out.push_str(&format!("{}{line}\n", if at == 0 { "   " } else { "     " }));
    }
    if !matches!(divergence.reason, Reason::OtherLabel(_)) {
        out.push_str(&alternatives("instead", &divergence.instead, paint));
    }
    out
}

/// What could be done, and what could not.
pub fn alternatives(heading: &str, alternatives: &[Alternative], paint: Paint) -> String {
    if alternatives.is_empty() {
        return format!("     {heading}: nothing\n");
    }
    let mut out = format!("     {heading}:\n");
    for a in alternatives.iter().take(20) {
        let state = if a.enabled { "" } else { " (cannot be taken now)" };
        let text = format!("{}: {}{state}", a.process, a.label);
        out.push_str(&format!("       {}\n", paint.text(&text)));
    }
    if alternatives.len() > 20 {
        out.push_str(&format!("       and {} more\n", alternatives.len() - 20));
    }
    out
}
