//! What ABS has and Mazurka does not: recognised, named, skipped.

use mazurka_diagnostics::{Diagnostic, Span};

use super::super::token::TokenKind;
use super::{Parser, Reported};

impl Parser<'_> {
    /// Reports that `what`, at `span`, is not supported.
    pub(super) fn unsupported(&mut self, what: &str, span: Span) -> Reported {
        self.report(Diagnostic::error("unsupported", format!("not supported: {what}")).label(span, ""))
    }

    /// If a product line inside a module, or a dynamic update, starts here: reports it and skips it up to the next module.
    pub(super) fn skip_product_line(&mut self) -> bool {
        let what = match self.word() {
            "features" if self.kind_ahead(1) == TokenKind::TypeIdent => "software product lines",
            "stateupdate" | "update" | "objectupdate" => "dynamic updates",
            _ => return false,
        };
        let span = self.span().to(self.ahead(1).span);
        let message = format!("not supported: {what}");
        // One message per kind is enough: a product line consists of many of them.
        if !self.diagnostics.iter().any(|d| d.message == message) {
            self.unsupported(what, span);
        }
        self.bump();
        while !self.at_end() && !self.module_ahead() && !self.product_line_ahead() {
            self.bump();
        }
        true
    }

    fn product_line_ahead(&self) -> bool {
        self.variant_ahead() || (self.word() == "features" && self.kind_ahead(1) == TokenKind::TypeIdent)
    }
}
