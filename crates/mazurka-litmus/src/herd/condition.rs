//! What a file says about the end: `exists (0:r0=0 /\ x=1)`.

use super::lexer::Token;
use super::parser::{Parsed, Parser};
use super::{Claim, Quantifier};
use crate::model::{Binary, Expr, Local, Never};

impl Parser<'_> {
    /// `locations [x; 0:r0;] filter (…) exists (…)`
    pub(super) fn about_the_end(&mut self, test: &str) -> Parsed<Claim> {
        let mut filter = None;
        loop {
            if self.is_word("locations") {
                // What herd prints besides.
                self.next();
                self.want("[")?;
                while !self.accept("]") {
                    if *self.peek() == Token::End {
                        return self.unexpected("`]`");
                    }
                    self.next();
                }
            } else if self.is_word("filter") {
                self.next();
                filter = Some(self.whole_condition()?);
            } else {
                break;
            }
        }
        let from = self.at;
        let negated = self.accept("~");
        let quantifier = match (negated, self.peek()) {
            (false, Token::Name(word)) if word == "exists" => Quantifier::Exists,
            (true, Token::Name(word)) if word == "exists" => Quantifier::NotExists,
            (false, Token::Name(word)) if word == "forall" => Quantifier::Forall,
            _ => return self.unexpected("`exists`, `~exists` or `forall`"),
        };
        self.next();
        let condition = self.whole_condition()?;
        Ok(Claim {
            quantifier,
            condition,
            filter,
            text: self.words(from),
            test: test.to_owned(),
        })
    }

    fn whole_condition(&mut self) -> Parsed<Never> {
        let mut locals = Vec::new();
        let condition = self.condition(&mut locals, 0)?;
        Ok(Never {
            condition,
            locals,
            message: None,
        })
    }

    fn condition(&mut self, locals: &mut Vec<(usize, usize)>, level: usize) -> Parsed<Expr> {
        const LEVELS: [(&[&str], Binary); 2] = [(&["\\/", "||"], Binary::Or), (&["/\\", "&&"], Binary::And)];
        let Some((signs, op)) = LEVELS.get(level) else {
            return self.nested(|p| p.atom(locals));
        };
        let mut left = self.condition(locals, level + 1)?;
        for terms in 1.. {
            if !signs.iter().any(|sign| self.accept(sign)) {
                break;
            }
            if terms > 16 {
                return self.error_at(
                    self.at,
                    "nesting",
                    "more than 16 conditions in a row; put them into groups".to_owned(),
                );
            }
            let right = self.condition(locals, level + 1)?;
            left = Expr::Binary(*op, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn atom(&mut self, locals: &mut Vec<(usize, usize)>) -> Parsed<Expr> {
        if self.accept("~") || self.is_word("not") {
            if self.is_word("not") {
                self.next();
            }
            return Ok(Expr::Not(Box::new(self.nested(|p| p.atom(locals))?)));
        }
        if self.accept("(") {
            let condition = self.condition(locals, 0)?;
            self.want(")")?;
            return Ok(condition);
        }
        for (word, value) in [("true", 1), ("false", 0)] {
            if self.is_word(word) {
                self.next();
                return Ok(Expr::Int(value));
            }
        }
        let left = if let Token::Int(thread) = *self.peek() {
            self.register_of(thread, locals)?
        } else {
            let bracket = self.accept("[");
            let at = self.at;
            let name = self.name("`0:r0=1`, `x=1` or a condition in parentheses")?;
            if bracket {
                self.want("]")?;
            }
            let Some(variable) = self.model.variables.iter().position(|v| v.name == name) else {
                let known = self.model.variables.iter().map(|v| v.name.as_str());
                let error = self.error(at, "unknown-name", format!("there is no variable `{name}`"));
                return Err(error.did_you_mean(&name, known));
            };
            Expr::Shared(variable, None)
        };
        let op = if self.accept("!=") {
            Binary::NotEqual
        } else if self.accept("=") || self.accept("==") {
            Binary::Equal
        } else {
            return self.unexpected("`=`");
        };
        let right = self.int()?;
        Ok(Expr::Binary(op, Box::new(left), Box::new(Expr::Int(right))))
    }

    /// `0:r0`
    fn register_of(&mut self, thread: i32, locals: &mut Vec<(usize, usize)>) -> Parsed<Expr> {
        let at = self.at;
        self.next();
        self.want(":")?;
        let named = self.at;
        let name = self.name("the name of a register")?;
        let Some((process, body)) = self.model.bodies.iter().enumerate().find(|(n, _)| *n as i32 == thread) else {
            return self.error_at(at, "unknown-name", format!("there is no thread P{thread}"));
        };
        let Some(local) = body.locals.iter().position(|l| l.name == name) else {
            let known = body.locals.iter().map(|l| l.name.as_str()).filter(|name| !name.starts_with('.'));
            let error = self.error(named, "unknown-name", format!("P{thread} has no register `{name}`"));
            return Err(error.did_you_mean(&name, known));
        };
        let both = (process, local);
        let place = locals.iter().position(|known| *known == both).unwrap_or_else(|| {
            locals.push(both);
            locals.len() - 1
        });
        Ok(Expr::Local(Local(place)))
    }
}
