//! What the scripts of the page show, as JSON.

use crate::arrows::{Arrow, arrows};
use crate::paint::{Paint, visible};
use crate::plain_json::{Value, list, object};
use crate::schedule_file;
use crate::summary::{Comparison, Counterexample, FinalState, Summary};
use crate::tree::Tree;
use crate::units::{bytes, count, counted, duration};
use crate::values::{touched, values};
use crate::verdict;
use mazurka_core::schedule::{RaceEnd, Recording, Schedule, StepRecord, WaitRecord, plan};
use mazurka_core::{Failure, Position};
use std::collections::HashMap;

/// Everything, with escapes for what a browser would not show: programs choose their own names and strings.
pub(super) fn of(summary: &Summary) -> Value {
    let sources = summary.sources.iter().map(|s| (s.name.clone(), Value::from(&s.text)));
    let data = object! {
        "title": summary.title(),
        "failures": summary.counterexamples.iter().map(|c| failure(c, &summary.program, &summary.arguments)).collect::<Value>(),
        "samples": summary.samples.iter().map(|r| failure(&sample(r), &summary.program, &summary.arguments)).collect::<Value>(),
        "sources": Value::object(sources),
        "tree": summary.tree.as_ref().map(tree),
        "finals": summary.final_states.as_ref().map(|states| states.iter().map(final_state).collect::<Value>()),
        "comparison": summary.comparison.iter().map(comparison).collect::<Value>(),
    };
    shown(data)
}

/// With escapes for what a browser would not show.
pub(super) fn shown(data: Value) -> Value {
    data.with_strings(&|text| visible(text).into_owned())
}

/// An execution that does not fail.
fn sample(recording: &Recording) -> Counterexample {
    Counterexample {
        recording: recording.clone(),
        after_executions: 0,
        reduced: None,
        schedule_file: None,
        replay_command: None,
    }
}

/// Names and values of the table that says what was covered.
pub(super) fn coverage(summary: &Summary) -> Vec<(&'static str, String)> {
    let c = &summary.outcome.counts;
    let mut rows = Vec::new();
    // Side by side the counts of each algorithm are in the table.
    if summary.comparison.is_empty() {
        rows.extend([
            ("executions", count(c.executions)),
            ("blocked", count(c.blocked)),
            ("cut", count(c.cut)),
            ("steps", count(c.steps)),
            ("states", count(c.states)),
            ("longest execution", counted(c.max_depth, "step")),
            ("algorithm", summary.algorithm.clone()),
            ("time", duration(summary.elapsed)),
        ]);
        rows.extend(summary.outcome.distinct_final_states.map(|n| ("final states", count(n))));
    }
    rows.extend([("order", summary.order.clone()), ("dependency", summary.dependency.clone())]);
    if let Some(memory) = summary.peak_memory {
        rows.push(("memory", bytes(memory)));
    }
    if let Some(limit) = summary.outcome.limit {
        rows.push(("limit reached", limit.name().to_owned()));
    }
    if summary.verified.is_some() {
        rows.push(("verified", "by an independent checker".to_owned()));
    }
    rows
}

pub(super) fn failure(c: &Counterexample, program: &str, arguments: &[String]) -> Value {
    let r = &c.recording;
    let arrows = arrows(r);
    let schedule = Schedule {
        repeats: r.repeats,
        program: program.to_owned(),
        arguments: arguments.to_vec(),
        failure: r.failure.as_ref().map(|f| (f.kind, f.message.clone())),
        steps: plan(r),
    };
    object! {
        "kind": r.failure.as_ref().map_or("execution", |f| f.kind.name()),
        "message": r.failure.as_ref().map_or("no failure", |f| f.message.as_str()),
        "at": r.failure.as_ref().and_then(|f| f.at.as_ref()).map(position),
        "explanation": r.failure.as_ref().map_or(Vec::new(), |f| explanation(f, r)),
        "waiting": crate::waits::lines(r, Paint::default()),
        "columns": columns(r),
        "initial": r.initial.clone(),
        "steps": r.steps.iter().enumerate().map(|(at, s)| step(s, arrows.iter().filter(|a| a.from == at))).collect::<Value>(),
        "waits": r.waits.iter().map(|w| wait(w, r)).collect::<Value>(),
        "cycle": r.cycle.clone(),
        "race": r.race.as_ref().map(|race| object! {
            "first": race.first,
            "step": match race.second { RaceEnd::Step(s) => Some(s), RaceEnd::Wait(_) => None },
            "wait": match race.second { RaceEnd::Wait(w) => Some(w), RaceEnd::Step(_) => None },
            "locations": race.locations.clone(),
            "decisive": race.decisive,
            "instead": race.instead.as_ref(),
        }),
        "repeats": r.repeats,
        "switches": r.switches(),
        "reduced": c.reduced.map(|r| object! { "steps": r.from_steps, "switches": r.from_switches }),
        "command": c.replay_command.as_ref(),
        "schedule": download(&schedule_file::write(&schedule)),
        "scheduleName": c.schedule_file.as_deref().map_or("mazurka.schedule.json", |file| file.rsplit(['/', '\\']).next().unwrap_or(file)),
    }
}

/// The text as an address that holds it.
fn download(text: &str) -> String {
    let mut address = "data:application/json;charset=utf-8,".to_owned();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => address.push(char::from(byte)),
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address
}

/// The lifelines: everything that moves, waits, receives or is started.
fn columns(r: &Recording) -> Vec<String> {
    let mut columns = r.columns();
    let mut add = |name: &String| {
        if !columns.contains(name) {
            columns.push(name.clone());
        }
    };
    for step in &r.steps {
        step.text.sends.iter().for_each(|(receiver, _)| add(receiver));
        step.births.iter().for_each(|(_, _, column)| add(column));
    }
    for wait in &r.waits {
        wait.on.iter().for_each(|(_, _, column)| add(column));
    }
    columns
}

fn step<'a>(s: &StepRecord, arrows: impl Iterator<Item = &'a Arrow>) -> Value {
    object! {
        "process": &s.process,
        "column": &s.column,
        "label": &s.text.label,
        "at": s.text.at.as_ref().map(position),
        "values": values(s, Paint::default()),
        "changes": s.changes.iter().map(|c| list![&c.name, c.before.as_ref(), c.after.as_ref()]).collect::<Value>(),
        "touched": touched(s, Paint::default()),
        "arrows": arrows.map(|a| object! { "to": a.to, "column": &a.column, "text": &a.text, "message": a.is_message }).collect::<Value>(),
        "causes": s.causes.clone(),
        "key": &s.key,
        "choice": s.transition.choice,
        "others": s.alternatives.iter().map(|a| list![&a.process, &a.label, a.enabled]).collect::<Value>(),
        "failure": s.failure.as_ref().map(|f| f.message.as_str()),
        "failedAt": s.failure.as_ref().and_then(|f| f.at.as_ref()).map(position),
    }
}

/// What failed, without its kind, which the page writes in front.
fn explanation(failure: &Failure, recording: &Recording) -> Vec<String> {
    let kind = failure.kind.name();
    let sentences = verdict::what_failed(failure, recording).into_iter();
    sentences
        .map(|s| s.strip_prefix(kind).unwrap_or(&s).trim_start().to_owned())
        .collect()
}

fn wait(w: &WaitRecord, r: &Recording) -> Value {
    object! {
        "process": &w.process,
        "column": &w.column,
        "what": &w.what,
        "on": w.on.as_ref().map(|(_, name, _)| name),
        "onColumn": w.on.as_ref().map(|(_, _, column)| column),
        "because": crate::waits::because(w, r),
        "at": w.at.as_ref().map(position),
    }
}

fn position(p: &Position) -> Value {
    object! { "file": &p.file, "line": p.line, "column": p.column }
}

/// Processes and labels repeat a lot, so each word is written once and then referred to by its number.
fn tree(tree: &Tree) -> Value {
    let mut words: Vec<&str> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut nodes: Vec<Value> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let [process, label, key] = [&node.process, &node.label, &node.key].map(|word| {
            *numbers.entry(word).or_insert_with(|| {
                words.push(word);
                words.len() - 1
            })
        });
        nodes.push(list![
            node.parent,
            process,
            label,
            node.end.map_or("", |e| e.name()),
            key,
            node.choice
        ]);
    }
    object! { "words": words, "nodes": nodes, "truncated": tree.truncated }
}

/// A row of the table with its time twice: as a number for the chart, and as people read it.
fn comparison(row: &Comparison) -> Value {
    match &row.result {
        Err(reason) => object! { "algorithm": &row.algorithm, "refused": reason },
        Ok((outcome, elapsed)) => {
            let c = &outcome.counts;
            object! {
                "algorithm": &row.algorithm,
                "verdict": outcome.verdict.name(),
                "limit": outcome.limit.map(|limit| limit.name()),
                "sound": outcome.sound,
                "executions": c.executions,
                "blocked": c.blocked,
                "cut": c.cut,
                "steps": c.steps,
                "states": c.states,
                "max_depth": c.max_depth,
                "elapsed_us": u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
                "elapsed": duration(*elapsed),
            }
        }
    }
}

fn final_state(state: &FinalState) -> Value {
    object! { "values": state.values.clone(), "executions": state.executions, "end": state.end.name(), "sample": state.sample }
}
