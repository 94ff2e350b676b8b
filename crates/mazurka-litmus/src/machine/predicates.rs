//! The conditions of a program, numbered: guards first, one for each step, then what `if` and `assert` test.
//!
//! A condition is evaluated on the values of its *atoms*, the locals and shared variables it mentions, in the order in which they stand
//! there. The element of an array that an index picks is one atom if the index is made of locals only; otherwise all elements are
//! atoms, after those of the index.

use super::code::apply;
use super::compile::guard_of;
use crate::model::{Expr, Local, Model, Place, Statement};
use mazurka_core::Predicate;

/// A condition of the text.
#[derive(Debug)]
struct Condition {
    expression: Option<Expr>,
    /// The local that `choose` sets before the guard is evaluated, and the number of its values.
    choose: Option<(Local, u32)>,
}

/// All conditions of a program.
#[derive(Debug)]
pub(super) struct Predicates {
    conditions: Vec<Condition>,
    /// For each body, the number of its first step.
    first_steps: Vec<u32>,
    /// For each body and step, the number of its first test.
    first_tests: Vec<Vec<u32>>,
    /// For each body and step, the locals that its guard or its addresses depend on.
    pub addressing: Vec<Vec<Vec<u32>>>,
}

/// The value of a condition that cannot be evaluated: it divides by zero or uses what is outside an array.
const FAULT: u64 = u64::MAX;

impl Predicates {
    pub(super) fn of(model: &Model) -> Self {
        let mut conditions = Vec::new();
        let mut first_steps = Vec::new();
        for body in model.bodies() {
            first_steps.push(conditions.len() as u32);
            conditions.extend(body.steps.iter().map(|s| Condition {
                expression: guard_of(&s.statements),
                choose: choice(&s.statements),
            }));
        }
        let mut first_tests = Vec::new();
        let mut addressing = Vec::new();
        for body in model.bodies() {
            let mut of_body = Vec::new();
            let mut locals = Vec::new();
            for step in &body.steps {
                of_body.push(conditions.len() as u32);
                add_tests(&step.statements, &mut conditions);
                let mut own = Vec::new();
                if let Some(guard) = guard_of(&step.statements) {
                    locals_in(&guard, &mut own);
                }
                addresses(&step.statements, &mut own);
                own.sort_unstable();
                own.dedup();
                locals.push(own);
            }
            first_tests.push(of_body);
            addressing.push(locals);
        }
        Predicates {
            conditions,
            first_steps,
            first_tests,
            addressing,
        }
    }

    /// The guard of a step.
    pub(super) fn guard(&self, body: usize, step: usize) -> Predicate {
        Predicate(self.first_steps[body] + step as u32)
    }

    /// The first test of a step; the others follow in the order of the text.
    pub(super) fn first_test(&self, body: usize, step: usize) -> u32 {
        self.first_tests[body][step]
    }

    /// The text of a condition; a step need not have a guard.
    pub(super) fn expression(&self, predicate: Predicate) -> Option<&Expr> {
        self.conditions[predicate.0 as usize].expression.as_ref()
    }

    /// 0 or 1 for a test; for the guard of a step that chooses, a number that says which alternatives are enabled.
    pub(super) fn evaluate(&self, model: &Model, predicate: Predicate, atoms: &[i64]) -> u64 {
        let condition = &self.conditions[predicate.0 as usize];
        let Some(expression) = &condition.expression else { return 1 };
        let value = |chosen| {
            let mut reader = Reader {
                model,
                atoms: atoms.iter(),
                chosen,
            };
            reader.value(expression)
        };
        match condition.choose {
            None => value(None).map_or(FAULT, |v| u64::from(v != 0)),
            Some((local, alternatives)) => (0..alternatives).fold(0, |all, n| match value(Some((local, n as i32))) {
                Some(0) => all,
                // A guard that cannot be evaluated lets the step run and report it.
                enabled => all.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(n) * 2 + 3) | u64::from(enabled.is_some()) | 1,
            }),
        }
    }
}

/// The local that the step chooses a value for.
pub(super) fn chosen_local(statements: &[Statement]) -> Option<Local> {
    choice(statements).map(|(local, _)| local)
}

fn choice(statements: &[Statement]) -> Option<(Local, u32)> {
    match statements.first() {
        Some(Statement::Choose(local, n)) => Some((*local, *n)),
        _ => None,
    }
}

/// How many tests there are in some statements.
pub(super) fn count_tests(statements: &[Statement]) -> u32 {
    statements
        .iter()
        .map(|s| match s {
            Statement::If(_, then, other) => 1 + count_tests(then) + count_tests(other),
            Statement::Assert(..) => 1,
            _ => 0,
        })
        .sum()
}

fn add_tests(statements: &[Statement], out: &mut Vec<Condition>) {
    let test = |e: &Expr| Condition {
        expression: Some(e.clone()),
        choose: None,
    };
    for s in statements {
        match s {
            Statement::If(e, then, other) => {
                out.push(test(e));
                add_tests(then, out);
                add_tests(other, out);
            }
            Statement::Assert(e, _) => out.push(test(e)),
            _ => {}
        }
    }
}

/// Whether the element that an index picks may depend on shared values or on what is chosen.
pub(super) fn is_open_index(index: &Expr, chosen: Option<Local>) -> bool {
    match index {
        Expr::Int(_) => false,
        Expr::Local(l) => Some(*l) == chosen,
        Expr::Shared(..) => true,
        Expr::Not(a) | Expr::Negate(a) => is_open_index(a, chosen),
        Expr::Binary(_, a, b) => is_open_index(a, chosen) || is_open_index(b, chosen),
    }
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

/// The locals that decide what some statements touch: those in indexes, and all that a branch tests.
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
    let has_branches = statements.iter().any(|s| matches!(s, Statement::If(..) | Statement::Assert(..)));
    if has_branches {
        // A branch on a local decides what is touched: everything that may flow into it counts.
        everything(statements, out);
        return;
    }
    for s in statements {
        match s {
            Statement::Assign(p, e) | Statement::Add(p, e) | Statement::Accumulate(p, e) => {
                place(p, out);
                indexes(e, out);
                let flows_on = matches!(p, Place::Local(_)) && statements.len() > 1;
                if flows_on {
                    locals_in(e, out);
                }
            }
            Statement::Lock(p) | Statement::Unlock(p) => place(p, out),
            Statement::Spawn(_, values) => values.iter().for_each(|v| indexes(v, out)),
            _ => {}
        }
    }
}

/// Evaluates an expression whose atoms are given in the order in which they stand there.
struct Reader<'a> {
    model: &'a Model,
    atoms: std::slice::Iter<'a, i64>,
    chosen: Option<(Local, i32)>,
}

impl Reader<'_> {
    fn next(&mut self) -> i32 {
        // Values are kept in 32 bits; sums of them agree modulo 2³².
        self.atoms.next().map_or(0, |v| *v as i32)
    }

    /// `None` if it has no value. All atoms are consumed in any case.
    fn value(&mut self, e: &Expr) -> Option<i32> {
        match e {
            Expr::Int(v) => Some(*v),
            Expr::Local(l) => match self.chosen {
                Some((local, value)) if local == *l => Some(value),
                _ => Some(self.next()),
            },
            Expr::Shared(_, None) => Some(self.next()),
            Expr::Shared(v, Some(index)) => {
                let length = self.model.variables()[*v].initial.len();
                let at = self.value(index);
                let inside = at.and_then(|i| usize::try_from(i).ok()).filter(|i| *i < length);
                if is_open_index(index, self.chosen.map(|(l, _)| l)) {
                    let elements: Vec<i32> = (0..length).map(|_| self.next()).collect();
                    inside.map(|i| elements[i])
                } else {
                    inside.map(|_| self.next())
                }
            }
            Expr::Not(a) => self.value(a).map(|v| i32::from(v == 0)),
            Expr::Negate(a) => self.value(a).map(i32::wrapping_neg),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                apply(*op, a?, b?)
            }
        }
    }
}
