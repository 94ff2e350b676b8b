//! The compact notation of shared-variable programs, as files `*.litmus`, in tests and in what the fuzzer prints.
//!
//! ```text
//! // a constant, which can be set from outside
//! const N=3;
//! // shared variables and arrays
//! init y=1, count=0, mutex, a[4], b[2]={5,6};
//! // a process is a name and its atomic steps
//! p0:[x=1; l=z]
//! p1:[await y>=2; x=0][l=y]
//! // locals with initial values
//! p2(i=3): #top[l=a[i]; if (l!=0) { i=i-1; goto top }] [assert i>=0 "below the array"]
//! // spawn starts a process; bodies that are spawned somewhere do not start by themselves
//! p3:[spawn k(7)] k(n):[lock mutex][count += n; b[0] @+ 1][unlock mutex]
//! // three transitions to choose from
//! p4:[choose l 3; y=l]
//! // N processes `worker 0`, `worker 1`…, each with its number as the local `id`; `worker[N]:` if it does not matter
//! worker[id<N]:[a[id]=1; count += 1]
//! ```
//! A name of one letter, perhaps with digits after it, needs no declaration: `l`, `l1`, `l2`… are locals of their process, all others are shared
//! and start as 0. Every longer name is declared, so that a slip of the fingers is an error and not another variable.
//!
//! `await`, `lock` and `choose` stand at the front of a step. `x += e` reads and writes; `x @+ e` commutes with other such additions.
//! `bounded;` before the first process promises that loops and recursive spawns end.

mod error;
mod lexer;
mod parser;
mod printer;

use crate::model::Model;
use mazurka_core::Position;

pub use error::ParseError;

/// Where the steps of a program are in its text. There may be millions of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepPositions {
    file: String,
    /// For each body and step, its line and column, from 1.
    places: Vec<Vec<(u32, u32)>>,
}

impl StepPositions {
    /// For each body and step of a file, its line and column, from 1.
    pub(crate) fn new(file: &str, places: Vec<Vec<(u32, u32)>>) -> Self {
        StepPositions {
            file: file.to_owned(),
            places,
        }
    }

    /// The place of a step, if the program was read from a text.
    pub(crate) fn of(&self, body: usize, step: usize) -> Option<Position> {
        let (line, column) = *self.places.get(body)?.get(step)?;
        Some(Position {
            file: self.file.clone(),
            line,
            column,
        })
    }
}

/// Reads a program; `file` is the name used in errors.
///
/// # Errors
/// The first thing that is wrong, with its position.
pub fn parse(file: &str, text: &str) -> Result<Model, ParseError> {
    parse_with(file, text, &[])
}

/// Reads a program in which some constants have other values than the text gives them.
///
/// # Errors
/// The first thing that is wrong, with its position; also constants that do not exist or are set twice.
pub fn parse_with(file: &str, text: &str, settings: &[(String, i64)]) -> Result<Model, ParseError> {
    parse_with_positions(file, text, settings).map(|(model, _)| model)
}

pub(crate) fn parse_with_positions(file: &str, text: &str, settings: &[(String, i64)]) -> Result<(Model, StepPositions), ParseError> {
    let read = parser::parse(file, text, settings)?;
    match read.model.check() {
        Ok(()) => Ok((read.model, read.positions)),
        Err(e) => Err(ParseError::new(
            file,
            text,
            "not-allowed-here",
            read.places.of(&read.model, &e),
            e.what,
        )),
    }
}

/// Reads a program, and where its steps are.
pub(crate) fn parse_for_graphs(
    file: &str,
    text: &str,
    settings: &[(String, i64)],
) -> Result<(Model, StepPositions, parser::Places), ParseError> {
    let read = parser::parse(file, text, settings)?;
    match read.model.check() {
        Ok(()) => Ok((read.model, read.positions, read.places)),
        Err(e) => Err(ParseError::new(
            file,
            text,
            "not-allowed-here",
            read.places.of(&read.model, &e),
            e.what,
        )),
    }
}

pub(crate) use printer::expression_text;
pub use printer::step_text;
