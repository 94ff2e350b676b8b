//! Patterns.

use super::super::ast::{Pattern, PatternKind};
use super::super::token::TokenKind;
use super::{Parse, Parser};

impl Parser<'_> {
    pub(super) fn pattern(&mut self) -> Parse<Pattern> {
        self.nested(Self::pattern_inner)
    }

    fn pattern_inner(&mut self) -> Parse<Pattern> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Underscore => {
                self.bump();
                PatternKind::Wildcard
            }
            TokenKind::Int => PatternKind::Int(self.name().text),
            TokenKind::Minus if self.kind_ahead(1) == TokenKind::Int => {
                self.bump();
                let digits = self.name().text;
                PatternKind::Int(format!("-{digits}").into())
            }
            TokenKind::Str => PatternKind::Str(self.string_literal()),
            TokenKind::TypeIdent => {
                let name = self.qualified_type_name("a constructor")?;
                let mut args = Vec::new();
                if self.kind() == TokenKind::LeftParen {
                    let open = self.bump().span;
                    args = self.comma_list(TokenKind::RightParen, Self::pattern)?;
                    self.close(TokenKind::RightParen, open)?;
                }
                PatternKind::Construct(name, args)
            }
            TokenKind::Float => {
                return Err(self.unexpected_with_help("a pattern", "floating-point numbers cannot be matched; compare them with `when`"));
            }
            TokenKind::Ident => PatternKind::Var(self.ident("a pattern")?),
            _ => return Err(self.unexpected("a pattern")),
        };
        Ok(Pattern {
            kind,
            span: self.since(start),
        })
    }
}
