//! From tokens to a [`Model`].
//!
//! Recursive descent with one token of lookahead. Nesting is bounded, so no text overflows the stack.

mod atomics;
mod constants;
mod copies;
mod names;
mod places;
mod steps;

use super::lexer::{Placed, Token, tokens};
use super::{ParseError, StepPositions};
use crate::model::{Body, Declared, Label, LocalVariable, MAX_CELLS, Model, Step, Variable};
use constants::Constant;
use copies::Header;
use mazurka_diagnostics::Span;
pub(crate) use places::Places;
use places::{BodyPlace, StepPlace};
use rustc_hash::{FxHashMap, FxHashSet};

/// Statements and expressions nested deeper than this are refused.
const MAX_NESTING: usize = 64;
/// The longest array.
const MAX_LENGTH: usize = 100_000;
/// The most processes: a search keeps for every step who could have moved.
const MAX_PROCESSES: usize = 4_000;

const KEYWORDS: [&str; 14] = [
    "init", "const", "bounded", "await", "lock", "unlock", "choose", "if", "else", "assert", "spawn", "goto", "end", "skip",
];

/// A program, and where its parts are in the text.
pub(super) struct Read {
    pub model: Model,
    pub positions: StepPositions,
    pub places: Places,
}

pub(super) fn parse(file: &str, text: &str, settings: &[(String, i64)]) -> Parsed<Read> {
    let tokens = tokens(file, text)?;
    let mut parser = Parser {
        file,
        text,
        tokens,
        at: 0,
        settings,
        constants: FxHashMap::default(),
        bodies: FxHashMap::default(),
        taken: FxHashSet::default(),
        model: Model::new(),
        variables: FxHashMap::default(),
        locals: FxHashMap::default(),
        labels: FxHashMap::default(),
        mentions: Vec::new(),
        cells: 0,
        spawns: Vec::new(),
        positions: StepPositions {
            file: file.to_string(),
            places: Vec::new(),
        },
        places: Places::default(),
        nesting: 0,
        declared: Vec::new(),
        in_never: false,
    };
    parser.program()?;
    Ok(Read {
        model: parser.model,
        positions: parser.positions,
        places: parser.places,
    })
}

struct Parser<'t> {
    file: &'t str,
    text: &'t str,
    tokens: Vec<Placed>,
    at: usize,
    /// Constants that are given another value than the text does.
    settings: &'t [(String, i64)],
    constants: FxHashMap<String, Constant>,
    /// All processes, by their names.
    bodies: FxHashMap<String, Header>,
    /// The names of the processes read so far, those of copies too.
    taken: FxHashSet<String>,
    model: Model,
    /// The shared variables known so far.
    variables: Names,
    /// The locals of the process being read.
    locals: Names,
    /// The labels of the process being read.
    labels: Names,
    /// Where each of those labels is mentioned first.
    mentions: Vec<usize>,
    /// How many shared cells are declared so far.
    cells: usize,
    /// The spawns seen so far: place in the text, body, number of values.
    spawns: Vec<(usize, usize, usize)>,
    positions: StepPositions,
    places: Places,
    nesting: usize,
    /// What the accesses of the process being read promise.
    declared: Vec<Declared>,
    /// Whether what is read is a condition about the end.
    in_never: bool,
}

/// What a name stands for: its place in the list that holds it. A text may have a great many names.
type Names = FxHashMap<String, usize>;

type Parsed<T> = Result<T, ParseError>;

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].token.clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    /// The line and column of a token.
    fn position(&self, at: usize) -> (u32, u32) {
        let Placed { line, column, .. } = self.tokens[at];
        (line, column)
    }

    /// The place of one token.
    fn span(&self, at: usize) -> Span {
        self.tokens[at].span
    }

    /// The place of what was read since `from`.
    fn span_since(&self, from: usize) -> Span {
        self.span(from).to(self.span(from.max(self.at.saturating_sub(1))))
    }

    fn error(&self, span: Span, code: &'static str, message: impl Into<String>) -> ParseError {
        ParseError::new(self.file, self.text, code, span, message)
    }

    fn error_at<T>(&self, at: usize, code: &'static str, message: String) -> Parsed<T> {
        Err(self.error(self.span(at), code, message))
    }

    fn unexpected<T>(&self, expected: &str) -> Parsed<T> {
        self.error_at(self.at, "syntax", format!("expected {expected}, found {}", self.peek()))
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(s) if *s == sign);
        if found {
            self.next();
        }
        found
    }

    fn want(&mut self, sign: &str, context: &str) -> Parsed<()> {
        if self.accept(sign) {
            Ok(())
        } else {
            self.unexpected(&format!("`{sign}` {context}"))
        }
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Name(n) if n == word);
        if found {
            self.next();
        }
        found
    }

    fn name(&mut self, what: &str) -> Parsed<String> {
        match self.peek() {
            Token::Name(n) if !KEYWORDS.contains(&n.as_str()) => {
                let n = n.clone();
                self.next();
                Ok(n)
            }
            Token::Name(n) => self.error_at(self.at, "syntax", format!("expected {what}, but `{n}` is a word of the notation")),
            _ => self.unexpected(what),
        }
    }

    fn program(&mut self) -> Parsed<()> {
        loop {
            if self.accept_word("init") {
                self.declarations()?;
            } else if self.accept_word("const") {
                self.constant_declarations()?;
            } else if self.accept_word("bounded") {
                self.want(";", "after `bounded`")?;
                self.model.set_bounded(true);
            } else {
                break;
            }
        }
        self.check_settings()?;
        self.find_processes();
        while *self.peek() != Token::End {
            if self.at_never(self.at) {
                self.never()?;
            } else {
                self.process()?;
            }
        }
        if self.model.bodies.is_empty() {
            return self.unexpected("a process such as `p0:[x=1]`");
        }
        for &(at, body, values) in &self.spawns {
            let child = &self.model.bodies[body];
            if values > child.locals.len() {
                let (name, locals) = (&child.name, child.locals.len());
                return self.error_at(
                    at,
                    "wrong-number-of-arguments",
                    format!("{name} takes {locals} values, {values} are given"),
                );
            }
        }
        Ok(())
    }

    fn declarations(&mut self) -> Parsed<()> {
        loop {
            let at = self.at;
            let name = self.name("the name of a shared variable")?;
            self.check_new(&name, at)?;
            let mut length = None;
            if self.accept("[") {
                length = Some(self.count("the length of the array", MAX_LENGTH, "an array", "elements")?);
                self.want("]", "after the length")?;
            }
            let mut initial = vec![0; length.unwrap_or(1)];
            if self.accept("=") {
                let at = self.at;
                if length.is_some() && self.accept("{") {
                    initial.clear();
                    while !self.accept("}") {
                        initial.push(self.int("a value")?);
                        if !self.accept(",") && !matches!(self.peek(), Token::Sign("}")) {
                            return self.unexpected("`,` or `}`");
                        }
                    }
                    if Some(initial.len()) != length {
                        return Err(self.error(
                            self.span_since(at),
                            "wrong-number-of-values",
                            format!("{name} has {} elements, {} values are given", length.unwrap_or(1), initial.len()),
                        ));
                    }
                } else {
                    let value = self.int("a value")?;
                    initial.fill(value);
                }
            }
            self.cells += initial.len();
            if self.cells > MAX_CELLS {
                return self.error_at(at, "too-large", format!("there are more than {MAX_CELLS} shared variables"));
            }
            self.variables.insert(name.clone(), self.model.variables.len());
            self.model.variables.push(Variable {
                name,
                array: length.is_some(),
                initial,
            });
            if self.accept(";") {
                return Ok(());
            }
            if !self.accept(",") && !matches!(self.peek(), Token::Name(_)) {
                return self.unexpected("`,`, another variable or `;`");
            }
        }
    }

    fn process(&mut self) -> Parsed<()> {
        let at = self.at;
        let name = self.process_name()?;
        if self.bodies.get(&name).is_some_and(|header| header.at != at) {
            return self.error_at(at, "duplicate", format!("process {name} is defined twice"));
        }
        debug_assert!(self.bodies.get(&name).is_some_and(|header| header.body == self.model.bodies.len()));
        self.locals.clear();
        self.labels.clear();
        self.mentions.clear();
        self.declared.clear();
        let mut body = Body { name, ..Body::default() };
        let place = self.span_since(at);
        let copies = self.copies(&mut body)?;
        if self.model.bodies.len() + copies.as_ref().map_or(1, |c| c.number) > MAX_PROCESSES {
            return Err(self.error(place, "too-large", format!("there are more than {MAX_PROCESSES} processes")));
        }
        if self.accept("(") {
            while !self.accept(")") {
                let at = self.at;
                let name = self.name("the name of a local")?;
                self.check_new(&name, at)?;
                let initial = if self.accept("=") { self.int("a value")? } else { 0 };
                self.locals.insert(name.clone(), body.locals.len());
                body.locals.push(LocalVariable { name, initial });
                if !self.accept(",") && !matches!(self.peek(), Token::Sign(")")) {
                    return self.unexpected("`,` or `)`");
                }
            }
        }
        self.want(":", "after the name of the process")?;
        let mut positions = Vec::new();
        let mut place = BodyPlace {
            name: place,
            steps: Vec::new(),
        };
        loop {
            let label = if self.accept("#") {
                let at = self.at;
                let name = self.name("the name of a label")?;
                let Label(id) = self.label(&mut body, &name, at);
                if body.labels[id].step.is_some() {
                    return self.error_at(at, "duplicate", format!("label {name} is placed twice"));
                }
                body.labels[id].step = Some(body.steps.len());
                true
            } else {
                false
            };
            let here = self.at;
            if self.accept("[") {
                let mut spans = Vec::new();
                let statements = self.statements(&mut body, "]", &mut spans)?;
                body.steps.push(Step { statements });
                positions.push(self.position(here));
                place.steps.push(StepPlace {
                    step: self.span_since(here),
                    statements: spans,
                });
            } else if !label {
                break;
            }
        }
        if body.steps.is_empty() {
            return self.unexpected("a step such as `[x=1]`");
        }
        if let Some((id, missing)) = body.labels.iter().enumerate().find(|(_, l)| l.step.is_none()) {
            let message = format!("process {} has no step labelled {}", body.name, missing.name);
            let placed = body.labels.iter().filter(|l| l.step.is_some()).map(|l| l.name.as_str());
            let error = self.error(self.span(self.mentions[id]), "unknown-label", message);
            return Err(error.did_you_mean(&missing.name, placed));
        }
        body.declared = std::mem::take(&mut self.declared);
        match copies {
            None => {
                self.claim(&body.name, &place)?;
                self.add(body, positions, place);
            }
            Some(copies) => self.add_copies(&copies, &body, &positions, &place, at)?,
        }
        Ok(())
    }

    fn add(&mut self, body: Body, positions: Vec<(u32, u32)>, place: BodyPlace) {
        self.model.bodies.push(body);
        self.positions.places.push(positions);
        self.places.bodies.push(place);
    }
}
