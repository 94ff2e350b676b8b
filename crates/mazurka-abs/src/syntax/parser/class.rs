//! Classes and methods.

use mazurka_diagnostics::Diagnostic;

use super::super::ast::{ClassDecl, FieldDecl, Method, MethodSig};
use super::super::token::TokenKind;
use super::{Parse, Parser};

impl Parser<'_> {
    pub(super) fn class(&mut self) -> Parse<ClassDecl> {
        self.bump();
        let name = self.type_ident("the name of a class")?;
        let params = if self.kind() == TokenKind::LeftParen {
            self.params()?
        } else {
            Vec::new()
        };
        let mut implements = Vec::new();
        if self.word() == "extends" {
            return Err(self.unexpected_with_help("`implements` or `{`", "classes do not inherit in ABS; use a trait to share methods"));
        }
        if self.eat_word("implements") {
            implements.push(self.qualified_type_name("the name of an interface")?);
            while self.eat(TokenKind::Comma) {
                implements.push(self.qualified_type_name("the name of an interface")?);
            }
        }
        let open = self.want(TokenKind::LeftBrace)?.span;
        let mut class = ClassDecl {
            name,
            params,
            implements,
            fields: Vec::new(),
            init: None,
            recover: Vec::new(),
            uses: Vec::new(),
            methods: Vec::new(),
            changes: Vec::new(),
        };
        while self.kind() != TokenKind::RightBrace && !self.at_end() && !self.declaration_keyword() {
            if self.member(&mut class).is_err() {
                self.skip_item();
            }
        }
        self.close(TokenKind::RightBrace, open)?;
        Ok(class)
    }

    fn member(&mut self, class: &mut ClassDecl) -> Parse<()> {
        let start = self.span();
        if self.word() == "recover" && self.kind_ahead(1) == TokenKind::LeftBrace {
            self.bump();
            class.recover = self.stmt_branches()?;
            return Ok(());
        }
        if self.eat_word("uses") {
            let usage = self.trait_expr()?;
            self.semicolon()?;
            class.uses.push(usage);
            return Ok(());
        }
        let annotations = self.annotations()?;
        if self.kind() == TokenKind::LeftBrace {
            let block = self.block()?;
            if let Some(first) = &class.init {
                let diagnostic = Diagnostic::error("two-init-blocks", format!("class {} has two init blocks", class.name.text))
                    .label(block.span, "the second")
                    .label(first.span, "the first");
                self.diagnostics.push(diagnostic);
            }
            class.init = Some(block);
            return Ok(());
        }
        self.component_model()?;
        let ty = match self.kind() {
            TokenKind::TypeIdent => self.plain_type()?,
            _ => return Err(self.unexpected("a field, a method, an init block or `}`")),
        };
        let name = self.ident("the name of a field or method")?;
        if self.kind() == TokenKind::LeftParen {
            let params = self.params()?;
            let sig = MethodSig {
                annotations,
                result: ty,
                name,
                params,
                span: self.since(start),
            };
            let body = self.method_body()?;
            class.methods.push(Method { sig, body });
            return Ok(());
        }
        let init = if self.eat(TokenKind::Assign) { Some(self.expr()?) } else { None };
        self.semicolon()?;
        class.fields.push(FieldDecl {
            annotations,
            ty,
            name,
            init,
        });
        Ok(())
    }

    /// A method with its body.
    pub(super) fn method(&mut self) -> Parse<Method> {
        let sig = self.method_sig()?;
        let body = self.method_body()?;
        Ok(Method { sig, body })
    }

    fn method_body(&mut self) -> Parse<super::super::ast::Block> {
        if self.kind() == TokenKind::Semicolon {
            return Err(self.unexpected_with_help("`{` and the body of the method", "only interfaces have methods without a body"));
        }
        self.block()
    }

    /// The words of the old component model before a field or method.
    pub(super) fn component_model(&mut self) -> Parse<()> {
        if matches!(self.word(), "port" | "critical") && self.kind_ahead(1) == TokenKind::TypeIdent {
            let span = self.span();
            return Err(self.unsupported("the component model (ports and critical methods)", span));
        }
        Ok(())
    }

    /// Whether a word stands here that can only start a declaration of a module: the class or block before it was not closed.
    pub(super) fn declaration_keyword(&self) -> bool {
        match self.word() {
            "module" | "class" | "interface" | "data" => self.kind_ahead(1) == TokenKind::TypeIdent,
            "def" => matches!(self.kind_ahead(1), TokenKind::TypeIdent | TokenKind::LeftBracket),
            "export" | "import" => matches!(self.kind_ahead(1), TokenKind::TypeIdent | TokenKind::Ident | TokenKind::Star),
            _ => false,
        }
    }
}
