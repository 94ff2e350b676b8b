//! The distinct states in which executions end, readably.

use crate::paint::{Paint, wrap};
use crate::summary::FinalState;
use crate::tree::End;
use crate::units::counted;

/// How many states are shown.
const SHOWN: usize = 100;

/// The states, one paragraph each; values that are the same in all of them are said once.
pub fn render(states: &[FinalState], paint: Paint) -> String {
    let mut out = format!("{}\n", paint.strong(&counted(states.len() as u64, "final state")));
    let common: Vec<&(String, String)> = match states {
        [first, _, ..] => first
            .values
            .iter()
            .filter(|value| states.iter().all(|s| s.values.contains(value)))
            .collect(),
        _ => Vec::new(),
    };
    if !common.is_empty() {
        out.push_str(&paragraph("in all: ", &common, paint));
    }
    for (at, state) in states.iter().take(SHOWN).enumerate() {
        let own: Vec<&(String, String)> = state.values.iter().filter(|value| !common.contains(value)).collect();
        let alike = states.iter().filter(|s| s.values == state.values && s.end == state.end).count() > 1;
        let what = match alike && !state.failures.is_empty() {
            true => format!(": {}", state.failures.join("; ")),
            false => String::new(),
        };
        let end = match state.end {
            End::Finished => String::new(),
            End::Failed if state.deadlock => format!(" (failed, and a deadlock{what})"),
            other => format!(" ({}{what})", other.name()),
        };
        let head = format!("{}{end}: ", at + 1);
        out.push_str(&paragraph(&head, &own, paint));
    }
    if states.len() > SHOWN {
        out.push_str(&format!("   and {} more, see --json\n", states.len() - SHOWN));
    }
    out
}

fn paragraph(head: &str, values: &[&(String, String)], paint: Paint) -> String {
    let text: Vec<String> = values
        .iter()
        .map(|(name, value)| {
            let equals = if value.starts_with("waits for ") { "" } else { "= " };
            format!("{name} {equals}{value}")
        })
        .collect();
    let text = if text.is_empty() {
        "nothing else".to_owned()
    } else {
        text.join(", ")
    };
    let mut out = String::new();
    for (at, line) in wrap(&paint.text(&format!("{head}{text}")), paint.width.saturating_sub(7))
        .into_iter()
        .enumerate()
    {
        out.push_str(&format!("   {}{line}\n", if at == 0 { "" } else { "    " }));
    }
    out
}
