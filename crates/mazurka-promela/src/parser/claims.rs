//! Claims: `never`, and formulas of temporal logic as SPIN 6 reads them inside of `ltl { … }`.
//!
//! The temporal operators bind more weakly than comparisons and more strongly than `&&`; those in front bind most strongly of all, so
//! `[] x == 1` is `([] x) == 1`, which means nothing and is refused.

use super::{Parsed, Parser};
use crate::ast::{Claim, ClaimBody, Expr, ExprKind, Formula, Join, Prefix, Unit};
use crate::source::Asked;
use crate::token::{BINARY_OPERATORS, Token, TokenKind};
use mazurka_diagnostics::{Diagnostic, Span};
use std::sync::Arc;

/// The strengths of the operators that only formulas have, below and between those of [`BINARY_OPERATORS`].
const JOINS: &[(&[&str], Join, u8)] = &[
    (&["->", "implies"], Join::Implies, 1),
    (&["<->", "equivalent"], Join::Equivalent, 1),
    (&["||", "\\/"], Join::Or, 2),
    (&["&&", "/\\"], Join::And, 3),
    (&["U", "until", "stronguntil"], Join::Until, 4),
    (&["W", "weakuntil"], Join::WeakUntil, 4),
    (&["V", "release"], Join::Release, 4),
];

/// What the operators of Promela are stronger by in formulas.
const ABOVE: u8 = 4;

impl Parser<'_> {
    /// `never`, `ltl`, `trace` or `notrace`.
    pub(super) fn property(&mut self, token: &Token) -> Parsed<Option<Unit>> {
        let start = self.next().span;
        let name = match self.peek().kind {
            TokenKind::Name => Some(self.name("the name of the claim or `{`")?),
            _ => None,
        };
        // SPIN numbers those without a name, all kinds together.
        let said: Arc<str> = match &name {
            Some(name) => name.text.clone(),
            None => format!("{}_{}", token.text, self.nameless).into(),
        };
        self.nameless += u32::from(name.is_none());
        let what = match &*token.text {
            "ltl" | "never" => format!("claim {said}"),
            other => format!("`{other}` assertion"),
        };
        let is_trace = matches!(&*token.text, "trace" | "notrace");
        let wanted = match &self.asked.claims {
            crate::source::Claims::Check => true,
            crate::source::Claims::Ignore => false,
            crate::source::Claims::Only(names) => {
                let formulas = (0..self.asked.formulas.len()).map(crate::source::formula_name);
                names.iter().cloned().chain(formulas).any(|n| *said == *n)
            }
        };
        if !wanted || is_trace {
            self.leave_out(token, what, is_trace && self.asked.claims == crate::source::Claims::Check);
            return Ok(None);
        }
        let body = match &*token.text {
            "ltl" => {
                self.want("{")?;
                let formula = self.formula(0)?;
                self.eat(";");
                self.want("}")?;
                ClaimBody::Formula(formula)
            }
            _ => {
                let (body, end) = self.body()?;
                ClaimBody::Process(body, end)
            }
        };
        let span = start.to(name.as_ref().map_or(start, |n| n.span));
        self.claims.push(said.clone());
        Ok(Some(Unit::Claim(Box::new(Claim { what, said, span, body }))))
    }

    /// A property that is not checked: with a word about it, or an error if nobody said that it may be left out.
    fn leave_out(&mut self, token: &Token, what: String, refused: bool) {
        while !self.at_end() && !self.peek().is("{") {
            self.next();
        }
        self.skip_braces();
        let diagnostic = match refused {
            true => Diagnostic::error("not-supported", format!("not supported: a `{}` assertion", token.text))
                .with_help("`--ignore-claims` checks the model without its claims"),
            false => Diagnostic::note("ignored", format!("{what} is not checked")),
        };
        self.left_out.push(what);
        self.report(diagnostic.label(token.span, ""));
    }

    /// A formula whose operators are stronger than this.
    fn formula(&mut self, strength: u8) -> Parsed<Formula> {
        self.deeper(|parser| {
            let start = parser.peek().span;
            let mut left = parser.prefixed()?;
            loop {
                let token = parser.peek().clone();
                let is = |word: &&&str| token.is(word) || token.is_name(word);
                let join = JOINS.iter().find(|(words, _, s)| *s > strength && words.iter().any(|w| is(&w)));
                let plain = BINARY_OPERATORS
                    .iter()
                    .find(|(op, s)| token.is(op) && *s > 2 && *s + ABOVE > strength);
                if let Some((_, join, s)) = join {
                    parser.next();
                    let right = parser.formula(*s)?;
                    left = Formula::Join(*join, Box::new((left, right)));
                } else if let Some((op, s)) = plain {
                    parser.next();
                    let right = parser.formula(*s + ABOVE)?;
                    let span = start.to(parser.last_span());
                    left = parser.plain(op, left, right, span)?;
                } else {
                    return Ok(left);
                }
            }
        })
    }

    /// An operator of Promela between two values.
    fn plain(&mut self, op: &'static str, left: Formula, right: Formula, span: Span) -> Parsed<Formula> {
        match (left, right) {
            (Formula::Atom(a), Formula::Atom(b)) => Ok(Formula::Atom(Expr::new(ExprKind::Binary(op, a, b), span))),
            _ => self.fail(
                Diagnostic::error("formula", format!("`{op}` between formulas"))
                    .label(span, "one side of it is a temporal formula")
                    .with_help("temporal operators bind more strongly: write `[] (x == 1)`, with parentheses"),
            ),
        }
    }

    fn prefixed(&mut self) -> Parsed<Formula> {
        let token = self.peek().clone();
        let prefix = match &*token.text {
            "[" if token.kind == TokenKind::Punct && self.peek_at(1).is("]") => Some((Prefix::Always, 2)),
            "<" if token.kind == TokenKind::Punct && self.peek_at(1).is(">") => Some((Prefix::Eventually, 2)),
            "always" => Some((Prefix::Always, 1)),
            "eventually" => Some((Prefix::Eventually, 1)),
            "X" | "next" => Some((Prefix::Next, 1)),
            _ => None,
        };
        if let Some((prefix, tokens)) = prefix {
            self.at += tokens;
            let inside = self.deeper(Self::prefixed)?;
            return Ok(Formula::Prefix(prefix, Box::new(inside)));
        }
        if token.is("!") || token.is("!!") {
            self.next();
            let inside = self.deeper(Self::prefixed)?;
            let not = |formula: Formula| match formula {
                Formula::Atom(e) => {
                    let span = token.span.to(e.span);
                    Formula::Atom(Expr::new(ExprKind::Unary("!", e), span))
                }
                other => Formula::Prefix(Prefix::Not, Box::new(other)),
            };
            return Ok(if token.is("!") { not(inside) } else { not(not(inside)) });
        }
        if token.is("(") {
            let before = self.at;
            self.next();
            self.parentheses += 1;
            let inside = self.formula(0);
            self.parentheses -= 1;
            let inside = inside?;
            // `(c -> a : b)` is a value.
            if self.peek().is(":") {
                self.at = before;
                return Ok(Formula::Atom(self.unary()?));
            }
            let end = self.want(")")?;
            return Ok(match inside {
                Formula::Atom(e) => Formula::Atom(Expr {
                    kind: e.kind,
                    span: token.span.to(end),
                }),
                other => other,
            });
        }
        Ok(Formula::Atom(self.unary()?))
    }
}

/// Names of claims that were asked for and that the text does not have.
pub(super) fn unknown<'a>(asked: &'a Asked, found: &[Arc<str>]) -> Vec<&'a str> {
    match &asked.claims {
        crate::source::Claims::Only(names) => {
            let missing = |name: &&String| found.iter().all(|f| **f != ***name);
            names.iter().filter(missing).map(String::as_str).collect()
        }
        _ => Vec::new(),
    }
}
