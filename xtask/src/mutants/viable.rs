//! Finds the mutants that do not compile, by compiling all of them at once and leaving out those that the compiler complains about, until it
//! complains no more.

use super::catalogue::Catalogue;
use super::ledger::{Entry, Fate, Ledger};
use super::selection::CRATES;
use super::site::Shape;
use super::splice::Placed;
use super::workspace::Workspace;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Writes the changed sources so that they compile. Returns the numbers of the mutants that are left out.
pub fn write_viable(catalogue: &Catalogue, workspace: &Workspace, ledger: &mut Ledger) -> Result<HashSet<u32>, String> {
    let mut dropped = HashSet::new();
    for (of, mutated) in CRATES.iter().enumerate() {
        let root = format!("crates/{}/src/lib.rs", mutated.name);
        let text = std::fs::read_to_string(workspace.original.join(&root)).map_err(|e| format!("{root}: {e}"))?;
        workspace.write(&root, Workspace::with_switch(&text).as_bytes())?;
        for round in 1.. {
            let mut placed: HashMap<&str, (usize, Vec<Placed>)> = HashMap::new();
            for (at, source) in catalogue.sources.iter().enumerate().filter(|(_, s)| s.of == of) {
                let spliced = catalogue.spliced(at, &dropped);
                workspace.write(&source.path, spliced.text.as_bytes())?;
                placed.insert(&source.path, (at, spliced.placed));
            }
            let errors = errors(workspace, mutated.name)?;
            if errors.is_empty() {
                break;
            }
            let before = dropped.len();
            for error in &errors {
                for number in blamed(error, &placed, catalogue) {
                    if dropped.insert(number) {
                        let mutant = catalogue.mutants[&number];
                        ledger.record(Entry {
                            key: catalogue.key(mutant),
                            fate: Fate::Unviable,
                            by: error.message.clone(),
                        })?;
                    }
                }
            }
            eprintln!(
                "{}: round {round}, {} errors, {} mutants left out",
                mutated.name,
                errors.len(),
                dropped.len() - before
            );
            if dropped.len() == before {
                return Err(format!(
                    "{} does not compile, whatever is left out: {}",
                    mutated.name, errors[0].message
                ));
            }
        }
    }
    Ok(dropped)
}

struct CompileError {
    message: String,
    /// Where, the places that matter most first.
    spans: Vec<(String, Range<usize>)>,
}

fn errors(workspace: &Workspace, package: &str) -> Result<Vec<CompileError>, String> {
    let output = workspace
        .cargo(&["check", "--quiet", "--lib", "--package", package, "--message-format=json"])
        .output()
        .map_err(|e| format!("cargo check: {e}"))?;
    let mut errors = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let message = &message["message"];
        if message["level"] != "error" {
            continue;
        }
        let mut spans = Vec::new();
        for primary in [true, false] {
            for span in message["spans"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|s| s["is_primary"] == primary)
            {
                let offset = |name: &str| span[name].as_u64().unwrap_or(0) as usize;
                let path = span["file_name"].as_str().unwrap_or("").to_owned();
                spans.push((path, offset("byte_start")..offset("byte_end")));
            }
        }
        if !spans.is_empty() {
            errors.push(CompileError {
                message: message["message"].as_str().unwrap_or("").to_owned(),
                spans,
            });
        }
    }
    if errors.is_empty() && !output.status.success() {
        return Err(format!("cargo check {package}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(errors)
}

/// The mutants that are to blame for an error: those whose own code it is in; else those of the innermost switch around it; else what is left
/// out within it; else all of the function.
fn blamed(error: &CompileError, placed: &HashMap<&str, (usize, Vec<Placed>)>, catalogue: &Catalogue) -> Vec<u32> {
    let within = |inner: &Range<usize>, outer: &Range<usize>| outer.start <= inner.start && inner.end <= outer.end;
    let known: Vec<_> = error
        .spans
        .iter()
        .filter_map(|(path, span)| placed.get(path.as_str()).map(|(source, placed)| (*source, placed, span)))
        .collect();
    for (_, placed, span) in &known {
        let own = placed.iter().filter(|p| p.shape != Shape::Statement && within(span, &p.own));
        if let Some(found) = own.min_by_key(|p| p.own.len()) {
            return vec![found.mutant];
        }
    }
    for (_, placed, span) in &known {
        if let Some(innermost) = placed.iter().filter(|p| within(span, &p.whole)).min_by_key(|p| p.whole.len()) {
            return placed.iter().filter(|p| p.whole == innermost.whole).map(|p| p.mutant).collect();
        }
    }
    for (_, placed, span) in &known {
        let omitted: Vec<u32> = placed
            .iter()
            .filter(|p| p.shape == Shape::Statement && within(&p.whole, span))
            .map(|p| p.mutant)
            .collect();
        if !omitted.is_empty() {
            return omitted;
        }
    }
    for (source, placed, span) in &known {
        // The nearest switch before the error is in the same function, or there is none in it.
        if let Some(near) = placed.iter().filter(|p| p.whole.start <= span.start).max_by_key(|p| p.whole.start) {
            let function = &catalogue.change(catalogue.mutants[&near.mutant]).function;
            return catalogue.in_function(*source, function);
        }
    }
    Vec::new()
}
