//! Statements and sequences.

use super::{Failed, Parsed, Parser};
use crate::ast::{Expr, ExprKind, Stmt, StmtKind};
use crate::token::{TokenKind, is_keyword};
use mazurka_diagnostics::{Diagnostic, Span};

/// Statements in one block.
const MAX_STATEMENTS: usize = 100_000;

impl Parser<'_> {
    /// `{ statements }`, with the closing brace.
    pub(super) fn body(&mut self) -> Parsed<(Vec<Stmt>, Span)> {
        let open = self.want("{")?;
        let reported = self.diagnostics.len();
        let body = self.sequence();
        if self.peek().is("}") {
            let close = self.next().span;
            if body.is_empty() && self.diagnostics.len() == reported {
                self.report(
                    Diagnostic::error("empty-block", "a block needs at least one statement")
                        .label(open.to(close), "empty")
                        .with_help("write `skip` to do nothing"),
                );
            }
            return Ok((body, close));
        }
        self.unexpected("`}`")
    }

    fn ends_sequence(&self) -> bool {
        let token = self.peek();
        match token.kind {
            TokenKind::End => true,
            TokenKind::Punct => token.is("}") || token.is("::"),
            TokenKind::Name => matches!(&*token.text, "fi" | "od"),
            _ => false,
        }
    }

    /// Statements up to what closes the block; what cannot be read is reported and skipped.
    pub(super) fn sequence(&mut self) -> Vec<Stmt> {
        let mut statements = Vec::new();
        loop {
            while self.eat(";") || self.eat("->") {}
            if self.ends_sequence() {
                return statements;
            }
            if statements.len() >= MAX_STATEMENTS {
                let message = format!("a block of more than {MAX_STATEMENTS} statements");
                let too_long = Diagnostic::error("too-large", message).label(self.peek().span, "here it becomes too long");
                self.give_up(too_long);
                return statements;
            }
            let before = self.at;
            match self.step() {
                Ok(statement) => {
                    self.panicking = false;
                    statements.push(statement);
                    self.separator();
                }
                Err(Failed) => {
                    if self.at == before && !self.ends_sequence() {
                        self.next();
                    }
                    self.recover();
                    self.panicking = false;
                }
            }
        }
    }

    /// A separator must follow a statement, except at the end of a line and after something that closes with a bracket of its own.
    fn separator(&mut self) {
        let closed = self.at > 0 && {
            let last = &self.tokens[self.at - 1];
            last.is("}") || last.is_name("fi") || last.is_name("od") || last.is_name("else") || last.is(":")
        };
        // A call of an inline stands for its block, which closes with a brace.
        let inline = self.at > 0 && self.tokens[self.at - 1].is(")") && self.after_inline_call();
        // Since version 6.3 SPIN takes the end of a line for a separator.
        let line = self.peek().first;
        if self.peek().is(";") || self.peek().is("->") || self.ends_sequence() || closed || inline || line {
            return;
        }
        let after = self.last_span().after();
        let token = self.peek().clone();
        self.report(
            Diagnostic::error("syntax", format!("expected `;` or `->` before `{}`", token.text))
                .label(after, "a separator is missing here")
                .label(token.span, "before this"),
        );
        self.recover();
    }

    /// Whether the tokens just read end with a call of an inline.
    fn after_inline_call(&self) -> bool {
        let mut depth = 0usize;
        for i in (1..self.at).rev() {
            let token = &self.tokens[i];
            if token.is(")") {
                depth += 1;
            } else if token.is("(") {
                depth -= 1;
                if depth == 0 {
                    return self.inlines.contains_key(&self.tokens[i - 1].text);
                }
            }
        }
        false
    }

    /// Skips to the next place where a statement can start.
    fn recover(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() {
            let token = self.peek();
            if depth == 0 && (token.is(";") || token.is("->") || self.ends_sequence()) {
                return;
            }
            if token.is("{") || token.is_name("if") || token.is_name("do") {
                depth += 1;
            } else if token.is("}") || token.is_name("fi") || token.is_name("od") {
                depth = depth.saturating_sub(1);
            }
            self.next();
        }
    }

    /// A statement, perhaps with an escape.
    fn step(&mut self) -> Parsed<Stmt> {
        self.deeper(|parser| {
            let start = parser.peek().span;
            let main = parser.statement()?;
            if !parser.eat_word("unless") {
                return Ok(main);
            }
            let escape = parser.statement()?;
            let span = start.to(parser.last_span());
            // `label: s unless e` labels the whole.
            let (mut labels, mut inner) = (Vec::new(), main);
            while let StmtKind::Labeled(name, statement) = inner.kind {
                labels.push(name);
                inner = *statement;
            }
            let mut result = Stmt {
                kind: StmtKind::Unless(Box::new(inner), Box::new(escape)),
                span,
            };
            while let Some(label) = labels.pop() {
                result = Stmt {
                    kind: StmtKind::Labeled(label, Box::new(result)),
                    span,
                };
            }
            Ok(result)
        })
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let start = self.peek().span;
        let kind = self.statement_kind()?;
        let span = start.to(self.last_span());
        Ok(match kind {
            // An inline keeps the place of its call.
            StmtKind::Block(_) if self.tokens[self.at - 1].is(")") => Stmt { kind, span: start },
            kind => Stmt { kind, span },
        })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        if self.starts_declaration() {
            return Ok(StmtKind::Declaration(self.declaration()?));
        }
        let token = self.peek().clone();
        if token.is("{") {
            return Ok(StmtKind::Block(self.deeper(Self::body)?.0));
        }
        if token.kind != TokenKind::Name {
            return Ok(StmtKind::Condition(self.expression()?));
        }
        match &*token.text {
            "xr" | "xs" => {
                self.next();
                self.var_ref()?;
                while self.eat(",") {
                    self.var_ref()?;
                }
                Ok(StmtKind::Nothing)
            }
            "if" => Ok(StmtKind::If(self.options("fi")?)),
            "do" => Ok(StmtKind::Do(self.options("od")?)),
            "for" => self.for_loop(),
            "select" => self.select(),
            "atomic" => {
                self.next();
                Ok(StmtKind::Atomic(self.deeper(Self::body)?.0))
            }
            "d_step" => {
                self.next();
                Ok(StmtKind::DStep(self.deeper(Self::body)?.0))
            }
            "else" => {
                self.next();
                Ok(StmtKind::Else)
            }
            "break" => {
                self.next();
                Ok(StmtKind::Break)
            }
            "goto" => {
                self.next();
                Ok(StmtKind::Goto(self.name("the name of a label")?))
            }
            "assert" => {
                self.next();
                Ok(StmtKind::Assert(self.expression()?))
            }
            "printf" | "printm" => self.print(),
            "set_priority" => {
                self.next();
                self.want("(")?;
                let pid = self.expression()?;
                self.want(",")?;
                let priority = self.expression()?;
                self.want(")")?;
                Ok(StmtKind::SetPriority(pid, priority))
            }
            "return" => self.return_value(),
            "c_code" | "c_decl" | "c_state" | "c_track" => self.embedded_c(&token),
            "typedef" | "inline" | "proctype" | "active" | "init" => {
                let message = Diagnostic::error("syntax", format!("`{}` must stand outside of process types", token.text))
                    .label(token.span, "not inside a body")
                    .with_help("is a `}` missing before it?");
                self.fail(message)
            }
            word if !is_keyword(word) && self.peek_at(1).is(":") && !self.peek_at(1).is("::") && !self.proctypes.contains(word) => {
                self.labeled()
            }
            _ if self.at_inline_call(0) => Ok(self.inline_call(None)?.kind),
            word if !is_keyword(word) => self.starting_with_name(),
            _ => Ok(StmtKind::Condition(self.expression()?)),
        }
    }

    fn labeled(&mut self) -> Parsed<StmtKind> {
        let name = self.name("a label")?;
        self.next();
        // A label before the end of a block labels an empty statement.
        let inner = if self.ends_sequence() || self.peek().is(";") || self.peek().is("->") {
            let one = Expr::number(1, name.span);
            Stmt {
                kind: StmtKind::Condition(one),
                span: name.span,
            }
        } else {
            self.deeper(Self::statement)?
        };
        Ok(StmtKind::Labeled(name, Box::new(inner)))
    }

    /// An assignment, a send, a receive, or an expression that starts with a variable.
    fn starting_with_name(&mut self) -> Parsed<StmtKind> {
        let from = self.at;
        if self.proctypes.contains(&self.peek().text) {
            return Ok(StmtKind::Condition(self.expression()?));
        }
        let unknown_call = self.peek_at(1).is("(");
        let variable = self.var_ref()?;
        if unknown_call {
            let name = &variable.parts[0].0;
            let known = self
                .inlines
                .keys()
                .map(|k| &**k)
                .chain(["printf", "assert", "run", "len", "full", "empty"]);
            let message = Diagnostic::error("unknown-name", format!("`{}` is neither an inline nor a macro", name.text))
                .label(name.span, "called here")
                .did_you_mean(&name.text, known);
            return self.fail(message);
        }
        let operator = self.peek().clone();
        match &*operator.text {
            "=" if operator.kind == TokenKind::Punct => {
                self.next();
                if self.at_inline_call(0) {
                    return Ok(self.inline_call(Some(variable))?.kind);
                }
                Ok(StmtKind::Assign(variable, self.expression()?))
            }
            "++" | "--" if operator.kind == TokenKind::Punct => {
                self.next();
                let op = if operator.is("++") { "+" } else { "-" };
                let span = variable.span.to(operator.span);
                let old = Expr::new(ExprKind::Variable(variable.clone()), variable.span);
                let value = Expr::new(ExprKind::Binary(op, old, Expr::number(1, operator.span)), span);
                Ok(StmtKind::Assign(variable, value))
            }
            "!" | "!!" if operator.kind == TokenKind::Punct => {
                self.next();
                let args = self.send_args()?;
                Ok(StmtKind::Send {
                    channel: variable,
                    args,
                    sorted: operator.is("!!"),
                })
            }
            "?" | "??" if operator.kind == TokenKind::Punct && !self.peek_at(1).is("[") => {
                self.next();
                let peek = self.eat("<");
                let args = self.receive_args(if peek { ">" } else { "" })?;
                if peek {
                    self.want(">")?;
                }
                Ok(StmtKind::Receive {
                    channel: variable,
                    args,
                    random: operator.is("??"),
                    peek,
                })
            }
            _ => {
                self.at = from;
                Ok(StmtKind::Condition(self.expression()?))
            }
        }
    }

    /// `a, b, c` or `m(a, b)`.
    fn send_args(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = vec![self.expression()?];
        if self.peek().is("(") && !self.peek().first {
            self.next();
            args.push(self.expression()?);
            while self.eat(",") {
                args.push(self.expression()?);
            }
            self.want(")")?;
            return Ok(args);
        }
        while self.eat(",") {
            args.push(self.expression()?);
        }
        Ok(args)
    }

    fn options(&mut self, close: &str) -> Parsed<Vec<Vec<Stmt>>> {
        let open = self.next();
        if !self.peek().is("::") {
            return self.unexpected("`::`");
        }
        let mut options = Vec::new();
        while self.peek().is("::") {
            let separator = self.next().span;
            let reported = self.diagnostics.len();
            let option = self.sequence();
            if option.is_empty() && self.diagnostics.len() == reported {
                self.report(
                    Diagnostic::error("empty-option", "an option needs at least one statement")
                        .label(separator, "nothing follows")
                        .with_help("write `skip` to do nothing"),
                );
            }
            options.push(option);
        }
        if self.eat_word(close) {
            return Ok(options);
        }
        let token = self.peek().clone();
        let found = match token.kind {
            TokenKind::End => "the end of the file".into(),
            _ => format!("`{}`", token.text),
        };
        self.fail(
            Diagnostic::error("syntax", format!("expected `{close}` or `::`, found {found}"))
                .label(token.span, format!("expected `{close}`"))
                .label(open.span, format!("to close this `{}`", open.text)),
        )
    }

    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.next();
        self.want("(")?;
        let variable = self.var_ref()?;
        if self.eat_word("in") {
            let over = self.var_ref()?;
            self.want(")")?;
            self.eat(";");
            self.eat("->");
            let (body, _) = self.deeper(Self::body)?;
            return Ok(StmtKind::ForIn { variable, over, body });
        }
        self.want(":")?;
        let from = self.expression()?;
        self.want("..")?;
        let to = self.expression()?;
        self.want(")")?;
        self.eat(";");
        self.eat("->");
        let (body, _) = self.deeper(Self::body)?;
        Ok(StmtKind::For { variable, from, to, body })
    }

    fn select(&mut self) -> Parsed<StmtKind> {
        self.next();
        self.want("(")?;
        let variable = self.var_ref()?;
        self.want(":")?;
        let from = self.expression()?;
        self.want("..")?;
        let to = self.expression()?;
        self.want(")")?;
        Ok(StmtKind::Select { variable, from, to })
    }

    fn print(&mut self) -> Parsed<StmtKind> {
        let word = self.next();
        self.want("(")?;
        let mut args = Vec::new();
        if word.is_name("printf") {
            if self.peek().kind != TokenKind::Text {
                return self.unexpected("a string");
            }
            while self.peek().kind == TokenKind::Text {
                self.next();
            }
            while self.eat(",") {
                args.push(self.expression()?);
            }
        } else {
            args.push(self.expression()?);
        }
        self.want(")")?;
        Ok(StmtKind::Print { args })
    }

    /// `return e` in an inline that was called as `x = name(…)`.
    fn return_value(&mut self) -> Parsed<StmtKind> {
        let span = self.next().span;
        let value = self.expression()?;
        match self.returns_to.clone() {
            Some(target) => Ok(StmtKind::Assign(target, value)),
            None => self.fail(
                Diagnostic::error("return", "`return` outside of an inline that is called as `x = name(…)`")
                    .label(span, "nothing to return to"),
            ),
        }
    }
}
