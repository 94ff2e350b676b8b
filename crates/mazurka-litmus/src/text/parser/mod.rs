//! From tokens to a [`Model`].
//!
//! Recursive descent with one token of lookahead. Nesting is bounded, so no text overflows the stack.

mod names;
mod places;
mod steps;

use super::lexer::{Placed, Token, tokens};
use super::{ParseError, StepPositions};
use crate::model::{Body, Label, LocalVariable, MAX_CELLS, Model, Step, Variable};
use mazurka_core::Position;
use mazurka_diagnostics::Span;
use places::{BodyPlace, Places, StepPlace};
use rustc_hash::FxHashMap;

/// Statements and expressions nested deeper than this are refused.
const MAX_NESTING: usize = 64;
/// The longest array.
const MAX_LENGTH: i32 = 100_000;
/// The most processes: a search keeps for every step who could have moved.
const MAX_PROCESSES: usize = 4_000;

const KEYWORDS: [&str; 13] = [
    "init", "bounded", "await", "lock", "unlock", "choose", "if", "else", "assert", "spawn", "goto", "end", "skip",
];

/// A program, and where its parts are in the text.
pub(super) struct Read {
    pub model: Model,
    pub positions: StepPositions,
    pub places: Places,
}

pub(super) fn parse(file: &str, text: &str) -> Parsed<Read> {
    let tokens = tokens(file, text)?;
    // Process headers are names outside all brackets before `:` or `(`; finding them first lets `spawn` mention processes that come later.
    let (mut bodies, mut open) = (FxHashMap::default(), 0i32);
    for pair in tokens.windows(2) {
        match (&pair[0].token, &pair[1].token) {
            (Token::Sign("[" | "(" | "{"), _) => open += 1,
            (Token::Sign("]" | ")" | "}"), _) => open -= 1,
            (Token::Name(name), Token::Sign(":" | "(")) if open == 0 && !KEYWORDS.contains(&name.as_str()) => {
                let next = bodies.len();
                bodies.entry(name.clone()).or_insert(next);
            }
            _ => {}
        }
    }
    let mut parser = Parser {
        file,
        text,
        tokens,
        at: 0,
        bodies,
        model: Model::new(),
        variables: FxHashMap::default(),
        locals: FxHashMap::default(),
        labels: FxHashMap::default(),
        mentions: Vec::new(),
        cells: 0,
        spawns: Vec::new(),
        positions: Vec::new(),
        places: Places::default(),
        nesting: 0,
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
    /// All processes, by their names.
    bodies: Names,
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

    fn position(&self, at: usize) -> Position {
        let Placed { line, column, .. } = self.tokens[at];
        Position {
            file: self.file.to_string(),
            line,
            column,
        }
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

    fn int(&mut self, what: &str) -> Parsed<i32> {
        let negative = self.accept("-");
        match *self.peek() {
            Token::Int(v) => self.constant(if negative { -v } else { v }),
            _ => self.unexpected(what),
        }
    }

    /// Consumes the number that was looked at.
    fn constant(&mut self, value: i64) -> Parsed<i32> {
        match i32::try_from(value) {
            Ok(v) => {
                self.next();
                Ok(v)
            }
            Err(_) => self.error_at(
                self.at,
                "too-large",
                format!("{value} is too large; numbers go from {} to {}", i32::MIN, i32::MAX),
            ),
        }
    }

    fn program(&mut self) -> Parsed<()> {
        loop {
            if self.accept_word("init") {
                self.declarations()?;
            } else if self.accept_word("bounded") {
                self.want(";", "after `bounded`")?;
                self.model.set_bounded(true);
            } else {
                break;
            }
        }
        while *self.peek() != Token::End {
            self.process()?;
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
            if self.variables.contains_key(&name) {
                return self.error_at(at, "duplicate", format!("variable {name} is declared twice"));
            }
            let mut length = None;
            if self.accept("[") {
                let at = self.at;
                let n = self.int("the length of the array")?;
                if !(1..=MAX_LENGTH).contains(&n) {
                    return self.error_at(at, "too-large", format!("an array has 1 to {MAX_LENGTH} elements, not {n}"));
                }
                self.want("]", "after the length")?;
                length = Some(n as usize);
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
        let name = self.name("the name of a process")?;
        if self.model.bodies.iter().any(|b| b.name == name) {
            return self.error_at(at, "duplicate", format!("process {name} is defined twice"));
        }
        if self.model.bodies.len() == MAX_PROCESSES {
            return self.error_at(at, "too-large", format!("there are more than {MAX_PROCESSES} processes"));
        }
        self.locals.clear();
        self.labels.clear();
        self.mentions.clear();
        let mut body = Body { name, ..Body::default() };
        if self.accept("(") {
            while !self.accept(")") {
                let at = self.at;
                let name = self.name("the name of a local")?;
                if self.locals.contains_key(&name) {
                    return self.error_at(at, "duplicate", format!("local {name} is declared twice"));
                }
                if self.variables.contains_key(&name) {
                    return self.error_at(at, "duplicate", format!("{name} is already a shared variable"));
                }
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
            name: self.span(at),
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
        self.model.bodies.push(body);
        self.positions.push(positions);
        self.places.bodies.push(place);
        Ok(())
    }
}
