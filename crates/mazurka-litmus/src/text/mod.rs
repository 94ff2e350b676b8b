//! The compact notation of shared-variable programs, as files `*.litmus`, in tests and in what the fuzzer prints.
//!
//! ```text
//! // shared variables; those that are not declared start as 0
//! init y=1, a[4], b[2]={5,6};
//! // a process is a name and its atomic steps
//! p0:[x=1; l=z]
//! p1:[await y>=2; x=0][l=y]
//! // locals with initial values; a name that begins with l is a local without being declared
//! p2(i=3): #top[l=a[i]; if (l!=0) { i=i-1; goto top }] [assert i>=0 "below the array"]
//! // spawn starts a process; bodies that are spawned somewhere do not start by themselves
//! p3:[spawn k(7)] k(n):[lock m][x += n; b[0] @+ 1][unlock m]
//! // three transitions to choose from
//! p4:[choose l 3; y=l]
//! ```
//! `await`, `lock` and `choose` stand at the front of a step. `x += e` reads and writes; `x @+ e` commutes with other such additions.
//! `bounded;` before the first process promises that loops and recursive spawns end.

mod lexer;
mod parser;
mod printer;

use crate::model::Model;
use mazurka_core::Position;

/// Where a text is wrong, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{at}: {message}")]
pub struct ParseError {
    /// Where.
    pub at: Position,
    /// What is wrong.
    pub message: String,
}

/// For each body, where its steps are.
pub(crate) type StepPositions = Vec<Vec<Position>>;

/// Reads a program; `file` is the name used in errors.
///
/// # Errors
/// The first thing that is wrong, with its position.
pub fn parse(file: &str, text: &str) -> Result<Model, ParseError> {
    parse_with_positions(file, text).map(|(model, _)| model)
}

pub(crate) fn parse_with_positions(file: &str, text: &str) -> Result<(Model, StepPositions), ParseError> {
    let (model, positions) = parser::parse(file, text)?;
    match model.check() {
        Ok(()) => Ok((model, positions)),
        Err(e) => {
            let body = e.body.as_ref().and_then(|name| model.bodies().iter().position(|b| b.name == *name));
            let at = body.and_then(|b| positions[b].get(e.step.unwrap_or(0))).cloned();
            let at = at.unwrap_or(Position {
                file: file.to_string(),
                line: 1,
                column: 1,
            });
            Err(ParseError {
                at,
                message: e.to_string(),
            })
        }
    }
}

pub(crate) use printer::expression_text;
pub use printer::step_text;
