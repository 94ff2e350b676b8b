//! Statements and guards.

use mazurka_diagnostics::Diagnostic;

use super::super::ast::{Annotation, Block, Expr, ExprKind, Guard, GuardKind, Stmt, StmtBranch, StmtKind, Target};
use super::super::token::TokenKind;
use super::{Parse, Parser};

impl Parser<'_> {
    /// `{ … }`, with recovery inside: fails only when there is no brace.
    pub(super) fn block(&mut self) -> Parse<Block> {
        let open = self.want(TokenKind::LeftBrace)?.span;
        let stmts = self.nested(|p| Ok(p.stmts()))?;
        if self.kind() != TokenKind::RightBrace {
            let message = self.expected_message("`}`");
            let place = self.missing_place();
            self.report(
                Diagnostic::error("syntax", message)
                    .label(place, "")
                    .label(open, "to close this block"),
            );
        }
        self.eat(TokenKind::RightBrace);
        Ok(Block {
            stmts,
            span: self.since(open),
        })
    }

    fn stmts(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        while self.kind() != TokenKind::RightBrace && !self.at_end() && !self.declaration_keyword() {
            let (before, start) = (self.at, self.span());
            match self.stmt() {
                Ok(stmt) => stmts.push(stmt),
                Err(_) => {
                    self.skip_item();
                    if self.at == before {
                        self.bump();
                    }
                    stmts.push(Stmt {
                        annotations: Vec::new(),
                        kind: StmtKind::Error,
                        span: self.since(start),
                    });
                }
            }
        }
        stmts
    }

    /// A `;`. When it is missing at the end of a line, or before what looks like the next statement, that is reported and parsing goes on as if
    /// it were there.
    pub(super) fn semicolon(&mut self) -> Parse<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        let after = self.previous().after();
        if self.missing_place() != after && !self.declaration_ahead() && !self.statement_keyword() && self.kind() != TokenKind::RightBrace {
            return Err(self.unexpected("`;`"));
        }
        let diagnostic = Diagnostic::error("syntax", self.expected_message("`;`")).label(after, "");
        self.report(diagnostic);
        Ok(())
    }

    /// Whether a word stands here that only a statement starts with.
    fn statement_keyword(&self) -> bool {
        matches!(
            self.word(),
            "skip" | "suspend" | "return" | "assert" | "throw" | "die" | "while" | "foreach" | "switch" | "try" | "await" | "if"
        )
    }

    pub(super) fn stmt(&mut self) -> Parse<Stmt> {
        self.nested(Self::stmt_inner)
    }

    fn stmt_inner(&mut self) -> Parse<Stmt> {
        let start = self.span();
        let annotations = self.annotations()?;
        let kind = self.stmt_kind(&annotations)?;
        Ok(Stmt {
            annotations,
            kind,
            span: self.since(start),
        })
    }

    fn stmt_kind(&mut self, annotations: &[Annotation]) -> Parse<StmtKind> {
        let kind = match self.word() {
            "skip" => {
                self.bump();
                StmtKind::Skip
            }
            "suspend" => {
                self.bump();
                StmtKind::Suspend
            }
            "return" => {
                self.bump();
                if self.kind() == TokenKind::Semicolon {
                    return Err(self.unexpected_with_help(
                        "the value to return",
                        "a method of type `Unit` ends with `return Unit;` or without `return`",
                    ));
                }
                StmtKind::Return(self.expr()?)
            }
            "assert" => {
                self.bump();
                StmtKind::Assert(self.expr()?)
            }
            "throw" => {
                self.bump();
                StmtKind::Throw(self.expr()?)
            }
            "die" => {
                self.bump();
                StmtKind::Die(self.expr()?)
            }
            "await" => self.await_stmt()?,
            "if" if self.if_expr_ahead() => StmtKind::Expr(self.expr()?),
            "if" => return self.if_stmt(),
            "while" => return self.while_stmt(),
            "foreach" => return self.foreach_stmt(),
            "switch" => return self.switch_stmt(),
            "case" => return self.case_stmt(),
            "try" => return self.try_stmt(),
            "duration" if self.kind_ahead(1) == TokenKind::LeftParen => {
                let (least, most) = self.interval()?;
                StmtKind::Duration(least, most)
            }
            "movecogto" => {
                let span = self.span();
                return Err(self.unsupported("moving cogs between deployment components (`movecogto`)", span));
            }
            "rebind" if self.kind_ahead(1) != TokenKind::Assign => {
                let span = self.span();
                return Err(self.unsupported("the component model (`rebind`)", span));
            }
            _ => return self.other_stmt(annotations),
        };
        self.semicolon()?;
        Ok(kind)
    }

    /// Blocks, declarations, assignments, expressions.
    fn other_stmt(&mut self, annotations: &[Annotation]) -> Parse<StmtKind> {
        if self.kind() == TokenKind::LeftBrace {
            return Ok(StmtKind::Block(self.block()?));
        }
        if self.kind() == TokenKind::Semicolon {
            return Err(self.unexpected_with_help("a statement", "the empty statement is `skip;`"));
        }
        if self.word() == "else" {
            return Err(self.unexpected_with_help(
                "a statement",
                "this `else` has no `if`; use braces when there are several statements before it",
            ));
        }
        let kind = if self.declaration_ahead() {
            let ty = self.plain_type()?;
            let name = self.ident("the name of a variable")?;
            let value = if self.eat(TokenKind::Assign) { Some(self.expr()?) } else { None };
            StmtKind::Declare(ty, name, value)
        } else if self.kind() == TokenKind::Ident && self.kind_ahead(1) == TokenKind::Assign {
            let name = self.ident("a statement")?;
            self.bump();
            StmtKind::Assign(Target { this: false, name }, self.expr()?)
        } else if self.word() == "this"
            && self.kind_ahead(1) == TokenKind::Dot
            && self.kind_ahead(2) == TokenKind::Ident
            && self.kind_ahead(3) == TokenKind::Assign
        {
            self.bump();
            self.bump();
            let name = self.ident("the name of a field")?;
            self.bump();
            StmtKind::Assign(Target { this: true, name }, self.expr()?)
        } else {
            if annotations.is_empty() && !self.expr_ahead() {
                return Err(self.unexpected("a statement or `}`"));
            }
            let expr = self.expr()?;
            if self.kind() == TokenKind::Assign {
                return Err(self.unexpected_with_help(
                    "`;`",
                    "only variables (`x = …`) and fields of this object (`this.x = …`) can be assigned",
                ));
            }
            StmtKind::Expr(expr)
        };
        self.semicolon()?;
        Ok(kind)
    }

    fn parenthesised(&mut self) -> Parse<Expr> {
        let open = self.want(TokenKind::LeftParen)?.span;
        let expr = self.expr()?;
        self.close(TokenKind::RightParen, open)?;
        Ok(expr)
    }

    /// Whether the `if` here is the old form of the expression `when c then a else b`: `then` follows the condition.
    fn if_expr_ahead(&self) -> bool {
        let mut depth = 0_u32;
        let mut n = 1;
        loop {
            match self.kind_ahead(n) {
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen if depth == 0 => return false,
                TokenKind::RightParen => {
                    depth -= 1;
                    let next = self.kind_ahead(n + 1);
                    if depth == 0 && self.word_ahead(n + 1) != "then" && super::expr::operator(next).is_none() {
                        return false;
                    }
                }
                TokenKind::Ident if depth == 0 && self.word_ahead(n) == "then" => return true,
                TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::End => return false,
                _ => {}
            }
            n += 1;
        }
    }

    fn if_stmt(&mut self) -> Parse<StmtKind> {
        self.bump();
        let condition = self.parenthesised()?;
        let then = self.stmt()?;
        let otherwise = if self.eat_word("else") {
            Some(Box::new(self.stmt()?))
        } else {
            None
        };
        Ok(StmtKind::If(condition, Box::new(then), otherwise))
    }

    fn while_stmt(&mut self) -> Parse<StmtKind> {
        self.bump();
        let condition = self.parenthesised()?;
        Ok(StmtKind::While(condition, Box::new(self.stmt()?)))
    }

    fn foreach_stmt(&mut self) -> Parse<StmtKind> {
        self.bump();
        let open = self.want(TokenKind::LeftParen)?.span;
        let variable = self.ident("the name of the loop variable")?;
        let index = if self.eat(TokenKind::Comma) {
            Some(self.ident("the name of the index variable")?)
        } else {
            None
        };
        self.want_word("in")?;
        let list = self.expr()?;
        self.close(TokenKind::RightParen, open)?;
        Ok(StmtKind::Foreach(variable, index, list, Box::new(self.stmt()?)))
    }

    fn switch_stmt(&mut self) -> Parse<StmtKind> {
        self.bump();
        let value = self.parenthesised()?;
        Ok(StmtKind::Switch(value, self.stmt_branches()?))
    }

    /// The old `case` statement; a `case` expression as a statement has the same shape, and a `;` at the end.
    fn case_stmt(&mut self) -> Parse<StmtKind> {
        self.bump();
        let value = self.expr()?;
        let branches = self.stmt_branches()?;
        self.eat(TokenKind::Semicolon);
        Ok(StmtKind::Switch(value, branches))
    }

    /// `{ p => s … }`.
    pub(super) fn stmt_branches(&mut self) -> Parse<Vec<StmtBranch>> {
        let open = self.want(TokenKind::LeftBrace)?.span;
        let mut branches = Vec::new();
        self.eat(TokenKind::Or);
        while self.kind() != TokenKind::RightBrace && !self.at_end() && !self.declaration_keyword() {
            match self.stmt_branch() {
                Ok(branch) => branches.push(branch),
                Err(_) => self.skip_item(),
            }
            self.eat(TokenKind::Or);
        }
        self.close(TokenKind::RightBrace, open)?;
        Ok(branches)
    }

    fn stmt_branch(&mut self) -> Parse<StmtBranch> {
        let pattern = self.pattern()?;
        self.want(TokenKind::FatArrow)?;
        let body = self.stmt()?;
        // `{ … };` after a branch is common and harmless.
        self.eat(TokenKind::Semicolon);
        Ok(StmtBranch { pattern, body })
    }

    fn try_stmt(&mut self) -> Parse<StmtKind> {
        self.bump();
        let body = self.stmt()?;
        self.want_word("catch")?;
        let branches = if self.kind() == TokenKind::LeftBrace {
            self.stmt_branches()?
        } else {
            vec![self.stmt_branch()?]
        };
        let finally = if self.eat_word("finally") {
            Some(Box::new(self.stmt()?))
        } else {
            None
        };
        Ok(StmtKind::Try(Box::new(body), branches, finally))
    }

    /// `await g` or `await o!m(…)`, without the `;`.
    fn await_stmt(&mut self) -> Parse<StmtKind> {
        let start = self.bump().span;
        let guard = self.guard()?;
        match guard.kind {
            GuardKind::Condition(Expr {
                kind: ExprKind::AsyncCall(callee, method, args),
                ..
            }) => {
                let span = self.since(start);
                Ok(StmtKind::Expr(Expr {
                    kind: ExprKind::AwaitCall(callee, method, args),
                    span,
                }))
            }
            kind => Ok(StmtKind::Await(Guard { kind, span: guard.span })),
        }
    }

    /// `duration(min, max)` or `duration(min)`.
    fn interval(&mut self) -> Parse<(Expr, Option<Expr>)> {
        self.bump();
        let open = self.want(TokenKind::LeftParen)?.span;
        let least = self.expr()?;
        let most = if self.eat(TokenKind::Comma) { Some(self.expr()?) } else { None };
        self.close(TokenKind::RightParen, open)?;
        Ok((least, most))
    }

    fn guard(&mut self) -> Parse<Guard> {
        let start = self.span();
        let mut guard = self.guard_part()?;
        let mut parts = 1;
        while self.eat(TokenKind::And) {
            parts += 1;
            if parts > super::MAX_DEPTH / 2 {
                return Err(self.too_deep());
            }
            let right = self.guard_part()?;
            guard = Guard {
                kind: GuardKind::And(Box::new(guard), Box::new(right)),
                span: self.since(start),
            };
        }
        Ok(guard)
    }

    fn guard_part(&mut self) -> Parse<Guard> {
        let start = self.span();
        if self.word() == "duration" && self.kind_ahead(1) == TokenKind::LeftParen {
            let (least, most) = self.interval()?;
            return Ok(Guard {
                kind: GuardKind::Duration(least, most),
                span: self.since(start),
            });
        }
        if self.kind() == TokenKind::Or {
            return Err(self.unsupported("the component model (`await |o|`)", start));
        }
        if self.parenthesised_guard_ahead() {
            let open = self.bump().span;
            let guard = self.nested(Self::guard)?;
            self.close(TokenKind::RightParen, open)?;
            return Ok(guard);
        }
        let expr = self.expr()?;
        let kind = if self.eat(TokenKind::Question) {
            GuardKind::Future(expr)
        } else {
            GuardKind::Condition(expr)
        };
        Ok(Guard {
            kind,
            span: self.since(start),
        })
    }

    /// Whether the parenthesis that opens here holds a guard that is not an expression: `?` occurs only in guards.
    fn parenthesised_guard_ahead(&self) -> bool {
        if self.kind() != TokenKind::LeftParen {
            return false;
        }
        let mut depth = 0_u32;
        for token in &self.tokens[self.at..] {
            match token.kind {
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen => {
                    depth -= 1;
                    if depth == 0 {
                        return false;
                    }
                }
                TokenKind::Question | TokenKind::And => return true,
                TokenKind::Semicolon | TokenKind::RightBrace | TokenKind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether an expression can start here.
    fn expr_ahead(&self) -> bool {
        match self.kind() {
            TokenKind::Ident => !matches!(self.word(), "else" | "then" | "in" | "catch" | "finally" | "implements" | "extends"),
            TokenKind::TypeIdent
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Str
            | TokenKind::TemplateWhole
            | TokenKind::TemplateStart
            | TokenKind::LeftParen
            | TokenKind::Minus
            | TokenKind::Bang
            | TokenKind::Tilde => true,
            _ => false,
        }
    }
}
