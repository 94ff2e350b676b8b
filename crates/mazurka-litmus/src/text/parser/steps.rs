//! What stands in a step: statements and expressions.

use super::{MAX_NESTING, Parsed, Parser};
use crate::model::{Binary, Body, Expr, Label, LabelPosition, Local, LocalVariable, Place, Statement, Variable};
use crate::text::lexer::Token;
use mazurka_core::nearest;

impl Parser<'_> {
    /// Statements up to the closing bracket, which is consumed.
    pub(super) fn statements(&mut self, body: &mut Body, close: &str) -> Parsed<Vec<Statement>> {
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
            let Some(&child) = self.bodies.get(&name) else {
                let mut names: Vec<&str> = self.bodies.keys().map(String::as_str).collect();
                names.sort_unstable_by_key(|name| self.bodies[*name]);
                let hint = nearest(&name, names).map_or(String::new(), |n| format!(" (did you mean `{n}`?)"));
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
            out.push(Statement::Goto(self.label(body, &name)));
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
        if let Some(&local) = self.locals.get(&name) {
            return Ok(Place::Local(Local(local)));
        }
        let known = self.variables.get(&name).copied();
        let indexed = matches!(self.peek(), Token::Sign("["));
        if known.is_none() && !indexed && name.starts_with('l') {
            self.locals.insert(name.clone(), body.locals.len());
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
            self.variables.insert(name.clone(), self.model.variables.len());
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

    /// The label of that name, new if it was not mentioned before.
    pub(super) fn label(&mut self, body: &mut Body, name: &str) -> Label {
        if let Some(&known) = self.labels.get(name) {
            return Label(known);
        }
        let label = body.labels.len();
        self.labels.insert(name.to_string(), label);
        body.labels.push(LabelPosition {
            name: name.to_string(),
            step: None,
        });
        Label(label)
    }
}
