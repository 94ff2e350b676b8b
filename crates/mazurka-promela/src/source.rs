//! Reading a model from a file or a text.

use crate::machine::Machine;
use crate::{lower, parser, preprocess};
use mazurka_diagnostics::{Diagnostic, Diagnostics, SourceMap};
use std::path::Path;

/// What became of a source text.
#[derive(Debug)]
pub struct Parsed {
    /// All texts that were read.
    pub sources: SourceMap,
    /// Errors, warnings and notes, in the order of the text.
    pub diagnostics: Diagnostics,
    /// The machine, if there was no error.
    pub machine: Option<Machine>,
}

/// Reads a model from a file. `settings` are macros that override `#define`s of the text.
pub fn parse_file(path: &Path, settings: &[(String, String)]) -> Parsed {
    match std::fs::read_to_string(path) {
        Ok(text) => parse_text(&path.display().to_string(), &text, settings),
        Err(error) => {
            let message = format!("cannot read `{}`: {error}", path.display());
            Parsed {
                sources: SourceMap::new(),
                diagnostics: Diagnostic::error("file", message).into(),
                machine: None,
            }
        }
    }
}

/// Reads a model from a text. `#include` looks for files next to `name`.
pub fn parse_text(name: &str, text: &str, settings: &[(String, String)]) -> Parsed {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = match sources.add(name, text) {
        Ok(file) => file,
        Err(too_large) => {
            diagnostics.push(Diagnostic::error("file", too_large.to_string()));
            return Parsed {
                sources,
                diagnostics,
                machine: None,
            };
        }
    };
    let mut loader = |path: &Path| std::fs::read_to_string(path);
    let tokens = preprocess::preprocess(&mut sources, file, Path::new(name), settings, &mut loader, &mut diagnostics);
    let units = parser::parse(tokens, &mut diagnostics);
    let mut machine = None;
    // Names are only looked at in a text that could be read, so that one mistake is not reported twice.
    if !diagnostics.has_errors() {
        machine = lower::lower(name, &units, &mut diagnostics).map(Machine::new);
    }
    Parsed {
        sources,
        diagnostics: diagnostics.sorted(),
        machine,
    }
}
