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
    /// The claims that were left out because that was asked for, each as a part of a sentence: `claim p1`.
    pub left_out: Vec<String>,
}

/// What becomes of `never` claims and `ltl` formulas.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Claims {
    /// All are checked.
    #[default]
    Check,
    /// They are left out, with a note.
    Ignore,
    /// Those with these names are checked.
    Only(Vec<String>),
}

/// What is asked of a model besides assertions and end states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// Its claims.
    pub claims: Claims,
    /// Whether executions are looked for that go on for ever without coming to a `progress` label again and again.
    pub non_progress: bool,
    /// Further formulas, as in `ltl { … }`.
    pub formulas: Vec<String>,
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
                left_out: Vec::new(),
            }
        }
    }
}

/// Reads a model from a text. `#include` looks for files next to `name`.
pub fn parse_text(name: &str, text: &str, settings: &[(String, String)]) -> Parsed {
    parse_text_with(name, text, settings, &Asked::default())
}

/// Reads a model from a text as [`parse_text`] does, with a word about what is asked of it.
pub fn parse_text_with(name: &str, text: &str, settings: &[(String, String)], asked: &Asked) -> Parsed {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    // They stand behind the text, whose macros they may use.
    let asked_for = asked.formulas.iter().enumerate();
    let formulas = asked_for.map(|(n, formula)| format!("\nltl {} {{ {formula} }}\n", formula_name(n)));
    let text = text.to_owned() + &formulas.collect::<String>();
    let file = match sources.add(name, text.as_str()) {
        Ok(file) => file,
        Err(too_large) => {
            diagnostics.push(Diagnostic::error("file", too_large.to_string()));
            return Parsed {
                sources,
                diagnostics,
                machine: None,
                left_out: Vec::new(),
            };
        }
    };
    let mut loader = |path: &Path| std::fs::read(path).map(decode);
    let tokens = preprocess::preprocess(&mut sources, file, Path::new(name), settings, &mut loader, &mut diagnostics);
    let priorities = parser::mentions_priorities(&tokens);
    let text = parser::parse(tokens, &sources, asked, &mut diagnostics);
    let expansions = text.expansions;
    let mut machine = None;
    // Names are only looked at in a text that could be read, so that one mistake is not reported twice.
    if !diagnostics.has_errors() {
        machine = lower::lower(name, &text.units, priorities, &mut diagnostics);
    }
    if !expansions.is_empty() {
        diagnostics = diagnostics.into_iter().map(|d| written(d, &expansions)).collect();
    }
    let mut left_out = text.left_out;
    if let Some(model) = &mut machine {
        left_out.extend(lower::leave_labels_out(model, asked));
    }
    Parsed {
        sources,
        diagnostics: diagnostics.sorted(),
        machine: machine.map(|model| Machine::new(Model { expansions, ..model })),
        left_out,
    }
}

/// The name of a formula that was asked for besides those of the model.
pub(crate) fn formula_name(nth: usize) -> String {
    match nth {
        0 => "asked".to_owned(),
        n => format!("asked_{}", n + 1),
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
