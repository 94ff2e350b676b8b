//! The front half of ABS: what is parsed and accepted, what is refused and how.

mod annotations;
mod calls;
mod classes;
mod data_types;
mod diagnostics;
mod exceptions;
mod functions;
mod higher_order;
mod interfaces;
mod modules;
mod numbers;
mod old_dialect;
mod patterns;
mod robustness;
mod statements;
mod strings;
mod traits;
mod unsupported;

use mazurka_abs::checked::CheckedModel;
use mazurka_diagnostics::{Diagnostics, SourceMap};

/// Checks a module's contents.
fn check(contents: &str) -> Result<(CheckedModel, Diagnostics), (Diagnostics, String)> {
    check_file(&format!("module M;\n{contents}"))
}

/// Checks a whole file.
fn check_file(text: &str) -> Result<(CheckedModel, Diagnostics), (Diagnostics, String)> {
    let mut sources = SourceMap::new();
    let file = sources.add("m.abs", text).unwrap();
    match mazurka_abs::analyse(&mut sources, &[file]) {
        Ok(analysis) => Ok((analysis.model, analysis.diagnostics)),
        Err(diagnostics) => {
            let text = diagnostics.render(&sources, false);
            Err((diagnostics, text))
        }
    }
}

/// The model of a program that must be accepted.
fn accept(contents: &str) -> CheckedModel {
    match check(contents) {
        Ok((model, _)) => model,
        Err((_, text)) => panic!("refused:\n{text}\n{contents}"),
    }
}

/// Accepts all of them.
fn accept_all(programs: &[&str]) {
    for program in programs {
        accept(program);
    }
}

/// Demands that a program is refused, with an error of this code among the messages.
fn refuse(contents: &str, code: &str) {
    match check(contents) {
        Ok(_) => panic!("accepted, although {code} was expected:\n{contents}"),
        Err((diagnostics, text)) => assert!(diagnostics.iter().any(|d| d.code == code), "{code} was expected:\n{text}"),
    }
}

/// Refuses all of them with the same code.
fn refuse_all(code: &str, programs: &[&str]) {
    for program in programs {
        refuse(program, code);
    }
}

/// The codes of the warnings and notes about a program that must be accepted.
fn remarks(contents: &str) -> Vec<&'static str> {
    match check(contents) {
        Ok((_, diagnostics)) => diagnostics.iter().map(|d| d.code).collect(),
        Err((_, text)) => panic!("refused:\n{text}\n{contents}"),
    }
}
