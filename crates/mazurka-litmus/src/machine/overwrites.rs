//! Whether shared values are ever lost: replaced by a step that does not use them.

use crate::model::{Binary, Expr, Model, Place, Statement};

/// Whether some assignment may replace a shared value without using it. Locks do: what they replace is known, not used.
pub(super) fn overwrites(model: &Model) -> bool {
    let mut steps = model.bodies().iter().flat_map(|b| &b.steps);
    steps.any(|s| any_overwrites(&s.statements))
}

fn any_overwrites(statements: &[Statement]) -> bool {
    statements.iter().any(|s| match s {
        Statement::Lock(_) | Statement::Unlock(_) => true,
        Statement::Assign(Place::Shared(v, index), e) => !uses(e, *v, index.as_deref()),
        Statement::If(_, then, other) => any_overwrites(then) || any_overwrites(other),
        _ => false,
    })
}

/// Whether an expression uses the value of a variable, or of the element of an array that this very index picks.
fn uses(e: &Expr, variable: usize, index: Option<&Expr>) -> bool {
    match e {
        Expr::Int(_) | Expr::Local(_) => false,
        Expr::Shared(v, i) => *v == variable && i.as_deref() == index,
        // Whether a connective looks at its right operand depends on the left one.
        Expr::Not(a) | Expr::Negate(a) | Expr::Binary(Binary::And | Binary::Or, a, _) => uses(a, variable, index),
        Expr::Binary(_, a, b) => uses(a, variable, index) || uses(b, variable, index),
    }
}

#[cfg(test)]
mod tests {
    use super::overwrites;
    use crate::text;

    fn of(program: &str) -> bool {
        overwrites(&text::parse("program", program).expect("a program"))
    }

    #[test]
    fn a_value_that_is_used_to_compute_its_successor_is_not_lost() {
        assert!(!of("p:[x=x+1] q:[l=x] r:[if (x>1) x@+2]"));
        assert!(!of("p:[x=2*y-x]"));
        assert!(of("p:[x=y+1]"));
        assert!(of("p:[x=y && x]"));
        assert!(!of("p:[x=x || y]"));
        assert!(of("p:[if (x>1) x=2]"));
        assert!(of("p:[lock m; unlock m]"));
    }
}
