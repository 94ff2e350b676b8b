//! Expressions of C: an access within one becomes a step of its own, from left to right.

use super::lexer::Token;
use super::parser::{Parsed, Parser};
use crate::model::{Binary, Expr};

const LEVELS: [&[(&str, Binary)]; 6] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("==", Binary::Equal), ("!=", Binary::NotEqual)],
    &[
        ("<=", Binary::AtMost),
        (">=", Binary::AtLeast),
        ("<", Binary::Less),
        (">", Binary::More),
    ],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Remainder)],
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            let left = p.binary(0)?;
            p.bits(left)
        })
    }

    /// `r ^ r`, which is how dependencies on `r` are written; of other operations on bits, nothing.
    fn bits(&mut self, left: Expr) -> Parsed<Expr> {
        let at = self.at;
        let Some(sign) = ["^", "&", "|", "<<", ">>", "?"].into_iter().find(|sign| self.is(sign)) else {
            return Ok(left);
        };
        self.next();
        if sign == "^" && self.binary(0)? == left {
            return Ok(Expr::Binary(Binary::Subtract, Box::new(left.clone()), Box::new(left)));
        }
        let message = format!("`{sign}` is not read, but for `r ^ r`; there are + - * / % == != < <= > >= && || !");
        self.error_at(at, "not-supported", message)
    }

    fn binary(&mut self, level: usize) -> Parsed<Expr> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        for terms in 1.. {
            let Some(&(_, op)) = operators.iter().find(|(sign, _)| self.is(sign)) else {
                break;
            };
            if terms > 16 {
                return self.error_at(self.at, "nesting", "an expression with more than 16 operands".to_owned());
            }
            self.next();
            let unsure = matches!(op, Binary::Or | Binary::And);
            self.unsure += u32::from(unsure);
            let right = self.binary(level + 1);
            self.unsure -= u32::from(unsure);
            left = Expr::Binary(op, Box::new(left), Box::new(right?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let at = self.at;
        if self.accept("!") {
            return Ok(Expr::Not(Box::new(self.nested(Self::unary)?)));
        }
        if self.accept("-") {
            return Ok(Expr::Negate(Box::new(self.nested(Self::unary)?)));
        }
        if self.is("~") || self.is("&") || self.is("++") || self.is("--") {
            return self.error_at(at, "not-supported", format!("{} is not read", self.peek()));
        }
        if self.accept("*") {
            let (variable, atomic) = self.pointer()?;
            return self.load_at(at, variable, atomic);
        }
        if self.accept("(") {
            if self.at_type() {
                self.type_()?;
                self.want(")")?;
                return self.nested(Self::unary);
            }
            let inner = self.expression()?;
            self.want(")")?;
            return Ok(inner);
        }
        match self.next() {
            Token::Int(value) => Ok(Expr::Int(value)),
            Token::Name(name) if self.is("(") => self.call(&name, at),
            Token::Name(name) => Ok(self.register(&name, at)?.into()),
            _ => {
                self.at = at;
                self.unexpected("a value")
            }
        }
    }

    /// The variable that a pointer leads to: `x`, `(x)` or `&x`; whether the thread calls it atomic.
    pub(super) fn pointer(&mut self) -> Parsed<(usize, bool)> {
        if self.accept("(") {
            let inner = self.nested(Self::pointer)?;
            self.want(")")?;
            return Ok(inner);
        }
        let at = self.at;
        let name = self.name("a pointer of this thread")?;
        match self.pointers.iter().find(|p| p.name == name) {
            Some(pointer) => Ok((pointer.variable, pointer.atomic)),
            None if self.body.locals.iter().any(|l| l.name == name) => self.error_at(
                at,
                "not-supported",
                format!("`{name}` is a register; addresses in registers are not read"),
            ),
            None => {
                let known = self.pointers.iter().map(|p| p.name.as_str());
                let error = self.error(at, "unknown-name", format!("`{name}` is no pointer of this thread"));
                Err(error.did_you_mean(&name, known))
            }
        }
    }

    /// Whether it may be that an access is not made.
    pub(super) fn sure(&self, at: usize) -> Parsed<()> {
        if self.unsure == 0 {
            return Ok(());
        }
        let message = "an access after `&&` or `||` may or may not be made: put it into a statement of its own".to_owned();
        self.error_at(at, "not-supported", message)
    }

    /// A condition in parentheses.
    pub(super) fn in_parentheses(&mut self) -> Parsed<Expr> {
        self.want("(")?;
        let condition = self.expression()?;
        self.want(")")?;
        Ok(condition)
    }
}
