//! Annotations: `[Name: value]`, and in old files any expression.

use mazurka_diagnostics::Diagnostic;

use super::super::ast::{Annotation, Expr, ExprKind};
use super::super::token::TokenKind;
use super::{Parse, Parser, Reported};

impl Parser<'_> {
    /// All annotations before a declaration, statement or type. What is inside brackets but not understood is skipped with a note: no annotation
    /// that we do not know changes what a model does.
    pub(super) fn annotations(&mut self) -> Parse<Vec<Annotation>> {
        let mut annotations = Vec::new();
        while self.kind() == TokenKind::LeftBracket {
            let open = self.bump().span;
            let (start, messages) = (self.at, self.diagnostics.len());
            let list = self.nested(|p| p.comma_list(TokenKind::RightBracket, Self::annotation));
            match list {
                Ok(list) if self.kind() == TokenKind::RightBracket => {
                    self.bump();
                    annotations.extend(list);
                }
                _ if self.at_end() => return Err(self.unclosed_annotation(open)),
                _ => {
                    self.diagnostics.truncate(messages);
                    self.last_error = None;
                    self.at = start;
                    self.skip_annotation(open)?;
                }
            }
        }
        Ok(annotations)
    }

    fn annotation(&mut self) -> Parse<Annotation> {
        let start = self.span();
        let (before, messages) = (self.at, self.diagnostics.len());
        if self.kind() == TokenKind::TypeIdent
            && let Ok(name) = self.plain_type()
            && self.eat(TokenKind::Colon)
        {
            let value = self.expr()?;
            return Ok(Annotation {
                name: Some(name),
                value,
                span: self.since(start),
            });
        }
        self.diagnostics.truncate(messages);
        self.last_error = None;
        self.at = before;
        let value = self.expr()?;
        Ok(Annotation {
            name: None,
            value,
            span: self.since(start),
        })
    }

    fn skip_annotation(&mut self, open: mazurka_diagnostics::Span) -> Parse<()> {
        let mut depth = 1_u32;
        while depth > 0 {
            match self.kind() {
                TokenKind::LeftBracket => depth += 1,
                TokenKind::RightBracket => depth -= 1,
                // An annotation does not reach into the next statement or block: the bracket is simply not closed.
                TokenKind::End | TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace => {
                    return Err(self.unclosed_annotation(open));
                }
                _ => {}
            }
            self.bump();
        }
        let message = "this annotation is not understood and has no effect";
        self.diagnostics
            .push(Diagnostic::note("ignored-annotation", message).label(self.since(open), ""));
        Ok(())
    }

    fn unclosed_annotation(&mut self, open: mazurka_diagnostics::Span) -> Reported {
        let message = self.expected_message("`]`");
        let place = self.missing_place();
        self.report(
            Diagnostic::error("syntax", message)
                .label(place, "")
                .label(open, "to close this annotation"),
        )
    }
}

impl Annotation {
    /// The word that tells what kind of annotation this is: the name before the colon, or the only word.
    pub fn word(&self) -> Option<&str> {
        match (&self.name, &self.value) {
            (Some(name), _) => Some(&name.name.name),
            (
                None,
                Expr {
                    kind: ExprKind::Construct(name, args),
                    ..
                },
            ) if args.is_empty() => Some(&name.name),
            _ => None,
        }
    }
}
