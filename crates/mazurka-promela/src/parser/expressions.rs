//! Expressions, by precedence climbing.

use super::{MAX_DEPTH, Parsed, Parser};
use crate::ast::{Expr, ExprKind, Probe, ReceiveArg, VarRef};
use crate::token::{BINARY_OPERATORS, TokenKind};
use mazurka_diagnostics::{Diagnostic, Span};

/// The longest chain of operators of one strength, `a + b + …`: the tree leans to the left and later passes descend it.
const MAX_CHAIN: usize = 1000;

impl Expr {
    /// A number.
    pub fn number(value: i32, span: Span) -> Expr {
        Expr::new(ExprKind::Number(value), span)
    }

    /// An expression at a place.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr {
            kind: Box::new(kind),
            span,
        }
    }
}

impl Parser<'_> {
    /// Reads an expression.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.binary(0)
    }

    fn binary(&mut self, strength: u8) -> Parsed<Expr> {
        self.deeper(|parser| {
            let mut left = parser.unary()?;
            let mut chain = 0;
            while parser.peek().kind == TokenKind::Punct {
                let token = parser.peek();
                // A line that starts with a minus starts a statement, except inside of parentheses.
                if token.is("-") && token.first && parser.parentheses == 0 {
                    break;
                }
                let Some(&(op, s)) = BINARY_OPERATORS.iter().find(|(op, s)| token.is(op) && *s > strength) else {
                    break;
                };
                chain += 1;
                if chain > MAX_CHAIN {
                    let span = token.span;
                    let message = format!("this expression has more than {MAX_CHAIN} operators");
                    return Err(parser.give_up(Diagnostic::error("nesting", message).label(span, "here")));
                }
                parser.next();
                let right = parser.binary(s)?;
                let span = left.span.to(right.span);
                left = Expr::new(ExprKind::Binary(op, left, right), span);
            }
            Ok(left)
        })
    }

    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        let token = self.peek().clone();
        for op in ["!", "-", "~"] {
            if token.is(op) {
                self.next();
                let operand = self.deeper(Self::unary)?;
                let span = token.span.to(operand.span);
                return Ok(Expr::new(ExprKind::Unary(op, operand), span));
            }
        }
        // `!!x` is one token, which elsewhere means a sorted send.
        if token.is("!!") {
            self.next();
            let operand = self.deeper(Self::unary)?;
            let span = token.span.to(operand.span);
            let inner = Expr::new(ExprKind::Unary("!", operand), span);
            return Ok(Expr::new(ExprKind::Unary("!", inner), span));
        }
        self.primary()
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek().clone();
        match token.kind {
            TokenKind::Number(value) => {
                self.next();
                Ok(Expr::number(value, token.span))
            }
            TokenKind::Punct if token.is("(") => self.parenthesised(),
            TokenKind::Name => self.named(),
            _ => self.unexpected("an expression"),
        }
    }

    /// `(e)` or `(c -> a : b)`.
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        self.parentheses += 1;
        let inside = self.in_parentheses(start);
        self.parentheses -= 1;
        inside
    }

    fn in_parentheses(&mut self, start: Span) -> Parsed<Expr> {
        let first = self.expression()?;
        if self.eat("->") {
            let yes = self.expression()?;
            self.want(":")?;
            let no = self.expression()?;
            let end = self.want(")")?;
            return Ok(Expr::new(ExprKind::Conditional(first, yes, no), start.to(end)));
        }
        let end = self.want(")")?;
        Ok(Expr {
            kind: first.kind,
            span: start.to(end),
        })
    }

    fn named(&mut self) -> Parsed<Expr> {
        let token = self.peek().clone();
        let number = |value| Ok(Expr::number(value, token.span));
        match &*token.text {
            "true" | "skip" => {
                self.next();
                number(1)
            }
            "false" => {
                self.next();
                number(0)
            }
            "timeout" => {
                self.next();
                Ok(Expr::new(ExprKind::Timeout, token.span))
            }
            "len" => self.probe(Probe::Len),
            "full" => self.probe(Probe::Full),
            "empty" => self.probe(Probe::Empty),
            "nfull" => self.probe(Probe::NotFull),
            "nempty" => self.probe(Probe::NotEmpty),
            "run" => self.run(),
            "np_" => {
                self.next();
                Ok(Expr::new(ExprKind::NonProgress, token.span))
            }
            "enabled" => self.about_process(ExprKind::Enabled),
            "pc_value" => self.refuse(token.span, "`pc_value`", "use a label and `name[pid]@label` instead"),
            "get_priority" => self.about_process(ExprKind::Priority),
            "c_expr" => self.embedded_c(&token),
            "eval" => {
                // Outside of a receive it is only a pair of parentheses.
                self.next();
                self.parenthesised()
            }
            "_last" => self.refuse(token.span, "`_last`", "the state does not remember who moved last"),
            name if self.proctypes.contains(name) && (self.peek_at(1).is("[") || self.peek_at(1).is("@") || self.peek_at(1).is(":")) => {
                self.remote()
            }
            _ => {
                let variable = self.var_ref()?;
                if (self.peek().is("?") || self.peek().is("??")) && self.peek_at(1).is("[") {
                    let random = self.next().is("??");
                    self.next();
                    let args = self.receive_args("]")?;
                    let end = self.want("]")?;
                    let span = variable.span.to(end);
                    let poll = ExprKind::Poll {
                        channel: variable,
                        args,
                        random,
                    };
                    return Ok(Expr::new(poll, span));
                }
                let span = variable.span;
                Ok(Expr::new(ExprKind::Variable(variable), span))
            }
        }
    }

    fn probe(&mut self, probe: Probe) -> Parsed<Expr> {
        let start = self.next().span;
        self.want("(")?;
        let channel = self.var_ref()?;
        let end = self.want(")")?;
        Ok(Expr::new(ExprKind::Probe(probe, channel), start.to(end)))
    }

    /// `enabled(pid)` and `get_priority(pid)`.
    fn about_process(&mut self, kind: fn(Expr) -> ExprKind) -> Parsed<Expr> {
        let start = self.next().span;
        self.want("(")?;
        let pid = self.expression()?;
        let end = self.want(")")?;
        Ok(Expr::new(kind(pid), start.to(end)))
    }

    fn run(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let name = self.name("the name of a process type")?;
        self.want("(")?;
        let mut args = Vec::new();
        while !self.peek().is(")") {
            args.push(self.expression()?);
            if !self.eat(",") {
                break;
            }
        }
        let end = self.want(")")?;
        let priority = self.priority()?;
        Ok(Expr::new(ExprKind::Run(name, args, priority), start.to(end)))
    }

    /// `P[pid]@label`, `P@label`, `P[pid]:variable`, `P:variable`.
    fn remote(&mut self) -> Parsed<Expr> {
        let proctype = self.name("the name of a process type")?;
        let mut pid = None;
        if self.eat("[") {
            pid = Some(self.expression()?);
            self.want("]")?;
        }
        if self.eat("@") {
            let label = self.name("a label")?;
            let span = proctype.span.to(label.span);
            return Ok(Expr::new(ExprKind::RemoteLabel(proctype, pid, label), span));
        }
        self.want(":")?;
        let variable = self.name("the name of a local variable")?;
        let mut index = None;
        if self.eat("[") {
            index = Some(self.expression()?);
            self.want("]")?;
        }
        let span = proctype.span.to(self.last_span());
        Ok(Expr::new(ExprKind::RemoteVariable(proctype, pid, variable, index), span))
    }

    /// `a[i].b.c[j]`.
    pub(super) fn var_ref(&mut self) -> Parsed<VarRef> {
        let mut parts = Vec::new();
        let start = self.peek().span;
        loop {
            let name = self.name("the name of a variable")?;
            let mut index = None;
            if self.eat("[") {
                index = Some(self.expression()?);
                self.want("]")?;
            }
            parts.push((name, index));
            if parts.len() > MAX_DEPTH {
                return self.unexpected("a shorter reference");
            }
            if !self.eat(".") {
                break;
            }
        }
        let span = start.to(self.last_span());
        Ok(VarRef { parts, span })
    }

    /// The arguments of a receive or a poll, up to but without `close`; `q?m(a, b)` means `q?m, a, b`.
    pub(super) fn receive_args(&mut self, close: &str) -> Parsed<Vec<ReceiveArg>> {
        let mut args = Vec::new();
        let mut open = 0;
        loop {
            while self.eat("(") {
                open += 1;
            }
            args.push(self.receive_arg()?);
            while open > 0 && self.eat(")") {
                open -= 1;
            }
            if self.peek().is("(") && !self.peek().first {
                self.next();
                open += 1;
                continue;
            }
            if !self.eat(",") {
                break;
            }
        }
        if open > 0 {
            self.want(")")?;
        }
        if !close.is_empty() && !self.peek().is(close) {
            return self.unexpected(&format!("`,` or `{close}`"));
        }
        Ok(args)
    }

    fn receive_arg(&mut self) -> Parsed<ReceiveArg> {
        let token = self.peek().clone();
        if token.is_name("eval") {
            self.next();
            self.want("(")?;
            let value = self.expression()?;
            self.want(")")?;
            return Ok(ReceiveArg::Match(value));
        }
        if token.is("-")
            || matches!(token.kind, TokenKind::Number(_))
            || token.is_name("true")
            || token.is_name("false")
            || token.is_name("skip")
        {
            return Ok(ReceiveArg::Match(self.unary()?));
        }
        Ok(ReceiveArg::Store(self.var_ref()?))
    }
}
