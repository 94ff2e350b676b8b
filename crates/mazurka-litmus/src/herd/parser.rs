//! The parts of a file: the header, initial values, threads, and what is said about the end.

use super::lexer::{Placed, Token, tokens};
use super::{Claim, Read};
use crate::model::{Body, Local, LocalVariable, Model, Statement, Step};
use crate::text::{ParseError, StepPositions};
use mazurka_diagnostics::Span;

/// The most threads, and the most variables.
const MOST: usize = 100;

pub(super) type Parsed<T> = Result<T, ParseError>;

/// A pointer of a thread.
pub(super) struct Pointer {
    pub name: String,
    pub variable: usize,
    /// Whether accesses to it are atomic if nothing else is said.
    pub atomic: bool,
}

pub(super) struct Parser<'t> {
    pub file: &'t str,
    pub text: &'t str,
    pub tokens: Vec<Placed>,
    pub at: usize,
    pub model: Model,
    /// For each thread, the tokens at which its steps are.
    places: Vec<Vec<usize>>,
    /// Registers with their initial values: thread, name, value.
    early: Vec<(i32, String, i32)>,
    /// The thread that is read.
    pub body: Body,
    pub pointers: Vec<Pointer>,
    steps: Vec<usize>,
    /// Within how many operators that may not need their operand.
    pub unsure: u32,
    /// How deep statements and expressions are nested.
    pub nesting: u32,
}

/// Reads a file.
pub(super) fn read(file: &str, text: &str) -> Parsed<Read> {
    let header = text.trim_start();
    let start = text.len() - header.len();
    let name = header
        .lines()
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .nth(1)
        .unwrap_or_default();
    let Some(open) = header.find('{') else {
        let span = Span::new(start as u32, start as u32 + 1);
        return Err(ParseError::new(
            file,
            text,
            "syntax",
            span,
            "there are no initial values: `{ … }` comes after the name",
        ));
    };
    let mut parser = Parser {
        file,
        text,
        tokens: tokens(file, text, start + open)?,
        at: 0,
        model: Model::new(),
        places: Vec::new(),
        early: Vec::new(),
        body: Body::default(),
        pointers: Vec::new(),
        steps: Vec::new(),
        unsure: 0,
        nesting: 0,
    };
    parser.initial_values()?;
    while parser.at_thread() {
        parser.thread()?;
    }
    if parser.model.bodies.is_empty() {
        return parser.unexpected("a thread, such as `P0 (atomic_int* x) { … }`");
    }
    let claim = parser.claim(name)?;
    if let Err(e) = parser.model.check() {
        let body = parser
            .model
            .bodies
            .iter()
            .position(|b| Some(&b.name) == e.body.as_ref())
            .unwrap_or(0);
        let step = parser.places[body].get(e.step.unwrap_or(0)).copied().unwrap_or(0);
        return parser.error_at(step, "not-allowed-here", e.what);
    }
    let position = |at: &usize| (parser.tokens[*at].line, parser.tokens[*at].column);
    let places = parser.places.iter().map(|steps| steps.iter().map(position).collect());
    let positions = StepPositions::new(file, places.collect());
    Ok(Read {
        model: parser.model,
        positions,
        claim,
    })
}

impl Parser<'_> {
    pub fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    pub fn next(&mut self) -> Token {
        let token = self.tokens[self.at].token.clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    pub fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(name) if name == word)
    }

    pub fn accept(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.next();
        }
        found
    }

    pub fn want(&mut self, sign: &str) -> Parsed<()> {
        if self.accept(sign) {
            return Ok(());
        }
        self.unexpected(&format!("`{sign}`"))
    }

    pub fn name(&mut self, what: &str) -> Parsed<String> {
        match self.peek().clone() {
            Token::Name(name) => {
                self.next();
                Ok(name)
            }
            _ => self.unexpected(what),
        }
    }

    /// A number, perhaps with a sign.
    pub fn int(&mut self) -> Parsed<i32> {
        let negative = self.accept("-");
        match *self.peek() {
            Token::Int(value) => {
                self.next();
                Ok(if negative { value.wrapping_neg() } else { value })
            }
            Token::Name(_) | Token::Sign("&") => self.error_at(
                self.at,
                "not-supported",
                "values are numbers: addresses in variables and registers are not read".to_owned(),
            ),
            _ => self.unexpected("a number"),
        }
    }

    pub fn unexpected<T>(&self, expected: &str) -> Parsed<T> {
        self.error_at(self.at, "syntax", format!("expected {expected}, found {}", self.peek()))
    }

    pub fn error_at<T>(&self, at: usize, code: &'static str, message: String) -> Parsed<T> {
        Err(self.error(at, code, message))
    }

    pub fn error(&self, at: usize, code: &'static str, message: String) -> ParseError {
        ParseError::new(self.file, self.text, code, self.tokens[at].span, message)
    }

    /// `{ int x = 1; y; 0:r1 = 2; }`
    fn initial_values(&mut self) -> Parsed<()> {
        self.want("{")?;
        while !self.accept("}") {
            if self.accept(";") {
                continue;
            }
            if let Token::Int(thread) = *self.peek() {
                self.next();
                self.want(":")?;
                if self.at_type() {
                    self.type_()?;
                }
                let name = self.name("the name of a register")?;
                self.want("=")?;
                let value = self.int()?;
                self.early.push((thread, name, value));
            } else {
                if self.at_type() {
                    self.type_()?;
                }
                let bracket = self.accept("[");
                let at = self.at;
                let name = self.name("a variable")?;
                if bracket {
                    self.want("]")?;
                }
                if self.is("[") {
                    return self.error_at(self.at, "not-supported", "arrays are not read".to_owned());
                }
                let value = if self.accept("=") { self.int()? } else { 0 };
                let variable = self.variable(&name, at)?;
                self.model.variables[variable].initial = vec![value];
            }
            if !self.is("}") {
                self.want(";")?;
            }
        }
        Ok(())
    }

    /// The shared variable of that name, which may be new.
    pub fn variable(&mut self, name: &str, at: usize) -> Parsed<usize> {
        if let Some(known) = self.model.variables.iter().position(|v| v.name == name) {
            return Ok(known);
        }
        if self.model.variables.len() >= MOST {
            return self.error_at(at, "too-large", format!("more than {MOST} variables"));
        }
        self.model.var(name, 0);
        Ok(self.model.variables.len() - 1)
    }

    fn at_thread(&self) -> bool {
        let is_thread = |name: &String| name.strip_prefix('P').is_some_and(|n| n.parse::<u32>().is_ok());
        matches!(self.peek(), Token::Name(name) if is_thread(name))
    }

    /// `P0 (atomic_int* x, int* y) { … }`
    fn thread(&mut self) -> Parsed<()> {
        let (at, number) = (self.at, self.model.bodies.len());
        let name = self.name("a thread")?;
        if name != format!("P{number}") {
            return self.error_at(
                at,
                "syntax",
                format!("threads are numbered in turn: expected P{number}, found {name}"),
            );
        }
        if number >= MOST {
            return self.error_at(at, "too-large", format!("more than {MOST} threads"));
        }
        self.pointers.clear();
        self.steps.clear();
        self.body = Body { name, ..Body::default() };
        for (_, name, value) in self.early.iter().filter(|(thread, ..)| *thread == number as i32) {
            self.body.locals.push(LocalVariable {
                name: name.clone(),
                initial: *value,
            });
        }
        self.want("(")?;
        while !self.accept(")") {
            let atomic = self.type_()?;
            self.want("*")?;
            while self.is_word("const") || self.is_word("volatile") || self.is_word("restrict") {
                self.next();
            }
            let at = self.at;
            let name = self.name("a variable")?;
            let variable = self.variable(&name, at)?;
            self.pointers.push(Pointer { name, variable, atomic });
            if !self.is(")") {
                self.want(",")?;
            }
        }
        self.block()?;
        let body = std::mem::take(&mut self.body);
        self.model.bodies.push(body);
        self.places.push(std::mem::take(&mut self.steps));
        Ok(())
    }

    /// Whether a type comes.
    pub fn at_type(&self) -> bool {
        let Token::Name(name) = self.peek() else { return false };
        is_type(name) && !matches!(self.tokens[self.at + 1].token, Token::Sign("=" | ";" | "]"))
    }

    /// A type: whether it is atomic.
    pub fn type_(&mut self) -> Parsed<bool> {
        let (mut atomic, mut found) = (false, false);
        while let Token::Name(name) = self.peek().clone() {
            match name.as_str() {
                "const" | "volatile" | "signed" | "extern" | "static" | "register" => {}
                "_Atomic" => {
                    atomic = true;
                    if self.tokens[self.at + 1].token == Token::Sign("(") {
                        self.next();
                        self.next();
                        self.type_()?;
                        self.want(")")?;
                        found = true;
                        continue;
                    }
                }
                "int" | "int32_t" => found = true,
                "atomic_int" => (found, atomic) = (true, true),
                other if is_type(other) => {
                    return self.error_at(
                        self.at,
                        "not-supported",
                        format!("`{other}` is not read: all values are `int`s of 32 bits, and accesses of several sizes have no meaning in the models"),
                    );
                }
                _ => break,
            }
            self.next();
        }
        match found {
            true => Ok(atomic),
            false => self.unexpected("a type, `int` or `atomic_int`"),
        }
    }

    /// A step is added to the thread; it is at this token.
    pub fn step(&mut self, at: usize, statements: Vec<Statement>) {
        self.steps.push(at);
        self.body.steps.push(Step { statements });
    }

    /// A local that the file does not name.
    pub fn fresh(&mut self) -> Local {
        let name = format!(".{}", self.body.locals.len());
        self.body.locals.push(LocalVariable { name, initial: 0 });
        Local(self.body.locals.len() - 1)
    }

    /// The register of that name, which was read at `at`.
    pub fn register(&self, name: &str, at: usize) -> Parsed<Local> {
        if let Some(local) = self.body.locals.iter().position(|l| l.name == name) {
            return Ok(Local(local));
        }
        if self.pointers.iter().any(|p| p.name == name) {
            let message = format!("`{name}` is an address: `*{name}` or an atomic function accesses what is there");
            return self.error_at(at, "not-supported", message);
        }
        let known = self.body.locals.iter().map(|l| l.name.as_str());
        Err(self
            .error(at, "unknown-name", format!("`{name}` is not declared"))
            .did_you_mean(name, known))
    }

    /// Reads something nested, unless it is nested too deep.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= 16 {
            return self.error_at(self.at, "nesting", "nested more than 16 deep".to_owned());
        }
        self.nesting += 1;
        let out = read(self);
        self.nesting -= 1;
        out
    }

    /// What stands between two tokens, on one line.
    pub fn words(&self, from: usize) -> String {
        let (start, end) = (self.tokens[from].span.start, self.tokens[self.at.saturating_sub(1)].span.end);
        let text = self.text.get(start as usize..end as usize).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn claim(&mut self, test: &str) -> Parsed<Claim> {
        let claim = self.about_the_end(test)?;
        match self.peek() {
            Token::End => Ok(claim),
            _ => self.unexpected("the end of the file"),
        }
    }
}

/// Types that are known, although most are not read.
fn is_type(name: &str) -> bool {
    matches!(
        name,
        "int"
            | "char"
            | "short"
            | "long"
            | "bool"
            | "_Bool"
            | "unsigned"
            | "signed"
            | "float"
            | "double"
            | "void"
            | "const"
            | "volatile"
            | "extern"
            | "static"
            | "register"
            | "_Atomic"
            | "struct"
            | "spinlock_t"
            | "mutex"
            | "mtx_t"
    ) || name.ends_with("_t")
        || name.starts_with("atomic_")
            && !name.contains("load")
            && (name.ends_with("int") || name.ends_with("long") || name.ends_with("bool"))
        || name == "__int128"
}
