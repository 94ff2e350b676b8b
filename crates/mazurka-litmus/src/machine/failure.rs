//! What went wrong in a step, in words.

use super::births::Slot;
use super::code::{Fault, apply};
use super::{Machine, Run};
use crate::model::{Binary, Expr};
use mazurka_core::{Failure, FailureKind, Process};

impl Machine {
    pub(super) fn failure(&self, run: &Run, slot: Slot, asserts: &[(Expr, Option<String>)], fault: Fault) -> Failure {
        let body = &self.model.bodies()[slot.body as usize];
        let (kind, message) = match fault {
            Fault::Assertion(id) => {
                let (condition, message) = &asserts[id as usize];
                let text = crate::text::expression_text(&self.model, body, condition);
                let values = self.values_in(run, slot, condition);
                let said = message.as_ref().map_or(String::new(), |m| format!("{m}: "));
                (FailureKind::Assertion, format!("{said}{} asserts {text}, but {values}", body.name))
            }
            Fault::DivisionByZero => (FailureKind::Exception, format!("{} divides by zero", body.name)),
            Fault::OutOfBounds { base, index } => {
                let variable = self
                    .bases
                    .iter()
                    .position(|b| *b == base)
                    .map_or("?", |v| &self.model.variables()[v].name);
                (
                    FailureKind::Exception,
                    format!("{} uses {variable}[{index}], which is outside the array", body.name),
                )
            }
        };
        Failure { kind, message, at: None }
    }

    /// Who waits for ever, and where: two deadlocks in which others wait, or wait elsewhere, are different.
    pub(super) fn deadlock(&self, run: &Run) -> Option<Failure> {
        let live = run.live.iter().map(|id| self.births.slot(Process(*id)));
        let position = |slot: Slot| run.cells[slot.base as usize];
        // Asked at the end of every execution: mostly nobody waits.
        if run.live.is_empty() && self.roots.iter().all(|slot| position(*slot) < 0) {
            return None;
        }
        let waiting = self.roots.iter().copied().chain(live).filter(|slot| position(*slot) >= 0);
        let mut waiting: Vec<(u32, i32)> = waiting.map(|slot| (slot.body, position(slot))).collect();
        waiting.sort_unstable();
        let names: Vec<String> = waiting
            .iter()
            .map(|(body, step)| format!("{} in its step {}", self.model.bodies()[*body as usize].name, step + 1))
            .collect();
        let message = match names.as_slice() {
            [] => return None,
            [one] => format!("{one} waits for ever"),
            [rest @ .., last] => format!("{} and {last} wait for ever", rest.join(", ")),
        };
        Some(Failure {
            kind: FailureKind::Deadlock,
            message,
            at: None,
        })
    }

    /// The variables of an expression with the values that evaluating it meets: `x is 2, y is 0`. What it does not look at has no part in
    /// the failure, nor in the footprint of the step.
    fn values_in(&self, run: &Run, slot: Slot, e: &Expr) -> String {
        let mut parts = Vec::new();
        self.value_of(run, slot, e, &mut parts);
        if parts.is_empty() {
            "it is constant".to_string()
        } else {
            parts.join(", ")
        }
    }

    /// The value of an expression, if it has one; the values met on the way are added to `parts`.
    fn value_of(&self, run: &Run, slot: Slot, e: &Expr, parts: &mut Vec<String>) -> Option<i32> {
        let value = match e {
            Expr::Int(v) => return Some(*v),
            Expr::Local(l) => run.cells[slot.base as usize + 1 + l.0],
            Expr::Shared(v, index) => {
                let i = match index {
                    Some(i) => self.value_of(run, slot, i, parts)?,
                    None => 0,
                };
                let i = usize::try_from(i).ok().filter(|i| *i < self.model.variables()[*v].initial.len())?;
                run.cells[self.bases[*v] as usize + i]
            }
            Expr::Not(a) => return Some(i32::from(self.value_of(run, slot, a, parts)? == 0)),
            Expr::Negate(a) => return Some(self.value_of(run, slot, a, parts)?.wrapping_neg()),
            Expr::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                let left = self.value_of(run, slot, a, parts)? != 0;
                if left == (*op == Binary::Or) {
                    return Some(i32::from(left));
                }
                return Some(i32::from(self.value_of(run, slot, b, parts)? != 0));
            }
            Expr::Binary(op, a, b) => {
                let a = self.value_of(run, slot, a, parts)?;
                return apply(*op, a, self.value_of(run, slot, b, parts)?);
            }
        };
        let body = &self.model.bodies()[slot.body as usize];
        let part = format!("{} is {value}", crate::text::expression_text(&self.model, body, e));
        if !parts.contains(&part) {
            parts.push(part);
        }
        Some(value)
    }
}
