//! What the scripts of the page show, as JSON.

use crate::columns::values;
use crate::compare;
use crate::paint::Paint;
use crate::summary::{Counterexample, FinalState, Summary};
use crate::tree::Tree;
use crate::units::{bytes, count, duration};
use mazurka_core::Position;
use mazurka_core::schedule::{RaceEnd, Recording, StepRecord, WaitRecord};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Everything.
pub(super) fn of(summary: &Summary) -> Value {
    let sources: serde_json::Map<String, Value> = summary.sources.iter().map(|s| (s.name.clone(), s.text.clone().into())).collect();
    json!({
        "title": summary.title(),
        "failures": summary.counterexamples.iter().map(failure).collect::<Vec<_>>(),
        "sources": sources,
        "tree": summary.tree.as_ref().map(tree),
        "finals": summary.final_states.as_ref().map(|states| states.iter().map(final_state).collect::<Vec<_>>()),
        "comparison": summary.comparison.iter().map(compare::json_row).collect::<Vec<_>>(),
    })
}

/// Names and values of the table that says what was covered.
pub(super) fn coverage(summary: &Summary) -> Vec<(&'static str, String)> {
    let c = &summary.outcome.counts;
    let mut rows = vec![
        ("executions", count(c.executions)),
        ("blocked", count(c.blocked)),
        ("cut", count(c.cut)),
        ("steps", count(c.steps)),
        ("states", count(c.states)),
        ("longest execution", count(c.max_depth)),
        ("algorithm", summary.algorithm.clone()),
        ("order", summary.order.clone()),
        ("dependency", summary.dependency.clone()),
        ("time", duration(summary.elapsed)),
    ];
    if let Some(n) = summary.outcome.distinct_final_states {
        rows.push(("final states", count(n)));
    }
    if let Some(memory) = summary.peak_memory {
        rows.push(("memory", bytes(memory)));
    }
    if let Some(limit) = summary.outcome.limit {
        rows.push(("limit reached", limit.name().to_owned()));
    }
    rows
}

fn failure(c: &Counterexample) -> Value {
    let r = &c.recording;
    json!({
        "kind": r.failure.as_ref().map_or("execution", |f| f.kind.name()),
        "message": r.failure.as_ref().map_or("no failure", |f| f.message.as_str()),
        "at": r.failure.as_ref().and_then(|f| f.at.as_ref()).map(position),
        "columns": columns(r),
        "initial": r.initial,
        "steps": r.steps.iter().map(step).collect::<Vec<_>>(),
        "waits": r.waits.iter().map(wait).collect::<Vec<_>>(),
        "cycle": r.cycle,
        "race": r.race.as_ref().map(|race| json!({
            "first": race.first,
            "step": match race.second { RaceEnd::Step(s) => Some(s), RaceEnd::Wait(_) => None },
            "wait": match race.second { RaceEnd::Wait(w) => Some(w), RaceEnd::Step(_) => None },
            "locations": race.locations,
            "decisive": race.decisive,
        })),
        "switches": r.switches(),
        "reduced": c.reduced.map(|r| json!({"steps": r.from_steps, "switches": r.from_switches})),
        "command": c.replay_command,
    })
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

fn step(s: &StepRecord) -> Value {
    json!({
        "process": s.process,
        "column": s.column,
        "label": s.text.label,
        "at": s.text.at.as_ref().map(position),
        "values": values(s, Paint::default()),
        "changes": s.changes.iter().map(|c| json!([c.name, c.before, c.after])).collect::<Vec<_>>(),
        "sends": s.text.sends,
        "births": s.births.iter().map(|(_, name, column)| [name, column]).collect::<Vec<_>>(),
        "others": s.alternatives.iter().map(|a| json!([a.process, a.label, a.enabled])).collect::<Vec<_>>(),
        "failure": s.failure.as_ref().map(|f| f.message.as_str()),
    })
}

fn wait(w: &WaitRecord) -> Value {
    json!({
        "process": w.process,
        "column": w.column,
        "what": w.what,
        "on": w.on.as_ref().map(|(_, name, _)| name),
        "onColumn": w.on.as_ref().map(|(_, _, column)| column),
        "at": w.at.as_ref().map(position),
    })
}

fn position(p: &Position) -> Value {
    json!({"file": p.file, "line": p.line, "column": p.column})
}

/// Processes and labels repeat a lot, so each word is written once and then referred to by its number.
fn tree(tree: &Tree) -> Value {
    let mut words: Vec<&str> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut nodes: Vec<Value> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let [process, label] = [&node.process, &node.label].map(|word| {
            *numbers.entry(word).or_insert_with(|| {
                words.push(word);
                words.len() - 1
            })
        });
        nodes.push(json!([node.parent, process, label, node.end.map_or("", |e| e.name())]));
    }
    json!({"words": words, "nodes": nodes, "truncated": tree.truncated})
}

fn final_state(state: &FinalState) -> Value {
    json!({"values": state.values, "executions": state.executions, "deadlock": state.deadlock})
}
