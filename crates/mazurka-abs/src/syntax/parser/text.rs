//! Strings and template strings: from their tokens to the letters they stand for.

use std::sync::Arc;

use mazurka_diagnostics::Span;

use super::super::ast::{ExprKind, TemplatePart};
use super::super::token::TokenKind;
use super::{Parse, Parser};

impl Parser<'_> {
    /// The current string token with its escapes resolved.
    pub(super) fn string_literal(&mut self) -> Arc<str> {
        let span = self.bump().span;
        let text = self.text_at(span);
        let inner = text.strip_prefix('"').unwrap_or(text);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        let mut value = String::with_capacity(inner.len());
        let mut letters = inner.chars();
        while let Some(letter) = letters.next() {
            if letter != '\\' {
                value.push(letter);
                continue;
            }
            match letters.next() {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some('r') => value.push('\r'),
                Some(other) => value.push(other),
                None => {}
            }
        }
        value.into()
    }

    pub(super) fn template(&mut self) -> Parse<ExprKind> {
        let first = self.bump();
        let mut parts = vec![TemplatePart::Text(self.template_text(first.span))];
        if first.kind == TokenKind::TemplateStart {
            loop {
                parts.push(TemplatePart::Expr(self.expr()?));
                let next = self.token();
                if !matches!(next.kind, TokenKind::TemplateMiddle | TokenKind::TemplateEnd) {
                    return Err(self.unexpected("the `$` or `»` that ends the expression in the template string"));
                }
                self.bump();
                parts.push(TemplatePart::Text(self.template_text(next.span)));
                if next.kind == TokenKind::TemplateEnd {
                    break;
                }
            }
        }
        Ok(ExprKind::Template(parts))
    }

    /// The letters of a template token, without its delimiters. Which escapes there are depends on the delimiters of the expressions.
    fn template_text(&self, span: Span) -> Arc<str> {
        let text = self.text_at(span);
        let guillemets = text.starts_with('»') || text.ends_with('«');
        let inner = text.strip_prefix(['`', '$', '»']).unwrap_or(text);
        let inner = inner.strip_suffix(['`', '$', '«']).unwrap_or(inner);
        let mut value = String::with_capacity(inner.len());
        let mut letters = inner.chars().peekable();
        while let Some(letter) = letters.next() {
            match (letter, letters.peek()) {
                ('\\', Some('`')) => {}
                ('\\', Some('$')) if !guillemets => {}
                ('\\', Some('«')) if guillemets => {}
                _ => value.push(letter),
            }
        }
        value.into()
    }
}
