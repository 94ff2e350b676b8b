//! Algorithms side by side.

use crate::paint::{Paint, width};
use crate::summary::Comparison;
use crate::units::{count, duration};
use mazurka_core::Verdict;
#[cfg(feature = "json")]
use serde_json::{Value, json};

const HEADINGS: [&str; 9] = [
    "algorithm",
    "verdict",
    "executions",
    "blocked",
    "cut",
    "steps",
    "states",
    "depth",
    "time",
];

/// The table, and below it what sound algorithms disagree on: an error in this tool.
pub fn render(title: &str, comparisons: &[Comparison], disagreements: &[String], paint: Paint) -> String {
    let rows: Vec<(Vec<String>, &Comparison)> = comparisons.iter().map(|c| (row(c), c)).collect();
    let mut widths: Vec<usize> = HEADINGS.iter().map(|h| width(h)).collect();
    for (row, comparison) in &rows {
        for (at, cell) in row.iter().enumerate() {
            // The reason for a refusal may run on past the first columns.
            if comparison.result.is_ok() || at == 0 {
                widths[at] = widths[at].max(width(cell));
            }
        }
    }
    let mut out = format!("{}\n\n", paint.text(title));
    let heading: Vec<String> = HEADINGS.iter().map(|h| (*h).to_owned()).collect();
    out.push_str(&paint.strong(&line(&heading, &widths)));
    out.push('\n');
    for (row, comparison) in &rows {
        let text = line(row, &widths);
        let text = match &comparison.result {
            Err(_) => paint.faint(&paint.text(&text)),
            Ok((outcome, _)) if outcome.verdict == Verdict::Violation => paint.bad(&text),
            Ok(_) => text,
        };
        out.push_str(&text);
        out.push('\n');
    }
    if !disagreements.is_empty() {
        out.push('\n');
    }
    for disagreement in disagreements {
        let line = paint.bad(&paint.text(&format!("disagreement: {disagreement}")));
        out.push_str(&format!("{line}\n"));
    }
    if !disagreements.is_empty() {
        out.push_str("   both are meant to be sound, so this is an error in mazurka: please report it with the program\n");
    }
    out
}

fn row(comparison: &Comparison) -> Vec<String> {
    match &comparison.result {
        Err(reason) => vec![comparison.algorithm.clone(), reason.clone()],
        Ok((outcome, elapsed)) => {
            let c = &outcome.counts;
            let mut verdict = outcome.verdict.name().to_owned();
            if let Some(limit) = outcome.limit {
                verdict = format!("{verdict} ({})", limit.name());
            } else if !outcome.sound {
                verdict.push_str(" (unsound)");
            }
            vec![
                comparison.algorithm.clone(),
                verdict,
                count(c.executions),
                count(c.blocked),
                count(c.cut),
                count(c.steps),
                count(c.states),
                count(c.max_depth),
                duration(*elapsed),
            ]
        }
    }
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let mut text = String::from("   ");
    for (at, (cell, to)) in cells.iter().zip(widths).enumerate() {
        let fill = " ".repeat(to.saturating_sub(width(cell)));
        // Names to the left, numbers to the right.
        let cell = if at < 2 { format!("{cell}{fill}") } else { format!("{fill}{cell}") };
        text.push_str(&cell);
        text.push_str("  ");
    }
    text.trim_end().to_owned()
}

/// The table as a JSON object, schema `mazurka/compare/1`.
#[cfg(feature = "json")]
pub fn json(program: &str, arguments: &[String], comparisons: &[Comparison], disagreements: &[String]) -> Value {
    let rows: Vec<Value> = comparisons.iter().map(json_row).collect();
    json!({
        "schema": "mazurka/compare/1", "program": program, "arguments": arguments, "algorithms": rows, "disagreements": disagreements,
    })
}

#[cfg(feature = "json")]
pub(crate) fn json_row(comparison: &Comparison) -> Value {
    match &comparison.result {
        Err(reason) => json!({"algorithm": comparison.algorithm, "refused": reason}),
        Ok((outcome, elapsed)) => {
            let c = &outcome.counts;
            json!({
                "algorithm": comparison.algorithm, "verdict": outcome.verdict.name(), "limit": outcome.limit.map(|l| l.name()),
                "sound": outcome.sound, "executions": c.executions, "blocked": c.blocked, "cut": c.cut, "steps": c.steps,
                "states": c.states, "max_depth": c.max_depth, "distinct_final_states": outcome.distinct_final_states,
                "elapsed_ms": u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
            })
        }
    }
}
