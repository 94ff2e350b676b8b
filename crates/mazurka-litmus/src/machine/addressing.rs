//! The locals on which it depends what a step touches, or whether it is enabled.

use super::compile::guard_of;
use crate::model::{Binary, Expr, Place, Statement};

/// The locals that the guard of a step or its addresses depend on, sorted.
pub(super) fn addressing_locals(statements: &[Statement]) -> Vec<u32> {
    let mut locals = Vec::new();
    if let Some(guard) = guard_of(statements) {
        locals_in(&guard, &mut locals);
    }
    addresses(statements, &mut locals);
    locals.sort_unstable();
    locals.dedup();
    locals
}

fn locals_in(e: &Expr, out: &mut Vec<u32>) {
    match e {
        Expr::Int(_) => {}
        Expr::Local(l) => out.push(l.0 as u32),
        Expr::Shared(_, index) => index.iter().for_each(|i| locals_in(i, out)),
        Expr::Not(a) | Expr::Negate(a) => locals_in(a, out),
        Expr::Binary(_, a, b) => {
            locals_in(a, out);
            locals_in(b, out);
        }
    }
}

/// The locals that decide what some statements touch: those in indexes, and all if there are branches.
fn addresses(statements: &[Statement], out: &mut Vec<u32>) {
    fn indexes(e: &Expr, out: &mut Vec<u32>) {
        match e {
            Expr::Int(_) | Expr::Local(_) => {}
            Expr::Shared(_, index) => index.iter().for_each(|i| locals_in(i, out)),
            Expr::Not(a) | Expr::Negate(a) => indexes(a, out),
            Expr::Binary(_, a, b) => {
                indexes(a, out);
                indexes(b, out);
            }
        }
    }
    fn place(p: &Place, out: &mut Vec<u32>) {
        if let Place::Shared(_, Some(index)) = p {
            locals_in(index, out);
        }
    }
    // Locals that are assigned within the step carry what they are assigned from.
    fn everything(statements: &[Statement], out: &mut Vec<u32>) {
        for s in statements {
            match s {
                Statement::Choose(..) | Statement::Goto(_) | Statement::End => {}
                Statement::Await(e) | Statement::Assert(e, _) => locals_in(e, out),
                Statement::Lock(p) | Statement::Unlock(p) => place(p, out),
                Statement::Assign(p, e) | Statement::Add(p, e) | Statement::Accumulate(p, e) => {
                    place(p, out);
                    locals_in(e, out);
                }
                Statement::If(e, then, other) => {
                    locals_in(e, out);
                    everything(then, out);
                    everything(other, out);
                }
                Statement::Spawn(_, values) => values.iter().for_each(|v| locals_in(v, out)),
            }
        }
    }
    if statements.iter().any(branches) {
        // A branch on a local decides what is touched: everything that may flow into it counts.
        everything(statements, out);
        return;
    }
    for (nth, s) in statements.iter().enumerate() {
        match s {
            Statement::Assign(p, e) | Statement::Add(p, e) | Statement::Accumulate(p, e) => {
                place(p, out);
                indexes(e, out);
                // What follows finds the value there, in a local or in a shared variable.
                if nth + 1 < statements.len() {
                    locals_in(e, out);
                }
            }
            Statement::Lock(p) | Statement::Unlock(p) => place(p, out),
            Statement::Spawn(_, values) => values.iter().for_each(|v| indexes(v, out)),
            _ => {}
        }
    }
}

/// Whether what follows in the step, or in the expression, may not happen.
fn branches(statement: &Statement) -> bool {
    fn decides(e: &Expr) -> bool {
        match e {
            Expr::Int(_) | Expr::Local(_) => false,
            Expr::Shared(_, index) => index.as_ref().is_some_and(|i| decides(i)),
            Expr::Not(a) | Expr::Negate(a) => decides(a),
            Expr::Binary(Binary::And | Binary::Or, ..) => true,
            Expr::Binary(Binary::Divide | Binary::Remainder, a, b) => !matches!(**b, Expr::Int(d) if d != 0) || decides(a),
            Expr::Binary(_, a, b) => decides(a) || decides(b),
        }
    }
    let place = |p: &Place| matches!(p, Place::Shared(_, Some(index)) if decides(index));
    match statement {
        Statement::If(..) | Statement::Assert(..) => true,
        Statement::Assign(p, e) | Statement::Add(p, e) | Statement::Accumulate(p, e) => place(p) || decides(e),
        Statement::Spawn(_, values) => values.iter().any(decides),
        Statement::Await(e) => decides(e),
        Statement::Lock(p) | Statement::Unlock(p) => place(p),
        Statement::Choose(..) | Statement::Goto(_) | Statement::End => false,
    }
}

#[cfg(test)]
mod tests {
    use super::addressing_locals;
    use crate::text;

    /// The locals, of `k`, `l` and `m`, that what a step touches depends on.
    fn of(step: &str) -> String {
        let text = format!("init x, a[3]; p0(k, l, m):[{step}] p1:[spawn child] child(i, j):[]");
        let model = text::parse("program", &text).expect("a program");
        let locals = addressing_locals(&model.bodies()[0].steps[0].statements);
        locals.iter().map(|l| ["k", "l", "m"][*l as usize]).collect()
    }

    #[test]
    fn what_is_touched_depends_on_locals_in_guards_and_indexes_and_on_what_flows_there() {
        let cases = [
            ("x=l", ""),
            ("l=m", ""),
            ("a[l]=m", "l"),
            ("a[-l]=m", "l"),
            ("m=a[l]", "l"),
            ("x=-a[l]", "l"),
            ("x=a[l]+m", "l"),
            ("x=m+a[l]", "l"),
            ("await x==l; x=m", "l"),
            ("lock a[l]", "l"),
            ("unlock a[l]", "l"),
            ("spawn child(m, a[l])", "l"),
            ("l=m; a[l]=1", "lm"),
            ("l=m+1; k=a[l]; x=1", "lm"),
            ("a[l]=1; x=m", "l"),
            // What the step leaves in a shared variable it finds there.
            ("x=m; a[x]=1", "m"),
            ("x @+ m; k=a[x]", "m"),
        ];
        for (step, locals) in cases {
            assert_eq!(of(step), locals, "{step}");
        }
    }

    #[test]
    fn what_is_touched_depends_on_all_locals_if_something_may_not_happen() {
        let cases = [
            ("if (k==0) l=m", "km"),
            ("if (x) a[l]=1", "l"),
            ("if (x) unlock a[l]", "l"),
            ("if (x) spawn child(m, a[l])", "lm"),
            ("assert k; x=l", "kl"),
            ("x=k && m", "km"),
            ("x=1+(k && m)", "km"),
            ("x=(k || m)+1", "km"),
            ("x=m/l", "lm"),
            ("x=m%l", "lm"),
            ("x=m/0", "m"),
            ("x=(k && m)/2", "km"),
            ("a[k && m]=l", "klm"),
            ("spawn child(l, k && m)", "klm"),
        ];
        for (step, locals) in cases {
            assert_eq!(of(step), locals, "{step}");
        }
        // The divisor is not 0.
        assert_eq!(of("x=m/2"), "");
    }
}
