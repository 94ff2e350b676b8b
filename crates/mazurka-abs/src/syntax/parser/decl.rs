//! Declarations: data types, synonyms, exceptions, functions, interfaces, traits.

use mazurka_diagnostics::Span;

use super::super::ast::{
    Annotation, ConstructorArg, ConstructorDecl, DataDecl, Decl, DeclKind, FunctionBody, FunctionDecl, InterfaceDecl, MethodSig,
    SynonymDecl, TraitBase, TraitDecl, TraitExpr, TraitOperation,
};
use super::super::token::TokenKind;
use super::{Parse, Parser};

impl Parser<'_> {
    /// A declaration whose annotations have been read.
    pub(super) fn decl(&mut self, annotations: Vec<Annotation>, start: Span) -> Parse<Decl> {
        let kind = match self.word() {
            "data" => DeclKind::Data(self.data()?),
            "type" => DeclKind::Synonym(self.synonym()?),
            "exception" => DeclKind::Exception(self.exception()?),
            "def" => DeclKind::Function(self.function()?),
            "interface" => DeclKind::Interface(self.interface()?),
            "class" => DeclKind::Class(self.class()?),
            "trait" => DeclKind::Trait(self.trait_decl()?),
            word => {
                let known = ["data", "type", "exception", "def", "interface", "class", "trait"];
                let help = mazurka_diagnostics::nearest(word, known).map(|near| format!("did you mean `{near}`?"));
                return Err(match help {
                    Some(help) => self.unexpected_with_help("a declaration or the main block", &help),
                    None => self.unexpected("a declaration or the main block"),
                });
            }
        };
        Ok(Decl {
            annotations,
            kind,
            span: self.since(start),
        })
    }

    fn data(&mut self) -> Parse<DataDecl> {
        self.bump();
        let name = self.type_ident("the name of a data type")?;
        let params = self.type_params()?;
        let mut constructors = Vec::new();
        if self.eat(TokenKind::Assign) {
            self.eat(TokenKind::Or);
            constructors.push(self.constructor()?);
            while self.eat(TokenKind::Or) {
                constructors.push(self.constructor()?);
            }
        }
        self.semicolon()?;
        Ok(DataDecl {
            name,
            params,
            constructors,
        })
    }

    fn constructor(&mut self) -> Parse<ConstructorDecl> {
        let name = self.type_ident("the name of a constructor")?;
        let mut args = Vec::new();
        if self.kind() == TokenKind::LeftParen {
            let open = self.bump().span;
            args = self.comma_list(TokenKind::RightParen, |p| {
                let ty = p.annotated_type()?;
                let accessor = if p.kind() == TokenKind::Ident {
                    Some(p.ident("the name of an accessor")?)
                } else {
                    None
                };
                Ok(ConstructorArg { ty, accessor })
            })?;
            self.close(TokenKind::RightParen, open)?;
        }
        Ok(ConstructorDecl { name, args })
    }

    fn synonym(&mut self) -> Parse<SynonymDecl> {
        self.bump();
        let name = self.type_ident("the name of a type")?;
        let params = self.type_params()?;
        self.want(TokenKind::Assign)?;
        let ty = self.annotated_type()?;
        self.semicolon()?;
        Ok(SynonymDecl { name, params, ty })
    }

    fn exception(&mut self) -> Parse<ConstructorDecl> {
        self.bump();
        let constructor = self.constructor()?;
        self.semicolon()?;
        Ok(constructor)
    }

    fn function(&mut self) -> Parse<FunctionDecl> {
        self.bump();
        let result = self.annotated_type()?;
        let name = self.ident("the name of a function")?;
        let type_params = self.type_params()?;
        let functions = if self.partial_ahead() {
            let open = self.bump().span;
            let functions = self.comma_list(TokenKind::RightParen, |p| p.ident("the name of a function parameter"))?;
            self.close(TokenKind::RightParen, open)?;
            Some(functions)
        } else {
            None
        };
        let params = self.params()?;
        self.want(TokenKind::Assign)?;
        let body = if self.word() == "builtin" {
            self.bump();
            let mut args = Vec::new();
            if self.kind() == TokenKind::LeftParen {
                let open = self.bump().span;
                args = self.comma_list(TokenKind::RightParen, Self::expr)?;
                self.close(TokenKind::RightParen, open)?;
            }
            FunctionBody::Builtin(args)
        } else {
            FunctionBody::Expr(self.expr()?)
        };
        self.semicolon()?;
        Ok(FunctionDecl {
            result,
            name,
            type_params,
            functions,
            params,
            body,
        })
    }

    /// Whether the parameter list that starts here is one of function names: `(f, g)` or `()(`.
    fn partial_ahead(&self) -> bool {
        self.kind() == TokenKind::LeftParen
            && match self.kind_ahead(1) {
                TokenKind::Ident => true,
                TokenKind::RightParen => self.kind_ahead(2) == TokenKind::LeftParen,
                _ => false,
            }
    }

    fn interface(&mut self) -> Parse<InterfaceDecl> {
        self.bump();
        let name = self.type_ident("the name of an interface")?;
        let mut extends = Vec::new();
        if self.eat_word("extends") {
            extends.push(self.qualified_type_name("the name of an interface")?);
            while self.eat(TokenKind::Comma) {
                extends.push(self.qualified_type_name("the name of an interface")?);
            }
        }
        let open = self.want(TokenKind::LeftBrace)?.span;
        let mut methods = Vec::new();
        while self.kind() != TokenKind::RightBrace && !self.at_end() && !self.declaration_keyword() {
            match self.method_sig().and_then(|sig| self.semicolon().map(|()| sig)) {
                Ok(method) => methods.push(method),
                Err(_) => self.skip_item(),
            }
        }
        self.close(TokenKind::RightBrace, open)?;
        Ok(InterfaceDecl { name, extends, methods })
    }

    /// The head of a method, without what follows the parameters.
    pub(super) fn method_sig(&mut self) -> Parse<MethodSig> {
        let start = self.span();
        let annotations = self.annotations()?;
        self.component_model()?;
        let result = self.plain_type()?;
        let name = self.ident("the name of a method")?;
        let params = self.params()?;
        Ok(MethodSig {
            annotations,
            result,
            name,
            params,
            span: self.since(start),
        })
    }

    fn trait_decl(&mut self) -> Parse<TraitDecl> {
        self.bump();
        let name = self.type_ident("the name of a trait")?;
        self.want(TokenKind::Assign)?;
        let expr = self.trait_expr()?;
        self.eat(TokenKind::Semicolon);
        Ok(TraitDecl { name, expr })
    }

    pub(super) fn trait_expr(&mut self) -> Parse<TraitExpr> {
        let start = self.span();
        let base = self.trait_base()?;
        let mut operations = Vec::new();
        loop {
            let operation = match self.word() {
                "adds" => {
                    self.bump();
                    TraitOperation::Adds(self.trait_base()?)
                }
                "modifies" => {
                    self.bump();
                    TraitOperation::Modifies(self.trait_base()?)
                }
                "removes" => {
                    self.bump();
                    TraitOperation::Removes(self.removed_methods()?)
                }
                _ => break,
            };
            operations.push(operation);
        }
        Ok(TraitExpr {
            base,
            operations,
            span: self.since(start),
        })
    }

    fn trait_base(&mut self) -> Parse<TraitBase> {
        if self.kind() == TokenKind::LeftBrace {
            let open = self.bump().span;
            let mut methods = Vec::new();
            while self.kind() != TokenKind::RightBrace && !self.at_end() && !self.declaration_keyword() {
                match self.method() {
                    Ok(method) => methods.push(method),
                    Err(_) => self.skip_item(),
                }
            }
            self.close(TokenKind::RightBrace, open)?;
            Ok(TraitBase::Methods(methods))
        } else if self.kind() == TokenKind::LeftBracket || self.method_ahead() {
            Ok(TraitBase::Methods(vec![self.method()?]))
        } else {
            Ok(TraitBase::Named(self.qualified_type_name("a trait: `{`, a method or a name")?))
        }
    }

    fn removed_methods(&mut self) -> Parse<Vec<MethodSig>> {
        if self.kind() != TokenKind::LeftBrace {
            let sig = self.method_sig()?;
            self.semicolon()?;
            return Ok(vec![sig]);
        }
        let open = self.bump().span;
        let mut methods = Vec::new();
        while self.kind() != TokenKind::RightBrace && !self.at_end() && !self.declaration_keyword() {
            match self.method_sig().and_then(|sig| self.semicolon().map(|()| sig)) {
                Ok(sig) => methods.push(sig),
                Err(_) => self.skip_item(),
            }
        }
        self.close(TokenKind::RightBrace, open)?;
        Ok(methods)
    }
}
