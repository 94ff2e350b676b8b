//! An execution as columns: one per process, cog or actor, one row per step, with the values that change and the place in the source.
//!
//! The two racing steps carry a mark. Columns that do not fit are folded into one, the least telling first; a terminal too narrow for any
//! columns gets a list.

use crate::paint::{Paint, cut, end, width, wrap};
use crate::values::values;
use mazurka_core::schedule::{RaceEnd, Recording, StepRecord, WaitRecord};
use std::collections::BTreeMap;

/// Longer executions are shown with their middle left out.
const LONGEST: usize = 500;
/// How much of such an execution is shown at its beginning and at its end.
const SHOWN: (usize, usize) = (100, 300);
/// The heading of the column into which others are folded.
const FOLDED: &str = "others";

/// One row, before it is laid out.
struct Row {
    number: String,
    column: usize,
    text: String,
    values: String,
    at: String,
    race: bool,
    fails: bool,
    wait: bool,
}

/// The execution as a table; every line is indented by three spaces or a race mark.
pub fn render(recording: &Recording, paint: Paint) -> String {
    let names = recording.columns();
    let rows = rows(recording, &names, paint);
    let headings: Vec<String> = names.iter().map(|name| one_line(name, paint)).collect();
    let layout = Layout::fit(recording, &names, &headings, &rows, paint.width);
    let mut out = String::new();
    if layout.columns.is_empty() {
        list(&rows, &headings, paint, &mut out);
    } else {
        table(&rows, &layout, paint, &mut out);
    }
    out
}

/// A name as it may be shown, whatever characters it has.
fn one_line(name: &str, paint: Paint) -> String {
    paint.text(&name.replace('\n', "\\n").replace('\t', "\\t"))
}

fn rows(recording: &Recording, names: &[String], paint: Paint) -> Vec<Row> {
    let column_of = |name: &str| names.iter().position(|n| n == name).unwrap_or(0);
    let (first, second) = match &recording.race {
        None => (None, None),
        Some(race) => (Some(race.first), Some(race.second)),
    };
    let mut rows = Vec::new();
    for (at, step) in recording.steps.iter().enumerate() {
        if recording.repeats == Some(at) {
            rows.push(from_here_on("from here on, for ever:", paint));
        }
        let mut text = step.text.label.clone();
        let said = text.contains(&step.process) || step.process.contains(&text);
        if step.process != step.column && !said && column_is_shared(recording, step) {
            text = format!("{}: {text}", step.process);
        }
        rows.push(Row {
            number: (at + 1).to_string(),
            column: column_of(&step.column),
            text: paint.text(&text),
            values: values(step, paint),
            at: step.text.at.as_ref().map_or(String::new(), |at| one_line(&at.to_string(), paint)),
            race: first == Some(at) || second == Some(RaceEnd::Step(at)),
            fails: step.failure.is_some(),
            wait: false,
        });
    }
    if recording.repeats == Some(recording.steps.len()) {
        rows.push(from_here_on("and so it stays, for ever", paint));
    }
    for (at, wait) in recording.waits.iter().enumerate() {
        rows.push(Row {
            number: String::new(),
            column: column_of(&wait.column),
            text: paint.text(&wait_text(wait, paint)),
            values: String::new(),
            at: wait.at.as_ref().map_or(String::new(), |at| one_line(&at.to_string(), paint)),
            race: second == Some(RaceEnd::Wait(at)),
            fails: true,
            wait: true,
        });
    }
    if rows.len() > LONGEST {
        let (head, tail) = SHOWN;
        let left_out = rows.len() - head - tail;
        let mut end = rows.split_off(rows.len() - tail);
        let middle: Vec<Row> = rows.split_off(head).into_iter().filter(|r| r.race).collect();
        rows.push(Row {
            number: paint.ellipsis().to_owned(),
            column: 0,
            text: format!("{} steps", left_out - middle.len()),
            values: String::new(),
            at: String::new(),
            race: false,
            fails: false,
            wait: true,
        });
        rows.extend(middle);
        rows.append(&mut end);
    }
    rows
}

/// Where the loop of an execution begins that never ends.
fn from_here_on(text: &str, paint: Paint) -> Row {
    Row {
        number: paint.again().to_owned(),
        column: 0,
        text: text.to_owned(),
        values: String::new(),
        at: String::new(),
        race: false,
        fails: false,
        wait: true,
    }
}

/// `12:5` of `model.abs:12:5`.
fn line_of(at: &str) -> &str {
    let mut colons = at.rmatch_indices(':').map(|(i, _)| i);
    colons.nth(1).map_or(at, |i| &at[i + 1..])
}

/// Whether the column shows steps of more than one process.
fn column_is_shared(recording: &Recording, step: &StepRecord) -> bool {
    recording.steps.iter().any(|s| s.column == step.column && s.key != step.key)
}

fn wait_text(wait: &WaitRecord, paint: Paint) -> String {
    let whose = if wait.process == wait.column {
        String::new()
    } else {
        format!("{} ", wait.process)
    };
    match &wait.on {
        Some((_, on, _)) => format!("{whose}waits for {} {} {on}", wait.what, paint.long_arrow()),
        None => format!("{whose}waits for {}", wait.what),
    }
}

/// Which columns are shown, how wide.
struct Layout {
    /// Heading and width of each shown column.
    columns: Vec<(String, usize)>,
    /// Where each column of the recording went.
    place: Vec<usize>,
    /// The names to put before the text of a step in the folded column.
    folded: BTreeMap<usize, String>,
    number: usize,
    values: usize,
    at: usize,
}

impl Layout {
    fn fit(recording: &Recording, names: &[String], headings: &[String], rows: &[Row], total: usize) -> Self {
        let number = rows.iter().map(|r| width(&r.number)).max().unwrap_or(0).max(4);
        let natural: Vec<usize> = (0..names.len())
            .map(|c| {
                // What a process waits for may run on to the right, so it does not widen its column much.
                let texts = rows.iter().filter(|r| r.column == c);
                let widths = texts.map(|r| if r.wait { width(&r.text).min(20) } else { width(&r.text) });
                widths.max().unwrap_or(0).max(width(&headings[c])).max(4)
            })
            .collect();
        let widest = |text: fn(&Row) -> &String| rows.iter().map(|r| width(text(r))).max().unwrap_or(0);
        let at = if total >= 80 { widest(|r| &r.at).min(30) } else { 0 };
        // Where there is little room, the line and column say enough: the file is named below the table.
        let line = rows.iter().map(|r| width(line_of(&r.at))).max().unwrap_or(0).min(at);
        let gap = |w: usize| if w > 0 { w + 2 } else { 0 };
        let full = widest(|r| &r.values);
        let mut layout = Layout {
            columns: Vec::new(),
            place: (0..names.len()).collect(),
            folded: BTreeMap::new(),
            number,
            values: full,
            at,
        };
        for (cap, values, at) in [
            (34, 44, at),
            (26, 32, at),
            (26, 32, line),
            (20, 26, line),
            (16, 22, line),
            (13, 20, line),
        ] {
            let values = full.min(values);
            layout.values = values;
            layout.at = at;
            let room = total.saturating_sub(3 + number + gap(values) + gap(at));
            let widths: Vec<usize> = natural.iter().map(|&w| w.min(cap)).collect();
            if widths.iter().map(|w| w + 2).sum::<usize>() <= room {
                layout.columns = headings.iter().cloned().zip(widths).collect();
                return layout;
            }
        }
        let room = total.saturating_sub(3 + number + gap(layout.values) + gap(layout.at));
        let fitting = (room / 18).saturating_sub(1);
        if fitting == 0 {
            return layout;
        }
        let mut by_weight: Vec<usize> = (0..names.len()).collect();
        by_weight.sort_by_key(|&c| (std::cmp::Reverse(weight(recording, &names[c])), c));
        let mut kept: Vec<usize> = by_weight[..fitting.min(names.len())].to_vec();
        kept.sort_unstable();
        layout.columns = kept.iter().map(|&c| (headings[c].clone(), natural[c].min(16))).collect();
        let used: usize = layout.columns.iter().map(|(_, w)| w + 2).sum();
        let others = names.len() - kept.len();
        layout
            .columns
            .push((format!("{others} {FOLDED}"), room.saturating_sub(used + 2).clamp(14, 40)));
        for (column, name) in headings.iter().enumerate() {
            layout.place[column] = kept.iter().position(|&k| k == column).unwrap_or_else(|| {
                layout.folded.insert(column, name.clone());
                kept.len()
            });
        }
        layout
    }
}

/// How much a column says about the failure: its race, its failing step, its wait, then how often it moves.
fn weight(recording: &Recording, name: &str) -> usize {
    let mut weight = recording.steps.iter().filter(|s| s.column == name).count();
    let mut step = |at: usize, gain: usize| {
        if recording.steps.get(at).is_some_and(|s| s.column == name) {
            weight += gain;
        }
    };
    if let Some(race) = &recording.race {
        step(race.first, 1_000_000);
        if let RaceEnd::Step(second) = race.second {
            step(second, 1_000_000);
        }
    }
    if let Some(failing) = recording.failing_step() {
        step(failing, 1_000_000);
    }
    let waits = |w: &WaitRecord| w.column == name;
    if recording.cycle.iter().any(|&w| waits(&recording.waits[w])) {
        weight += 500_000;
    }
    if recording.waits.iter().any(waits) {
        weight += 100_000;
    }
    weight
}

fn table(rows: &[Row], layout: &Layout, paint: Paint, out: &mut String) {
    let mut heading = format!("   {:>width$}", "step", width = layout.number);
    for (name, width) in &layout.columns {
        heading.push_str(&format!("  {}", pad(&cut(name, *width, paint), *width)));
    }
    if layout.values > 0 {
        heading.push_str(&format!("  {}", pad("values", layout.values)));
    }
    if layout.at > 0 {
        heading.push_str("  at");
    }
    out.push_str(&paint.strong(heading.trim_end()));
    out.push('\n');
    for row in rows {
        let text = match layout.folded.get(&row.column) {
            Some(name) if !row.text.starts_with(name.as_str()) => format!("{name}: {}", row.text),
            _ => row.text.clone(),
        };
        let place = layout.place[row.column];
        let before: usize = layout.columns[..place].iter().map(|(_, w)| w + 2).sum();
        let to_the_right: usize = layout.columns[place..].iter().map(|(_, w)| w + 2).sum();
        // What a process waits for may run on through the columns to its right: they are empty in this row.
        let cell = if row.wait {
            let table = to_the_right - 2 + if layout.values > 0 { layout.values + 2 } else { 0 };
            let rest = paint.width.saturating_sub(3 + layout.number + before + 2);
            // With positions at the right edge it ends before them.
            if layout.at > 0 { table } else { width(&text).min(rest).max(table) }
        } else {
            layout.columns[place].1
        };
        let texts = wrap(&text, cell);
        let values = if layout.values > 0 && !row.wait {
            wrap(&row.values, layout.values)
        } else {
            vec![String::new()]
        };
        for line in 0..texts.len().max(values.len()) {
            let first = line == 0;
            let mark = if first && row.race { paint.race() } else { " " };
            let mut text_cell = pad(texts.get(line).map_or("", String::as_str), cell);
            if row.fails || row.race {
                text_cell = emphasised(&text_cell, row.fails, paint);
            }
            let number = if first { row.number.as_str() } else { "" };
            let mut text = format!(
                " {} {:>width$}{}  {text_cell}",
                if row.race { paint.warn(mark) } else { mark.to_owned() },
                number,
                " ".repeat(before),
                width = layout.number
            );
            if !row.wait {
                text.push_str(&" ".repeat(to_the_right - cell - 2));
                if layout.values > 0 {
                    let value = pad(values.get(line).map_or("", String::as_str), layout.values);
                    text.push_str(&format!("  {}", paint.faint(&value)));
                }
            }
            if first && layout.at > 0 {
                let at = if width(&row.at) <= layout.at { &row.at } else { line_of(&row.at) };
                text.push_str(&format!("  {}", paint.faint(&tail(at, layout.at, paint))));
            }
            out.push_str(text.trim_end());
            out.push('\n');
        }
    }
}

/// For terminals too narrow for columns.
fn list(rows: &[Row], names: &[String], paint: Paint, out: &mut String) {
    for row in rows {
        let mark = if row.race { paint.race() } else { " " };
        let mut text = format!("{}: {}", names.get(row.column).map_or("", String::as_str), row.text);
        if !row.values.is_empty() {
            text.push_str(&format!(" ({})", row.values));
        }
        for (at, line) in wrap(&text, paint.width.saturating_sub(8)).into_iter().enumerate() {
            let number = if at == 0 { row.number.as_str() } else { "" };
            let mark = if at == 0 { mark } else { " " };
            let line = if row.fails || row.race {
                emphasised(&line, row.fails, paint)
            } else {
                line
            };
            out.push_str(format!(" {mark} {number:>3}  {line}").trim_end());
            out.push('\n');
        }
    }
}

fn emphasised(text: &str, fails: bool, paint: Paint) -> String {
    if fails { paint.bad(text) } else { paint.warn(text) }
}

fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// The end of a text that is too long: of a path the file and the line matter most.
fn tail(text: &str, to: usize, paint: Paint) -> String {
    if width(text) <= to {
        return text.to_owned();
    }
    let keep = to.saturating_sub(width(paint.ellipsis()));
    format!("{}{}", paint.ellipsis(), end(text, keep))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_shortened_to_line_and_column() {
        assert_eq!(line_of("model.abs:12:5"), "12:5");
        assert_eq!(line_of("C:/models/a.abs:1:2"), "1:2");
        assert_eq!(line_of(""), "");
    }
}
