//! Priorities: what they are, and where they cannot be had.

use super::Lowerer;
use crate::ast::Expr;
use crate::model::{Cell, Kind, Meaning, Model, PRIORITY};
use mazurka_diagnostics::Diagnostic;

impl Lowerer<'_> {
    /// The value of `priority n`; 1 where nothing is said.
    pub(super) fn priority(&mut self, written: Option<&Expr>) -> u8 {
        let Some(written) = written else { return 1 };
        match self.constant(written) {
            Some(value @ 1..=255) => value as u8,
            Some(value) => {
                let message = format!("a priority of {value}: expected 1 to 255");
                self.error("priority", written.span, message, "");
                1
            }
            None => 1,
        }
    }

    /// Makes the priority a local variable of the process type being read.
    pub(super) fn add_priority(&mut self) {
        if self.priorities {
            self.area.cells.push(Cell {
                name: "_priority".into(),
                offset: PRIORITY,
                kind: Kind::Byte,
                meaning: Meaning::Number,
                variable: self.area.variables,
                hidden: false,
            });
            self.area.variables += 1;
        }
    }

    /// Whether a process could move depends on its partners where there are rendezvous channels. SPIN refuses that combination; we leave
    /// priorities out of account, as `spin -o6` does, and refuse `enabled`.
    pub(super) fn check_priorities(&mut self, model: &mut Model) {
        if !model.channels.iter().any(|c| c.capacity == 0) {
            return;
        }
        if std::mem::replace(&mut model.ranked, false) {
            let message = "priorities have no effect in a model with rendezvous channels: every interleaving is explored";
            self.diagnostics.push(Diagnostic::note("priority-ignored", message));
        }
        if let Some(span) = self.enabled_at {
            let message =
                "not supported: `enabled` in a model with rendezvous channels; whether a process could move depends on its partners";
            self.error("not-supported", span, message, "");
        }
    }
}
