//! Qualified names, types, parameters.

use mazurka_diagnostics::{Diagnostic, Span};

use super::super::ast::{Annotation, Name, Param, QName, Type};
use super::super::token::TokenKind;
use super::{Parse, Parser};

impl Parser<'_> {
    /// `A.B.C`: all parts start with a capital.
    pub(super) fn qualified_type_name(&mut self, what: &str) -> Parse<QName> {
        let first = self.type_ident(what)?;
        let mut last = first.clone();
        while self.kind() == TokenKind::Dot && self.kind_ahead(1) == TokenKind::TypeIdent {
            self.bump();
            last = self.name();
        }
        Ok(self.qualified(first.span, last))
    }

    /// `A.B.C` or `A.B.c` or `c`.
    pub(super) fn qualified_any_name(&mut self, what: &str) -> Parse<QName> {
        if self.kind() != TokenKind::TypeIdent {
            let name = self.ident(what)?;
            return Ok(QName {
                module: None,
                name: name.text,
                span: name.span,
            });
        }
        let first = self.name();
        let mut last = first.clone();
        while self.kind() == TokenKind::Dot && matches!(self.kind_ahead(1), TokenKind::TypeIdent | TokenKind::Ident) {
            self.bump();
            let lower = self.kind() == TokenKind::Ident;
            last = self.name();
            if lower {
                break;
            }
        }
        Ok(self.qualified(first.span, last))
    }

    /// The name made of all tokens from `start` to `last`, the part before `last` being the module.
    pub(super) fn qualified(&mut self, start: Span, last: Name) -> QName {
        let span = start.to(last.span);
        let module = (start != last.span).then(|| {
            // White space may stand around the dots.
            let text = self.text_at(Span::new(start.start, last.span.start));
            let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            compact.trim_end_matches('.').into()
        });
        QName {
            module,
            name: last.text,
            span,
        }
    }

    /// The name of a module, dots and all.
    pub(super) fn module_name(&mut self) -> Parse<Name> {
        if self.kind() == TokenKind::Ident && !super::is_reserved(self.word()) && self.kind_ahead(1) == TokenKind::Semicolon {
            let name = self.name();
            let message = format!("module `{}` should be written with a capital", name.text);
            self.diagnostics
                .push(Diagnostic::warning("small-module-name", message).label(name.span, ""));
            return Ok(name);
        }
        let name = self.qualified_type_name("the name of a module")?;
        let text = match name.module {
            Some(module) => format!("{module}.{}", name.name).into(),
            None => name.name,
        };
        Ok(Name { text, span: name.span })
    }

    /// A type with the annotations before it.
    pub(super) fn annotated_type(&mut self) -> Parse<Type> {
        let start = self.span();
        let annotations = self.annotations()?;
        let mut ty = self.plain_type()?;
        ty.annotations = annotations;
        ty.span = self.since(start);
        Ok(ty)
    }

    /// A type without annotations before it.
    pub(super) fn plain_type(&mut self) -> Parse<Type> {
        let start = self.span();
        let name = self.qualified_type_name("a type")?;
        let mut args = Vec::new();
        if self.kind() == TokenKind::Less {
            let open = self.bump().span;
            args = self.nested(|p| p.comma_list(TokenKind::Greater, Self::annotated_type))?;
            self.close(TokenKind::Greater, open)?;
        }
        Ok(Type {
            annotations: Vec::new(),
            name,
            args,
            span: self.since(start),
        })
    }

    /// `<A, B>` with names only; nothing without `<`.
    pub(super) fn type_params(&mut self) -> Parse<Vec<Name>> {
        if self.kind() != TokenKind::Less {
            return Ok(Vec::new());
        }
        let open = self.bump().span;
        let params = self.comma_list(TokenKind::Greater, |p| p.type_ident("a type parameter"))?;
        self.close(TokenKind::Greater, open)?;
        Ok(params)
    }

    /// `(T x, U y)`.
    pub(super) fn params(&mut self) -> Parse<Vec<Param>> {
        let open = self.want(TokenKind::LeftParen)?.span;
        let params = self.comma_list(TokenKind::RightParen, Self::param)?;
        self.close(TokenKind::RightParen, open)?;
        Ok(params)
    }

    fn param(&mut self) -> Parse<Param> {
        let annotations: Vec<Annotation> = self.annotations()?;
        let ty = self.plain_type()?;
        let name = self.ident("the name of a parameter")?;
        Ok(Param { annotations, ty, name })
    }

    /// Whether a declaration `T x` starts here: a type followed by a name.
    pub(super) fn declaration_ahead(&self) -> bool {
        let Some(n) = self.past_type() else { return false };
        let word = self.word_ahead(n);
        let suffix = word == "implements" || (word == "as" && self.kind_ahead(n + 1) == TokenKind::TypeIdent);
        self.kind_ahead(n) == TokenKind::Ident && !suffix
    }

    /// Whether a method `T m(` starts here.
    pub(super) fn method_ahead(&self) -> bool {
        self.past_type()
            .is_some_and(|n| self.kind_ahead(n) == TokenKind::Ident && self.kind_ahead(n + 1) == TokenKind::LeftParen)
    }

    /// How many tokens the type that starts here has, if one does.
    fn past_type(&self) -> Option<usize> {
        let mut n = 0;
        loop {
            if self.kind_ahead(n) != TokenKind::TypeIdent {
                return None;
            }
            n += 1;
            if self.kind_ahead(n) != TokenKind::Dot {
                break;
            }
            n += 1;
        }
        if self.kind_ahead(n) == TokenKind::Less {
            let mut open = 0_u32;
            loop {
                match self.kind_ahead(n) {
                    TokenKind::Less | TokenKind::LeftBracket => open += 1,
                    TokenKind::Greater | TokenKind::RightBracket => open -= 1,
                    TokenKind::TypeIdent | TokenKind::Dot | TokenKind::Comma | TokenKind::Colon => {}
                    _ => return None,
                }
                n += 1;
                if open == 0 {
                    break;
                }
            }
        }
        Some(n)
    }
}
