//! From tokens to a [`Model`].
//!
//! Recursive descent with one token of lookahead. Nesting is bounded, so no text overflows the stack.

use super::lexer::{Placed, Token, tokens};
use super::{ParseError, StepPositions};
use crate::model::{Binary, Body, Expr, Label, LabelPosition, Local, LocalVariable, Model, Place, Statement, Step, Variable};
use mazurka_core::{Position, nearest};

/// Statements and expressions nested deeper than this are refused.
const MAX_NESTING: usize = 64;
/// The longest array.
const MAX_LENGTH: i32 = 100_000;

const KEYWORDS: [&str; 13] = [
    "init", "bounded", "await", "lock", "unlock", "choose", "if", "else", "assert", "spawn", "goto", "end", "skip",
];

pub(super) fn parse(file: &str, text: &str) -> Result<(Model, StepPositions), ParseError> {
    let tokens = tokens(file, text)?;
    // Process headers are names outside all brackets before `:` or `(`; finding them first lets `spawn` mention processes that come later.
    let (mut bodies, mut open) = (Vec::new(), 0i32);
    for pair in tokens.windows(2) {
        match (&pair[0].token, &pair[1].token) {
            (Token::Sign("[" | "(" | "{"), _) => open += 1,
            (Token::Sign("]" | ")" | "}"), _) => open -= 1,
            (Token::Name(name), Token::Sign(":" | "(")) if open == 0 && !KEYWORDS.contains(&name.as_str()) => bodies.push(name.clone()),
            _ => {}
        }
    }
    let mut parser = Parser {
        file,
        tokens,
        at: 0,
        bodies,
        model: Model::new(),
        spawns: Vec::new(),
        positions: Vec::new(),
        nesting: 0,
    };
    parser.program()?;
    Ok((parser.model, parser.positions))
}

struct Parser<'t> {
    file: &'t str,
    tokens: Vec<Placed>,
    at: usize,
    bodies: Vec<String>,
    model: Model,
    /// The spawns seen so far: place in the text, body, number of values.
    spawns: Vec<(usize, usize, usize)>,
    positions: StepPositions,
    nesting: usize,
}

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

    fn error_at<T>(&self, at: usize, message: String) -> Parsed<T> {
        Err(ParseError {
            at: self.position(at),
            message,
        })
    }

    fn unexpected<T>(&self, expected: &str) -> Parsed<T> {
        self.error_at(self.at, format!("expected {expected}, found {}", self.peek()))
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
            Token::Name(n) => self.error_at(self.at, format!("expected {what}, but `{n}` is a word of the notation")),
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
                return self.error_at(at, format!("{name} takes {locals} values, {values} are given"));
            }
        }
        Ok(())
    }

    fn declarations(&mut self) -> Parsed<()> {
        loop {
            let at = self.at;
            let name = self.name("the name of a shared variable")?;
            if self.model.variables.iter().any(|v| v.name == name) {
                return self.error_at(at, format!("variable {name} is declared twice"));
            }
            let mut length = None;
            if self.accept("[") {
                let at = self.at;
                let n = self.int("the length of the array")?;
                if !(1..=MAX_LENGTH).contains(&n) {
                    return self.error_at(at, format!("an array has 1 to {MAX_LENGTH} elements, not {n}"));
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
                        return self.error_at(
                            at,
                            format!("{name} has {} elements, {} values are given", length.unwrap_or(1), initial.len()),
                        );
                    }
                } else {
                    let value = self.int("a value")?;
                    initial.fill(value);
                }
            }
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
            return self.error_at(at, format!("process {name} is defined twice"));
        }
        let mut body = Body { name, ..Body::default() };
        if self.accept("(") {
            while !self.accept(")") {
                let at = self.at;
                let name = self.name("the name of a local")?;
                if body.locals.iter().any(|l| l.name == name) {
                    return self.error_at(at, format!("local {name} is declared twice"));
                }
                if self.model.variables.iter().any(|v| v.name == name) {
                    return self.error_at(at, format!("{name} is already a shared variable"));
                }
                let initial = if self.accept("=") { self.int("a value")? } else { 0 };
                body.locals.push(LocalVariable { name, initial });
                if !self.accept(",") && !matches!(self.peek(), Token::Sign(")")) {
                    return self.unexpected("`,` or `)`");
                }
            }
        }
        self.want(":", "after the name of the process")?;
        let mut positions = Vec::new();
        loop {
            let label = if self.accept("#") {
                let at = self.at;
                let name = self.name("the name of a label")?;
                let Label(id) = label(&mut body, &name);
                if body.labels[id].step.is_some() {
                    return self.error_at(at, format!("label {name} is placed twice"));
                }
                body.labels[id].step = Some(body.steps.len());
                true
            } else {
                false
            };
            let here = self.position(self.at);
            if self.accept("[") {
                positions.push(here);
                let statements = self.statements(&mut body, "]")?;
                body.steps.push(Step { statements });
            } else if !label {
                break;
            }
        }
        if body.steps.is_empty() {
            return self.unexpected("a step such as `[x=1]`");
        }
        if let Some(missing) = body.labels.iter().find(|l| l.step.is_none()) {
            let close = nearest(
                &missing.name,
                body.labels.iter().filter(|l| l.step.is_some()).map(|l| l.name.as_str()),
            );
            let hint = close.map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
            return self.error_at(at, format!("process {} has no step labelled {}{hint}", body.name, missing.name));
        }
        self.model.bodies.push(body);
        self.positions.push(positions);
        Ok(())
    }

    /// Statements up to the closing bracket, which is consumed.
    fn statements(&mut self, body: &mut Body, close: &str) -> Parsed<Vec<Statement>> {
        let mut out = Vec::new();
        loop {
            while self.accept(";") {}
            if self.accept(close) {
                return Ok(out);
            }
            if *self.peek() == Token::End {
                return self.unexpected(&format!("`{close}`"));
            }
            self.statement(body, &mut out)?;
            if !matches!(self.peek(), Token::Sign(s) if *s == ";" || *s == close) {
                return self.unexpected(&format!("`;` or `{close}` after the statement"));
            }
        }
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return self.error_at(self.at, format!("nested more than {MAX_NESTING} deep"));
        }
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    fn statement(&mut self, body: &mut Body, out: &mut Vec<Statement>) -> Parsed<()> {
        if self.accept_word("skip") {
        } else if self.accept_word("end") {
            out.push(Statement::End);
        } else if self.accept_word("await") {
            out.push(Statement::Await(self.expression(body)?));
        } else if self.accept_word("lock") {
            out.push(Statement::Lock(self.place(body)?));
        } else if self.accept_word("unlock") {
            out.push(Statement::Unlock(self.place(body)?));
        } else if self.accept_word("assert") {
            let condition = self.expression(body)?;
            let message = match self.peek() {
                Token::Text(t) => Some(t.clone()),
                _ => None,
            };
            if message.is_some() {
                self.next();
            }
            out.push(Statement::Assert(condition, message));
        } else if self.accept_word("choose") {
            let at = self.at;
            let Place::Local(local) = self.place(body)? else {
                return self.error_at(
                    at,
                    "choose needs a local; locals begin with l or are declared after the process name".into(),
                );
            };
            let at = self.at;
            let n = self.int("the number of alternatives")?;
            match u32::try_from(n) {
                Ok(n) if n > 0 => out.push(Statement::Choose(local, n)),
                _ => return self.error_at(at, format!("choose needs at least one alternative, not {n}")),
            }
        } else if self.accept_word("spawn") {
            let at = self.at;
            let name = self.name("the name of a process")?;
            let Some(child) = self.bodies.iter().position(|b| *b == name) else {
                let hint =
                    nearest(&name, self.bodies.iter().map(String::as_str)).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
                return self.error_at(at, format!("there is no process {name}{hint}"));
            };
            let mut values = Vec::new();
            if self.accept("(") {
                while !self.accept(")") {
                    values.push(self.expression(body)?);
                    if !self.accept(",") && !matches!(self.peek(), Token::Sign(")")) {
                        return self.unexpected("`,` or `)`");
                    }
                }
            }
            self.spawns.push((at, child, values.len()));
            out.push(Statement::Spawn(child, values));
        } else if self.accept_word("goto") {
            let name = self.name("a label")?;
            out.push(Statement::Goto(label(body, &name)));
        } else if self.accept_word("if") {
            self.want("(", "after `if`")?;
            let condition = self.expression(body)?;
            self.want(")", "after the condition")?;
            let then = self.nested(|p| p.block(body))?;
            let other = if self.accept_word("else") {
                self.nested(|p| p.block(body))?
            } else {
                Vec::new()
            };
            out.push(Statement::If(condition, then, other));
        } else {
            let place = self.place(body)?;
            if self.accept("=") {
                out.push(Statement::Assign(place, self.expression(body)?));
            } else if self.accept("+=") {
                out.push(Statement::Add(place, self.expression(body)?));
            } else if self.accept("-=") {
                let value = self.expression(body)?;
                let value = if let Expr::Int(v) = value {
                    Expr::Int(v.wrapping_neg())
                } else {
                    Expr::Negate(Box::new(value))
                };
                out.push(Statement::Add(place, value));
            } else if self.accept("@+") {
                out.push(Statement::Accumulate(place, self.expression(body)?));
            } else {
                return self.unexpected("`=`, `+=`, `-=` or `@+`");
            }
        }
        Ok(())
    }

    fn block(&mut self, body: &mut Body) -> Parsed<Vec<Statement>> {
        if self.accept("{") {
            return self.statements(body, "}");
        }
        let mut out = Vec::new();
        self.statement(body, &mut out)?;
        Ok(out)
    }

    fn place(&mut self, body: &mut Body) -> Parsed<Place> {
        let at = self.at;
        let name = self.name("a variable or a statement")?;
        self.named(body, name, at)
    }

    /// What a name stands for; see the module documentation of [`crate::text`] for the rule on undeclared names.
    fn named(&mut self, body: &mut Body, name: String, at: usize) -> Parsed<Place> {
        if let Some(local) = body.locals.iter().position(|l| l.name == name) {
            return Ok(Place::Local(Local(local)));
        }
        let known = self.model.variables.iter().position(|v| v.name == name);
        let indexed = matches!(self.peek(), Token::Sign("["));
        if known.is_none() && !indexed && name.starts_with('l') {
            body.locals.push(LocalVariable { name, initial: 0 });
            return Ok(Place::Local(Local(body.locals.len() - 1)));
        }
        if known.is_none() && indexed {
            let arrays = self.model.variables.iter().filter(|v| v.array).map(|v| v.name.as_str());
            let hint = nearest(&name, arrays).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
            return self.error_at(
                at,
                format!("there is no array {name}{hint}; arrays are declared by `init {name}[4];`"),
            );
        }
        let variable = known.unwrap_or_else(|| {
            self.model.variables.push(Variable {
                name: name.clone(),
                array: false,
                initial: vec![0],
            });
            self.model.variables.len() - 1
        });
        let Variable { array, ref initial, .. } = self.model.variables[variable];
        let length = initial.len();
        if array {
            if !indexed {
                return self.error_at(at, format!("{name} is an array: write {name}[i]"));
            }
            self.next();
            let at = self.at;
            let index = self.expression(body)?;
            self.want("]", "after the index")?;
            if let Expr::Int(i) = index
                && usize::try_from(i).map_or(true, |i| i >= length)
            {
                return self.error_at(at, format!("{name}[{i}] is outside the array of {length} elements"));
            }
            return Ok(Place::Shared(variable, Some(Box::new(index))));
        }
        if indexed {
            return self.error_at(at, format!("{name} is no array"));
        }
        Ok(Place::Shared(variable, None))
    }

    fn expression(&mut self, body: &mut Body) -> Parsed<Expr> {
        self.nested(|p| p.binary(body, 0))
    }

    fn binary(&mut self, body: &mut Body, level: usize) -> Parsed<Expr> {
        const LEVELS: [&[(&str, Binary)]; 5] = [
            &[("||", Binary::Or)],
            &[("&&", Binary::And)],
            &[
                ("==", Binary::Equal),
                ("!=", Binary::NotEqual),
                ("<=", Binary::AtMost),
                (">=", Binary::AtLeast),
                ("<", Binary::Less),
                (">", Binary::More),
            ],
            &[("+", Binary::Add), ("-", Binary::Subtract)],
            &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Remainder)],
        ];
        let Some(operators) = LEVELS.get(level) else {
            return self.unary(body);
        };
        let mut left = self.binary(body, level + 1)?;
        for terms in 1.. {
            if terms > MAX_NESTING {
                return self.error_at(
                    self.at,
                    format!("nested more than {MAX_NESTING} deep: an expression with more than that many operands"),
                );
            }
            let Some(&(_, op)) = operators
                .iter()
                .find(|(sign, _)| matches!(self.peek(), Token::Sign(s) if s == sign))
            else {
                return Ok(left);
            };
            self.next();
            let right = self.binary(body, level + 1)?;
            left = Expr::Binary(op, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self, body: &mut Body) -> Parsed<Expr> {
        if self.accept("!") {
            return Ok(Expr::Not(Box::new(self.nested(|p| p.unary(body))?)));
        }
        if self.accept("-") {
            if let Token::Int(v) = *self.peek() {
                return Ok(Expr::Int(self.constant(-v)?));
            }
            return Ok(Expr::Negate(Box::new(self.nested(|p| p.unary(body))?)));
        }
        if self.accept("(") {
            let e = self.expression(body)?;
            self.want(")", "after the expression")?;
            return Ok(e);
        }
        if let Token::Int(v) = *self.peek() {
            return Ok(Expr::Int(self.constant(v)?));
        }
        let at = self.at;
        let name = self.name("a value")?;
        Ok(self.named(body, name, at)?.into())
    }
}

/// The label of that name, new if it was not mentioned before.
fn label(body: &mut Body, name: &str) -> Label {
    let known = body.labels.iter().position(|l| l.name == name);
    Label(known.unwrap_or_else(|| {
        body.labels.push(LabelPosition {
            name: name.to_string(),
            step: None,
        });
        body.labels.len() - 1
    }))
}
