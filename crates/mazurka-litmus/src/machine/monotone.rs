//! Guards that can only go from false to true, found by looking at every assignment of the program.
//!
//! Futures and conjunctions of flags that are only ever set are the usual case. For such a guard the engine need not look below a
//! configuration in which it is false.

use crate::model::{Binary, Expr, Model, Place, Statement};

/// For each variable, what its assignments can do.
#[derive(Clone, Debug)]
enum Change {
    /// It is only ever set to one of these constants.
    Constants(Vec<i32>),
    /// Anything else.
    Any,
}

/// What is known of the shared variables, arrays as a whole.
#[derive(Debug)]
pub(super) struct Growing {
    changes: Vec<Change>,
}

impl Growing {
    pub(super) fn of(model: &Model) -> Self {
        let mut growing = Growing {
            changes: vec![Change::Constants(Vec::new()); model.variables().len()],
        };
        for step in model.bodies().iter().flat_map(|b| &b.steps) {
            growing.visit(&step.statements);
        }
        growing
    }

    fn visit(&mut self, statements: &[Statement]) {
        for s in statements {
            match s {
                Statement::Assign(Place::Shared(v, _), Expr::Int(value)) => match &mut self.changes[*v] {
                    Change::Constants(values) => values.push(*value),
                    Change::Any => {}
                },
                Statement::Assign(Place::Shared(v, _), _)
                | Statement::Add(Place::Shared(v, _), _)
                | Statement::Accumulate(Place::Shared(v, _), _)
                | Statement::Lock(Place::Shared(v, _))
                | Statement::Unlock(Place::Shared(v, _)) => self.changes[*v] = Change::Any,
                Statement::If(_, then, other) => {
                    self.visit(then);
                    self.visit(other);
                }
                _ => {}
            }
        }
    }

    /// Whether no step of the program can make this condition false once it holds.
    pub(super) fn only_becomes_true(&self, condition: &Expr) -> bool {
        match condition {
            Expr::Binary(Binary::And, a, b) => self.only_becomes_true(a) && self.only_becomes_true(b),
            Expr::Binary(op, a, b) => match (&**a, &**b) {
                (Expr::Shared(v, index), Expr::Int(c)) if fixed(index.as_deref()) => match &self.changes[*v] {
                    Change::Constants(values) => values
                        .iter()
                        .all(|value| super::code::apply(*op, *value, *c).is_some_and(|r| r != 0)),
                    Change::Any => false,
                },
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether an index is always the same while a process waits: constants, and locals, which only the process itself changes.
fn fixed(index: Option<&Expr>) -> bool {
    matches!(index, None | Some(Expr::Int(_) | Expr::Local(_)))
}
