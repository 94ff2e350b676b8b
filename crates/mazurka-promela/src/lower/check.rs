//! Checks that need more than one name: message lengths, repeated targets, an empty model.

use super::Lowerer;
use crate::model::{Model, Pattern, Space};
use crate::words::counted;
use mazurka_diagnostics::{Diagnostic, Span};

impl Lowerer<'_> {
    /// The number of fields must be that of the channel, where the channel is known.
    pub(super) fn check_fields(&mut self, channel: Option<usize>, given: usize, span: Span, verb: &str) {
        let Some(channel) = channel else { return };
        let channel = &self.types.channels[channel];
        let expected = channel.fields.len();
        if given != expected {
            let verb = if given == 1 { format!("is {verb}") } else { format!("are {verb}") };
            let message = format!("a message of `{}` has {}, {given} {verb}", channel.name, counted(expected, "field"));
            self.error("message-fields", span, message, "");
        }
    }

    /// One variable cannot take two fields of one message.
    pub(super) fn check_distinct(&mut self, pattern: &[Pattern], span: Span) {
        for (i, a) in pattern.iter().enumerate() {
            let Pattern::Store(a) = a else { continue };
            if a.space == Space::Nowhere || !a.indices.is_empty() {
                continue;
            }
            if pattern[..i].iter().any(|b| matches!(b, Pattern::Store(b) if b == a)) {
                return self.error("receive", span, "one variable takes two fields of the message", "");
            }
        }
    }

    pub(super) fn check_model(&mut self, model: &Model) {
        if model.active.is_empty() && !self.diagnostics.has_errors() {
            self.diagnostics.push(
                Diagnostic::error("no-process", format!("`{}` starts no process", model.name))
                    .with_help("write `init { … }` or put `active` in front of a `proctype`"),
            );
        }
        for process in &model.active {
            let proctype = &model.proctypes[*process];
            if !proctype.parameters.is_empty() {
                let message = format!("`{}` is active from the start: its parameters are 0", proctype.name);
                let span = self.signatures.get(&proctype.name).map_or(Span::default(), |s| s.span);
                let warning = Diagnostic::warning("active-parameters", message).label(span, "no `run` gives them values");
                if !self.diagnostics.iter().any(|d| *d == warning) {
                    self.diagnostics.push(warning);
                }
            }
        }
    }
}
