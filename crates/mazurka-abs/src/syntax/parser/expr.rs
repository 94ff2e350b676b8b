//! Expressions, pure and effectful; the checker says where which may stand.

use mazurka_diagnostics::{Diagnostic, Span};

use super::super::ast::{BinaryOp, Expr, ExprBranch, ExprKind, FunctionArg, NewKind, QName, UnaryOp};
use super::super::token::TokenKind;
use super::{MAX_DEPTH, Parse, Parser};

/// An argument of a call, before it is known whether the call is one of a partial function.
enum Arg {
    Expr(Expr),
    Function(FunctionArg),
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        self.nested(|p| {
            let start = p.span();
            let mut expr = p.binary(0)?;
            // `implements` and `as` take all that stands before them; an operator after them takes the whole as its left operand.
            loop {
                if p.operator().is_some() {
                    expr = p.operands(expr, start, 0)?;
                    continue;
                }
                let kind = match p.word() {
                    "implements" => {
                        p.bump();
                        ExprKind::Implements(Box::new(expr), p.qualified_type_name("the name of an interface")?)
                    }
                    "as" if p.kind_ahead(1) == TokenKind::TypeIdent => {
                        p.bump();
                        ExprKind::As(Box::new(expr), p.qualified_type_name("the name of an interface")?)
                    }
                    _ => return Ok(expr),
                };
                p.grow()?;
                expr = Expr {
                    kind,
                    span: p.since(start),
                };
            }
        })
    }

    /// A loop has put a node on top of what was there.
    fn grow(&mut self) -> Parse<()> {
        self.tallest += 1;
        if self.tallest > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    /// The operator at the current place and how tightly it binds.
    fn operator(&self) -> Option<(BinaryOp, u8)> {
        operator(self.kind())
    }

    /// Operands joined by operators that bind at least as tightly as `minimum`, from left to right.
    fn binary(&mut self, minimum: u8) -> Parse<Expr> {
        let start = self.span();
        let outer = std::mem::take(&mut self.tallest);
        let left = self.unary()?;
        let joined = self.operands(left, start, minimum)?;
        self.tallest = self.tallest.max(outer);
        Ok(joined)
    }

    /// The operators after an operand that starts at `start`, with their right operands.
    fn operands(&mut self, mut left: Expr, start: Span, minimum: u8) -> Parse<Expr> {
        while let Some((operator, binding)) = self.operator()
            && binding >= minimum
        {
            self.bump();
            let right = self.binary(binding + 1)?;
            self.grow()?;
            left = Expr {
                kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
                span: self.since(start),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parse<Expr> {
        let start = self.span();
        let operator = match self.kind() {
            TokenKind::Bang | TokenKind::Tilde => UnaryOp::Not,
            TokenKind::Minus => UnaryOp::Negate,
            _ => return self.postfix(),
        };
        self.bump();
        let operand = self.nested(Self::unary)?;
        Ok(Expr {
            kind: ExprKind::Unary(operator, Box::new(operand)),
            span: self.since(start),
        })
    }

    /// An operand with the calls and `get`s after it.
    fn postfix(&mut self) -> Parse<Expr> {
        let start = self.span();
        let outer = std::mem::take(&mut self.tallest);
        let mut expr = self.atom()?;
        loop {
            let kind = match self.kind() {
                TokenKind::Dot if self.word_ahead(1) == "get" && self.kind_ahead(2) != TokenKind::LeftParen => {
                    self.bump();
                    self.bump();
                    ExprKind::Get(Box::new(expr))
                }
                TokenKind::Dot if self.kind_ahead(1) == TokenKind::Ident && self.kind_ahead(2) == TokenKind::LeftParen => {
                    self.bump();
                    let method = self.ident("the name of a method")?;
                    ExprKind::SyncCall(Box::new(expr), method, self.args()?)
                }
                TokenKind::Dot => {
                    self.bump();
                    let help = "objects hide their fields: call a method, or use `this.x` for a field of this object";
                    let place = self.span();
                    if self.kind() != TokenKind::Ident {
                        return Err(self.unexpected_with_help("`get` or the name of a method", help));
                    }
                    let diagnostic = Diagnostic::error("syntax", format!("expected `(` after the method name {}", self.found()));
                    return Err(self.report(diagnostic.label(place, "").with_help(help)));
                }
                TokenKind::Bang if self.kind_ahead(1) == TokenKind::Ident => {
                    self.bump();
                    let method = self.ident("the name of a method")?;
                    ExprKind::AsyncCall(Box::new(expr), method, self.args()?)
                }
                _ => break,
            };
            self.grow()?;
            expr = Expr {
                kind,
                span: self.since(start),
            };
        }
        self.tallest = self.tallest.max(outer);
        Ok(expr)
    }

    /// `(e, e)`.
    fn args(&mut self) -> Parse<Vec<Expr>> {
        let open = self.want(TokenKind::LeftParen)?.span;
        let args = self.comma_list(TokenKind::RightParen, Self::expr)?;
        self.close(TokenKind::RightParen, open)?;
        Ok(args)
    }

    fn atom(&mut self) -> Parse<Expr> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Int => ExprKind::Int(self.name().text),
            TokenKind::Float => {
                let span = self.bump().span;
                ExprKind::Float(self.text_at(span).parse().unwrap_or(f64::INFINITY))
            }
            TokenKind::Str => ExprKind::Str(self.string_literal()),
            TokenKind::TemplateWhole | TokenKind::TemplateStart => self.template()?,
            TokenKind::LeftParen => {
                let open = self.bump().span;
                let expr = self.expr()?;
                self.close(TokenKind::RightParen, open)?;
                return Ok(Expr {
                    kind: expr.kind,
                    span: self.since(start),
                });
            }
            TokenKind::TypeIdent => self.capital()?,
            TokenKind::Ident => self.word_atom()?,
            TokenKind::LeftBracket => return Err(self.unexpected_with_help("an expression", "lists are written `list[1, 2, 3]`")),
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr {
            kind,
            span: self.since(start),
        })
    }

    /// What starts with a small letter.
    fn word_atom(&mut self) -> Parse<ExprKind> {
        Ok(match self.word() {
            "this" => {
                self.bump();
                let field = self.kind() == TokenKind::Dot
                    && self.kind_ahead(1) == TokenKind::Ident
                    && self.kind_ahead(2) != TokenKind::LeftParen
                    && self.word_ahead(1) != "get";
                if !field {
                    return Ok(ExprKind::This);
                }
                self.bump();
                ExprKind::Field(self.ident("the name of a field")?)
            }
            "null" => {
                self.bump();
                ExprKind::Null
            }
            "destiny" => {
                self.bump();
                ExprKind::Destiny
            }
            "new" => self.new_object()?,
            "await" => {
                self.bump();
                let call = self.nested(Self::postfix)?;
                let ExprKind::AsyncCall(callee, method, args) = call.kind else {
                    let diagnostic = Diagnostic::error("syntax", "`await` inside an expression needs an asynchronous call")
                        .label(call.span, "")
                        .with_help("write `await o!m(…)`, or a statement `await guard;` of its own");
                    return Err(self.report(diagnostic));
                };
                ExprKind::AwaitCall(callee, method, args)
            }
            "original" => {
                self.bump();
                ExprKind::Original(self.args()?)
            }
            "core" if self.kind_ahead(1) == TokenKind::Dot && self.word_ahead(2) == "original" => {
                let span = self.span();
                return Err(self.unsupported("deltas (`core.original`)", span));
            }
            "when" | "if" => {
                self.bump();
                let condition = self.expr()?;
                self.want_word("then")?;
                let then = self.expr()?;
                self.want_word("else")?;
                let otherwise = self.expr()?;
                ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            "case" => self.case()?,
            "let" => {
                self.bump();
                self.let_binding()?
            }
            _ => {
                let name = self.ident("an expression")?;
                return self.after_name(QName {
                    module: None,
                    name: name.text,
                    span: name.span,
                });
            }
        })
    }

    /// What starts with a capital: a constructor or a qualified name.
    fn capital(&mut self) -> Parse<ExprKind> {
        let first = self.span();
        let name = self.qualified_type_name("a constructor")?;
        if self.kind() == TokenKind::Dot && self.kind_ahead(1) == TokenKind::Ident && self.word_ahead(1) != "get" {
            self.bump();
            if self.word() == "original" {
                return Err(self.unsupported("deltas (`original` of another delta)", name.span));
            }
            let last = self.ident("a name")?;
            let name = self.qualified(first, last);
            return self.after_name(name);
        }
        let args = if self.kind() == TokenKind::LeftParen {
            self.args()?
        } else {
            Vec::new()
        };
        Ok(ExprKind::Construct(name, args))
    }

    /// A variable, or a call when arguments follow.
    fn after_name(&mut self, name: QName) -> Parse<ExprKind> {
        match self.kind() {
            TokenKind::LeftBracket => {
                let open = self.bump().span;
                let args = self.comma_list(TokenKind::RightBracket, Self::expr)?;
                self.close(TokenKind::RightBracket, open)?;
                Ok(ExprKind::VariadicCall(name, args))
            }
            TokenKind::LeftParen => {
                let open = self.bump().span;
                let args = self.comma_list(TokenKind::RightParen, Self::arg)?;
                self.close(TokenKind::RightParen, open)?;
                if self.kind() == TokenKind::LeftParen {
                    let functions = args.into_iter().map(|arg| self.function_arg(arg)).collect::<Parse<_>>()?;
                    return Ok(ExprKind::PartialCall(name, functions, self.args()?));
                }
                let args = args.into_iter().map(|arg| self.plain_arg(arg)).collect::<Parse<_>>()?;
                Ok(ExprKind::Call(name, args))
            }
            _ => Ok(ExprKind::Var(name)),
        }
    }

    fn arg(&mut self) -> Parse<Arg> {
        if !self.lambda_ahead() {
            return Ok(Arg::Expr(self.expr()?));
        }
        let start = self.span();
        let params = self.params()?;
        self.want(TokenKind::FatArrow)?;
        let body = self.expr()?;
        Ok(Arg::Function(FunctionArg::Lambda(params, body, self.since(start))))
    }

    /// Whether `(T x) =>` starts here.
    fn lambda_ahead(&self) -> bool {
        if self.kind() != TokenKind::LeftParen
            || !matches!(
                self.kind_ahead(1),
                TokenKind::TypeIdent | TokenKind::RightParen | TokenKind::LeftBracket
            )
        {
            return false;
        }
        let mut depth = 0_u32;
        for (n, token) in self.tokens[self.at..].iter().enumerate() {
            match token.kind {
                TokenKind::LeftParen => depth += 1,
                TokenKind::RightParen => {
                    depth -= 1;
                    if depth == 0 {
                        return self.kind_ahead(n + 1) == TokenKind::FatArrow;
                    }
                }
                TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::End => return false,
                _ => {}
            }
        }
        false
    }

    fn function_arg(&mut self, arg: Arg) -> Parse<FunctionArg> {
        let expr = match arg {
            Arg::Function(function) => return Ok(function),
            Arg::Expr(expr) => expr,
        };
        match expr.kind {
            ExprKind::Var(name) => Ok(FunctionArg::Named(name)),
            ExprKind::Construct(name, args) if args.is_empty() => Ok(FunctionArg::Named(name)),
            _ => {
                let diagnostic = Diagnostic::error("syntax", "expected the name of a function or an anonymous function")
                    .label(expr.span, "")
                    .with_help("the first parentheses of a call `f(…)(…)` take functions: names, or `(T x) => e`");
                Err(self.report(diagnostic))
            }
        }
    }

    fn plain_arg(&mut self, arg: Arg) -> Parse<Expr> {
        match arg {
            Arg::Expr(expr) => Ok(expr),
            Arg::Function(function) => {
                let span = match &function {
                    FunctionArg::Lambda(_, _, span) => *span,
                    FunctionArg::Named(name) => name.span,
                };
                let diagnostic = Diagnostic::error("syntax", "an anonymous function cannot be an ordinary argument")
                    .label(span, "")
                    .with_help("functions are passed in parentheses of their own: `map((Int x) => x + 1)(list[1, 2])`");
                Err(self.report(diagnostic))
            }
        }
    }

    fn new_object(&mut self) -> Parse<ExprKind> {
        self.bump();
        // Files of 2012 annotate the cog here rather than the statement.
        for annotation in self.annotations()? {
            match annotation.word() {
                Some("Scheduler") => return Err(self.unsupported("user-defined schedulers (annotation `Scheduler`)", annotation.span)),
                Some("DC") => return Err(self.unsupported("deployment components (annotation `DC`)", annotation.span)),
                _ => {}
            }
        }
        let kind = match self.word() {
            "local" => NewKind::Local,
            "cog" => NewKind::Cog,
            _ => NewKind::Plain,
        };
        if kind != NewKind::Plain {
            self.bump();
        }
        let class = self.qualified_type_name("the name of a class")?;
        let args = self.args()?;
        if self.word() == "with" {
            let span = self.span().to(self.ahead(1).span);
            return Err(self.unsupported("classes of a product (`new … with`)", span));
        }
        Ok(ExprKind::New(kind, class, args))
    }

    fn case(&mut self) -> Parse<ExprKind> {
        self.bump();
        let value = self.expr()?;
        let open = self.want(TokenKind::LeftBrace)?.span;
        let mut branches = Vec::new();
        self.eat(TokenKind::Or);
        while self.kind() != TokenKind::RightBrace && !self.at_end() {
            let pattern = self.pattern()?;
            self.want(TokenKind::FatArrow)?;
            let body = self.expr()?;
            branches.push(ExprBranch { pattern, body });
            self.eat(TokenKind::Semicolon);
            self.eat(TokenKind::Or);
        }
        self.close(TokenKind::RightBrace, open)?;
        Ok(ExprKind::Case(Box::new(value), branches))
    }

    /// `T x = e, U y = f in b`, after `let`: each binding is visible in the next.
    fn let_binding(&mut self) -> Parse<ExprKind> {
        let open = if self.kind() == TokenKind::LeftParen {
            Some(self.bump().span)
        } else {
            None
        };
        let ty = self.annotated_type()?;
        let name = self.ident("the name of a variable")?;
        if let Some(open) = open {
            self.close(TokenKind::RightParen, open)?;
        }
        self.want(TokenKind::Assign)?;
        let value = self.expr()?;
        let body = if self.kind() == TokenKind::Comma {
            let start = self.bump().span;
            let kind = self.nested(Self::let_binding)?;
            Expr {
                kind,
                span: self.since(start),
            }
        } else {
            self.want_word("in")?;
            self.expr()?
        };
        Ok(ExprKind::Let(ty, name, Box::new(value), Box::new(body)))
    }
}

/// What operator a token is, if one, and how tightly it binds.
pub(super) fn operator(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    use BinaryOp as B;
    Some(match kind {
        TokenKind::OrOr => (B::Or, 0),
        TokenKind::AndAnd => (B::And, 1),
        TokenKind::Equal => (B::Equal, 2),
        TokenKind::NotEqual => (B::NotEqual, 2),
        TokenKind::Less => (B::Less, 3),
        TokenKind::Greater => (B::Greater, 3),
        TokenKind::LessEqual => (B::LessEqual, 3),
        TokenKind::GreaterEqual => (B::GreaterEqual, 3),
        TokenKind::Plus => (B::Add, 4),
        TokenKind::Minus => (B::Subtract, 4),
        TokenKind::Star => (B::Multiply, 5),
        TokenKind::Slash => (B::Divide, 5),
        TokenKind::Percent => (B::Remainder, 5),
        _ => return None,
    })
}
