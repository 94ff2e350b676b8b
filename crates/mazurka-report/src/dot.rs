//! The happens-before graph of an execution in the language of Graphviz.
//!
//! One cluster per column, one node per step, an edge for each direct cause that no other cause implies. Edges between processes are the
//! interesting ones, so those within a process are grey; the race is red.

use crate::paint::visible;
use mazurka_core::schedule::{RaceEnd, Recording};
use std::fmt::Write as _;

/// The graph.
pub fn render(title: &str, recording: &Recording) -> String {
    let mut out = String::from("digraph happens_before {\n");
    let _ = writeln!(out, "  label = {};", quote(title));
    out.push_str("  labelloc = t;\n  rankdir = TB;\n  node [shape = box, style = rounded, fontname = \"sans-serif\", fontsize = 11];\n");
    let (first, second) = match &recording.race {
        Some(race) => (Some(race.first), Some(race.second)),
        None => (None, None),
    };
    for (at, column) in recording.columns().iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{at} {{\n    label = {};", quote(column));
        for (step, record) in recording.steps.iter().enumerate().filter(|(_, s)| s.column == *column) {
            let mut text = format!("{}: {}", step + 1, record.text.label);
            if let Some(position) = &record.text.at {
                let _ = write!(text, "\n{position}");
            }
            let colour = if record.failure.is_some() {
                ", color = red, penwidth = 2"
            } else if first == Some(step) || second == Some(RaceEnd::Step(step)) {
                ", color = orange, penwidth = 2"
            } else {
                ""
            };
            let _ = writeln!(out, "    s{step} [label = {}{colour}];", quote(&text));
        }
        for (wait, record) in recording.waits.iter().enumerate().filter(|(_, w)| w.column == *column) {
            let text = format!("waits for {}", record.what);
            let _ = writeln!(out, "    w{wait} [label = {}, style = dashed, color = red];", quote(&text));
        }
        out.push_str("  }\n");
    }
    for (step, record) in recording.steps.iter().enumerate() {
        for cause in needed(recording, step) {
            let attributes = if recording.steps[cause].key == record.key {
                " [color = grey]"
            } else {
                ""
            };
            let _ = writeln!(out, "  s{cause} -> s{step}{attributes};");
        }
    }
    for (wait, record) in recording.waits.iter().enumerate() {
        if let Some(last) = recording.steps.iter().rposition(|s| s.key == record.key) {
            let _ = writeln!(out, "  s{last} -> w{wait} [color = grey];");
        }
        let holder = record
            .on
            .as_ref()
            .and_then(|(key, ..)| recording.waits.iter().position(|w| w.key == *key));
        if let Some(holder) = holder {
            let _ = writeln!(out, "  w{wait} -> w{holder} [style = dashed, color = red, constraint = false];");
        }
    }
    if let (Some(first), Some(second)) = (first, second) {
        let to = match second {
            RaceEnd::Step(step) => format!("s{step}"),
            RaceEnd::Wait(wait) => format!("w{wait}"),
        };
        let _ = writeln!(
            out,
            "  s{first} -> {to} [color = orange, penwidth = 2, label = \"race\", constraint = false, dir = both];"
        );
    }
    out.push_str("}\n");
    out
}

/// The direct causes of a step that do not come before another one of them.
fn needed(recording: &Recording, step: usize) -> Vec<usize> {
    let causes = &recording.steps[step].causes;
    causes
        .iter()
        .copied()
        .filter(|&cause| !causes.iter().any(|&other| other != cause && reaches(recording, cause, other)))
        .collect()
}

/// Whether `from` must come before `to`.
fn reaches(recording: &Recording, from: usize, to: usize) -> bool {
    let mut todo = vec![to];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(at) = todo.pop() {
        if at == from {
            return true;
        }
        if at > from && seen.insert(at) {
            todo.extend(&recording.steps[at].causes);
        }
    }
    false
}

fn quote(text: &str) -> String {
    let escaped = visible(text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
