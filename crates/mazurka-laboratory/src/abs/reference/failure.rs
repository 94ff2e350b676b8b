//! What a failure says: the exception, where it comes from, and what a failed assertion looked at.

use super::World;
use super::state::Raised;
use super::value::Value;
use mazurka_abs::checked::{Expr, ExprKind};
use mazurka_core::{Failure, FailureKind, Position};
use mazurka_diagnostics::Span;

/// Messages name so many activations at most.
const MOST_ACTIVATIONS: usize = 16;

impl World<'_> {
    /// The failure that an exception is when it leaves its task.
    pub fn uncaught(&self, raised: &Raised) -> Failure {
        let assertion = raised.exception == Value::atom(self.model.well_known.assertion_fail);
        let mut message = if assertion {
            "assertion failed".to_owned()
        } else {
            format!("uncaught {}", raised.exception.show(self.model))
        };
        let trace = &raised.trace[..raised.trace.len().min(MOST_ACTIVATIONS)];
        let (first, around) = trace
            .split_first()
            .unwrap_or_else(|| unreachable!("an exception comes from somewhere"));
        message.push_str(&format!(" in {}", first.0));
        for (name, at) in around {
            message.push_str(&format!(", called from {name} ({})", self.position(*at)));
        }
        if assertion {
            let text: Vec<&str> = self.sources.text(first.1).split_whitespace().collect();
            message.push_str(&format!(": {}", text.join(" ").trim_end_matches(';')));
            let values: Vec<String> = raised.looked_at.iter().map(|(text, value)| format!("{text} is {value}")).collect();
            if !values.is_empty() {
                message.push_str(&format!(", where {}", values.join(" and ")));
            }
        }
        // Where the user's own code was, whatever a library function was doing.
        let own = trace.iter().find(|(name, _)| !name.starts_with("ABS.StdLib."));
        Failure {
            kind: if assertion {
                FailureKind::Assertion
            } else {
                FailureKind::Exception
            },
            message,
            at: Some(self.position(own.unwrap_or(first).1)),
        }
    }

    /// A place in the sources.
    pub fn position(&self, span: Span) -> Position {
        let position = self.sources.position(span);
        Position {
            file: position.file.to_string(),
            line: position.line,
            column: position.column,
        }
    }
}

/// The variables and fields in an expression, in the order of evaluation.
pub fn variables<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    let mut all = |es: &'e [Expr]| es.iter().for_each(|e| variables(e, out));
    match &e.kind {
        ExprKind::Local(_) | ExprKind::Field(_) => out.push(e),
        ExprKind::Construct(_, args) | ExprKind::List(args) | ExprKind::Call(_, args) | ExprKind::Concat(args) => all(args),
        ExprKind::CallClosure(_, args) | ExprKind::Closure(_, args) => all(args),
        ExprKind::Access(_, of) | ExprKind::Unary(_, of) | ExprKind::Implements(of, _) | ExprKind::As(of, _) => variables(of, out),
        ExprKind::Binary(_, left, right) => {
            variables(left, out);
            variables(right, out);
        }
        ExprKind::If(condition, then, otherwise) => {
            variables(condition, out);
            variables(then, out);
            variables(otherwise, out);
        }
        ExprKind::Let(_, value, body) => {
            variables(value, out);
            variables(body, out);
        }
        ExprKind::Case(of, branches) => {
            if !matches!(of.kind, ExprKind::Local(_)) {
                variables(of, out);
            }
            branches.iter().for_each(|b| variables(&b.body, out));
        }
        _ => {}
    }
}
