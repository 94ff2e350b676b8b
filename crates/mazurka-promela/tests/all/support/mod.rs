//! What the tests of whole models share.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod fragments;
pub mod generator;

use mazurka_core::{Algorithm, Checks, FailureKind, Options, Outcome, StateReport, StatefulOptions, Status, stateful_search};
use mazurka_promela::{Asked, Promela, parse_file, parse_text, parse_text_with};
use std::path::PathBuf;

/// The models written for the comparison, by name.
pub fn models() -> Vec<(String, PathBuf)> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/promela");
    let entries = std::fs::read_dir(directory).expect("the models are part of the repository");
    let mut models: Vec<(String, PathBuf)> = entries
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "pml"))
        .map(|path| (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), path))
        .collect();
    models.sort();
    assert!(models.len() >= 30, "{} models", models.len());
    models
}

/// A model that must be readable.
pub fn load(path: &std::path::Path) -> Promela {
    let parsed = parse_file(path, &[]);
    let machine = parsed
        .machine
        .unwrap_or_else(|| panic!("{}: {:?}", path.display(), parsed.diagnostics));
    Promela::new(machine, parsed.sources)
}

/// A text that must be readable.
pub fn read(text: &str) -> Promela {
    let parsed = parse_text("model.pml", text, &[]);
    let machine = parsed.machine.unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics));
    Promela::new(machine, parsed.sources)
}

/// A text that must be readable, with what is asked of it.
pub fn read_asked(text: &str, asked: &Asked) -> Promela {
    let parsed = parse_text_with("model.pml", text, &[], asked);
    let machine = parsed.machine.unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics));
    Promela::new(machine, parsed.sources)
}

/// Searches all states with an algorithm, for what can go wrong in steps and at ends.
pub fn search(promela: &Promela, algorithm: &str, stateful: StatefulOptions, change: impl Fn(&mut Options)) -> (Outcome, StateReport) {
    let mut options = Options::new(Algorithm::parse(algorithm).expect("a known algorithm"));
    change(&mut options);
    let mut search = stateful_search(promela, &options, stateful.checks(Checks::Safety)).expect("fits every model");
    while search.advance(100_000) == Status::Running {}
    (search.outcome(), search.report())
}

/// The failures as sorted words.
pub fn messages(outcome: &Outcome) -> Vec<String> {
    let mut messages: Vec<String> = outcome
        .failures
        .iter()
        .map(|f| match f.failure.kind {
            // Which processes wait depends on the end state that is met first.
            FailureKind::Deadlock => "deadlock".to_owned(),
            kind => format!("{} {} {:?}", kind.name(), f.failure.message, f.failure.at),
        })
        .collect();
    messages.sort();
    messages.dedup();
    messages
}
