//! Where the parts of a program are in its text, for errors that are found when all of it is known.

use crate::model::{Model, ModelError};
use mazurka_diagnostics::Span;

/// The places of all bodies.
#[derive(Default)]
pub(crate) struct Places {
    pub(in crate::text) bodies: Vec<BodyPlace>,
}

/// The places of one body.
#[derive(Clone)]
pub(in crate::text) struct BodyPlace {
    pub name: Span,
    pub steps: Vec<StepPlace>,
}

/// The place of a step, and of each of its statements.
#[derive(Clone)]
pub(in crate::text) struct StepPlace {
    pub step: Span,
    pub statements: Vec<Span>,
}

impl Places {
    /// The smallest part that the error is about; the name of the first process if it is about none.
    pub fn of(&self, model: &Model, error: &ModelError) -> Span {
        let named = |name: &String| model.bodies().iter().position(|b| b.name == *name);
        let Some(body) = self.bodies.get(error.body.as_ref().and_then(named).unwrap_or(0)) else {
            return Span::default();
        };
        let Some(step) = error.step.and_then(|step| body.steps.get(step)) else {
            return body.name;
        };
        let statement = error.statement.and_then(|statement| step.statements.get(statement));
        statement.copied().unwrap_or(step.step)
    }
}
