//! Executions without end against SPIN: the same verdict about formulas, `accept` labels and `progress` labels, with weak fairness and without.

use super::runner::{Question, compile_for};
use super::{on_models, random_models};
use crate::promela_models::read_asked;
use mazurka_core::{Algorithm, Checks, FailureKind, Options, StatefulOptions, Status, Verdict, stateful_search};
use mazurka_laboratory::promela::endless;
use mazurka_laboratory::random::Numbers;
use mazurka_promela::{Asked, Promela};
use std::path::Path;

/// Models in which something fails in a step say little about cycles: assertions become conditions here.
fn without_assertions(text: &str) -> String {
    text.replace("assert(", "(")
}

fn formula(seed: u64) -> String {
    // SPIN knows no `X`, and counts `accept` labels of processes beside those of its claim.
    let mut numbers = Numbers::new(seed);
    loop {
        let claimed = endless::generate(&mut numbers);
        if !claimed.formula.contains("X ") && !claimed.formula.contains("np_") {
            return without_assertions(&claimed.text()).replace("accept_", "at_z");
        }
    }
}

fn labels(seed: u64) -> String {
    let mut numbers = Numbers::new(seed);
    loop {
        let text = without_assertions(&endless::generate(&mut numbers).model.to_string());
        if text.contains("accept_") && text.contains("progress_") {
            return text;
        }
    }
}

/// Whether a property that begins with this word is violated; `None` if something fails in a step.
fn ours(promela: &Promela, property: &str, fair: bool) -> Option<bool> {
    let algorithm = Algorithm::parse("stateful").expect("a known algorithm");
    let how = StatefulOptions::default().fair(fair).checks(Checks::Properties);
    let mut search = stateful_search(promela, &Options::new(algorithm).keep_going(true), how).expect("fits every model");
    while search.advance(100_000) == Status::Running {}
    let failures = search.outcome().failures;
    if failures.iter().any(|f| f.failure.kind != FailureKind::Property) {
        return None;
    }
    let report = search.report();
    let found = report.properties.iter().find(|p| p.name.starts_with(property))?;
    Some(found.verdict == Some(Verdict::Violation))
}

fn compare(name: &str, path: &Path, question: Question, property: &str) -> Result<bool, String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let Ok(verifier) = compile_for(question, path, directory.path()) else {
        return Ok(false);
    };
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let asked = Asked {
        non_progress: question == Question::Progress,
        ..Asked::default()
    };
    let promela = read_asked(&text, &asked);
    for fair in [false, true] {
        let (Some(ours), Some(theirs)) = (ours(&promela, property, fair), verifier.violated(question, fair)?) else {
            return Ok(false);
        };
        if ours != theirs {
            return Err(format!("{name}: {property}, fair {fair}: violated {ours}, but SPIN says {theirs}"));
        }
    }
    Ok(true)
}

#[test]
fn random_formulas_are_violated_where_spin_says() {
    on_models(
        random_models() / 3,
        formula,
        |name, path| compare(name, path, Question::Acceptance, "claim f"),
        4,
    );
}

#[test]
fn accept_and_progress_labels_are_met_where_spin_says() {
    let both = |name: &str, path: &Path| {
        let progress = name.ends_with(['1', '3', '5', '7', '9']);
        match progress {
            true => compare(name, path, Question::Progress, "progress"),
            false => compare(name, path, Question::Acceptance, "accept"),
        }
    };
    on_models(random_models() / 3, labels, both, 2);
}
