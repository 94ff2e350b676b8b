//! Small damage to the benchmark models: what is still accepted runs without a panic, can be described at every step, and
//! obeys the laws.
//!
//! `MUTANTS=100000 cargo test -p mazurka-abs mutants` looks at more of them.

use crate::run::common::{Random, at_end};
use crate::run::laws::obeyed;
use mazurka_abs::model::{Options, open_text};
use mazurka_abs::run::{Machine, Settings};
use mazurka_core::laws::Effort;
use mazurka_core::{Describe, Effects, Footprint, Pending, Program};

/// The texts of all benchmark models, by name.
pub fn models() -> Vec<String> {
    let directory = format!("{}/../../benchmarks/abs", env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> = std::fs::read_dir(&directory)
        .unwrap_or_else(|e| panic!("{directory}: {e}"))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "abs"))
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Words and single other characters, with the white space after them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let end = end + rest[end..].find(|c: char| !c.is_whitespace()).unwrap_or(rest.len() - end);
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

const STRANGE: [&str; 14] = [
    "null ",
    "this ",
    "0 ",
    "-1 ",
    "99999999999999999999 ",
    "Nil ",
    "skip; ",
    "suspend; ",
    "await ",
    "get ",
    "1/0 ",
    "destiny ",
    "\"\" ",
    "random(3) ",
];

fn mutant(r: &mut Random, text: &str) -> String {
    let mut tokens = tokens(text);
    for _ in 0..1 + r.below(3) {
        let at = r.below(tokens.len() as u64) as usize;
        let from = r.below(tokens.len() as u64) as usize;
        match r.below(5) {
            0 => tokens.swap(at, from),
            1 => tokens[at] = tokens[from],
            2 => {
                tokens.remove(at);
            }
            3 => tokens.insert(at, tokens[from]),
            _ => tokens[at] = r.pick(&STRANGE),
        }
    }
    tokens.concat()
}

/// One random schedule, a bounded part of it.
fn exercise(r: &mut Random, machine: &Machine) {
    let mut run = machine.start();
    let mut pending: Vec<Pending> = Vec::new();
    for _ in 0..60 {
        pending.clear();
        machine.pending(&run, &mut pending);
        let enabled: Vec<_> = pending.iter().filter(|p| p.enabled).map(|p| p.transition).collect();
        if enabled.is_empty() {
            break;
        }
        let next = enabled[r.below(enabled.len() as u64) as usize];
        let mut footprint = Footprint::default();
        machine.footprint(&run, next, &mut footprint);
        let _ = machine.describe(&run, next);
        let mut effects = Effects::default();
        Program::step(machine, &mut run, next, &mut effects);
        let _ = machine.fingerprint(&run);
        if effects.failure.is_some() {
            break;
        }
    }
    let _ = (machine.values(&run), machine.waits(&run), Describe::output(machine, &run));
    let _ = at_end(machine, &run);
}

#[test]
fn mutants_of_the_benchmarks_neither_panic_nor_hang_and_obey_the_laws() {
    let count = std::env::var("MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_500_u64);
    let models = models();
    let options = Options::default().settings(Settings {
        step_budget: 5_000,
        ..Settings::default()
    });
    let mut accepted = 0;
    for seed in 0..count {
        let mut r = Random(seed);
        let model = &models[r.below(models.len() as u64) as usize];
        let text = mutant(&mut r, model);
        match open_text("mutant.abs", &text, &options) {
            Ok(opened) => {
                accepted += 1;
                exercise(&mut r, &opened.machine);
                let effort = Effort::default().walks(1).steps(40).seed(seed);
                obeyed(&text, &options, &effort).unwrap_or_else(|broken| panic!("mutant {seed}: {broken}"));
            }
            Err((sources, diagnostics)) => {
                assert!(diagnostics.has_errors());
                assert!(!diagnostics.render(&sources, false).is_empty());
            }
        }
    }
    assert!(accepted > count / 20, "only {accepted} of {count} mutants could be run");
}
