//! Reading a model from a file or a text.

use crate::expansion::Expansions;
use crate::machine::Machine;
use crate::model::Model;
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

/// What becomes of `never` claims, `ltl` formulas and `trace` assertions, which are more than safety properties.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Claims {
    /// They are errors: a verdict must not seem to speak of them.
    #[default]
    Refuse,
    /// They are left out, with a note.
    Ignore,
}

/// Reads a model from a file. `settings` are macros that override `#define`s of the text.
pub fn parse_file(path: &Path, settings: &[(String, String)]) -> Parsed {
    match std::fs::read(path) {
        Ok(bytes) => parse_text(&path.display().to_string(), &decode(bytes), settings),
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
    parse_text_with(name, text, settings, Claims::Refuse)
}

/// Reads a model from a text as [`parse_text`] does, with a word about claims.
pub fn parse_text_with(name: &str, text: &str, settings: &[(String, String)], claims: Claims) -> Parsed {
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
    let mut loader = |path: &Path| std::fs::read(path).map(decode);
    let tokens = preprocess::preprocess(&mut sources, file, Path::new(name), settings, &mut loader, &mut diagnostics);
    let priorities = parser::mentions_priorities(&tokens);
    let (units, expansions) = parser::parse(tokens, &sources, claims, &mut diagnostics);
    let mut machine = None;
    // Names are only looked at in a text that could be read, so that one mistake is not reported twice.
    if !diagnostics.has_errors() {
        machine = lower::lower(name, &units, priorities, &mut diagnostics);
    }
    if !expansions.is_empty() {
        diagnostics = diagnostics.into_iter().map(|d| written(d, &expansions)).collect();
    }
    Parsed {
        sources,
        diagnostics: diagnostics.sorted(),
        machine: machine.map(|model| Machine::new(Model { expansions, ..model })),
    }
}

/// The message with the places where things are written, rather than what they stand for.
fn written(mut diagnostic: Diagnostic, expansions: &Expansions) -> Diagnostic {
    for (place, _) in &mut diagnostic.labels {
        *place = expansions.origin(*place);
    }
    diagnostic
}

/// The text of a file. Older models are in Latin-1: what is not UTF-8 is read as that, and only comments and strings have such characters.
pub fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().into_iter().map(char::from).collect())
}
