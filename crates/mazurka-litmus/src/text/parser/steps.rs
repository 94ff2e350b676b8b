//! What stands in a step: statements and expressions.

use super::{Header, MAX_NESTING, Parsed, Parser};
use crate::model::{Binary, Body, Expr, MAX_CHOICES, Place, Statement};
use crate::text::lexer::Token;
use mazurka_diagnostics::Span;

impl Parser<'_> {
    /// Statements up to the closing bracket, which is consumed; `spans` gets the place of each.
    pub(super) fn statements(&mut self, body: &mut Body, close: &str, spans: &mut Vec<Span>) -> Parsed<Vec<Statement>> {
        let mut out = Vec::new();
        loop {
            while self.accept(";") {}
            if self.accept(close) {
                // Most steps have one statement, and there may be millions of steps.
                out.shrink_to_fit();
                return Ok(out);
            }
            if *self.peek() == Token::End {
                return self.unexpected(&format!("`{close}`"));
            }
            let from = self.at;
            self.statement(body, &mut out)?;
            spans.resize(out.len(), self.span_since(from));
            if !matches!(self.peek(), Token::Sign(s) if *s == ";" || *s == close) {
                return self.unexpected(&format!("`;` or `{close}` after the statement"));
            }
        }
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return self.error_at(self.at, "nesting", format!("nested more than {MAX_NESTING} deep"));
        }
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    fn statement(&mut self, body: &mut Body, out: &mut Vec<Statement>) -> Parsed<()> {
        if self.accept_word("skip") {
        } else if self.at_fence() {
            self.fence(body, out)?;
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
                return Err(self
                    .error(self.span_since(at), "not-allowed-here", "choose needs a local")
                    .with_help(format!(
                        "locals are `l`, `l1`, `l2` and so on, and those declared after the name of the process: `{}(value=0):`",
                        body.name
                    )));
            };
            let n = self.count("the number of alternatives", MAX_CHOICES as usize, "a choice", "alternatives")?;
            out.push(Statement::Choose(local, n as u32));
        } else if self.accept_word("spawn") {
            let at = self.at;
            let name = self.process_name()?;
            let Some(&Header { body: child, copied, .. }) = self.bodies.get(&name) else {
                let error = self.error(self.span_since(at), "unknown-name", format!("there is no process {name}"));
                return Err(error.did_you_mean(&name, self.bodies.keys().map(String::as_str)));
            };
            if copied {
                let message = format!("{name} has copies, which start by themselves: it cannot be spawned");
                return self.error_at(at, "not-allowed-here", message);
            }
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
            let at = self.at;
            let name = self.name("a label")?;
            out.push(Statement::Goto(self.label(body, &name, at)));
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
            let from = self.at;
            let place = self.place(body)?;
            if self.accept(".") {
                self.access(body, place, None, from, out)?;
            } else if self.accept("=") && self.at_access() {
                let shared = self.place(body)?;
                self.next();
                self.access(body, shared, Some(place), from, out)?;
            } else if self.tokens[self.at - 1].token == Token::Sign("=") {
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
            return self.statements(body, "}", &mut Vec::new());
        }
        let mut out = Vec::new();
        self.statement(body, &mut out)?;
        Ok(out)
    }

    /// Whether what comes is a variable with an access: `x.` or `a[i].`.
    fn at_access(&self) -> bool {
        let Token::Name(_) = self.peek() else { return false };
        let mut at = self.at + 1;
        let mut open = 0;
        loop {
            match &self.tokens[at].token {
                Token::Sign("[") => open += 1,
                Token::Sign("]") if open > 0 => open -= 1,
                Token::End => return false,
                token if open == 0 => return *token == Token::Sign("."),
                _ => {}
            }
            at += 1;
        }
    }

    fn place(&mut self, body: &mut Body) -> Parsed<Place> {
        let at = self.at;
        let name = self.name("a variable or a statement")?;
        self.named(body, name, at)
    }

    pub(super) fn expression(&mut self, body: &mut Body) -> Parsed<Expr> {
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
                    "nesting",
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
        if let Some(value) = self.accept_constant() {
            return Ok(Expr::Int(value));
        }
        let at = self.at;
        let name = self.name("a value")?;
        Ok(self.named(body, name, at)?.into())
    }
}
