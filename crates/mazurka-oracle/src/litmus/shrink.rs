//! From a program that shows a difference to a small one that still does.

use mazurka_litmus::Model;
use mazurka_litmus::model::{Expr, Statement};

/// Makes the program smaller for as long as `fails` says that it still shows what it is about.
pub fn shrink(model: &Model, mut fails: impl FnMut(&Model) -> bool) -> Model {
    let mut best = tidy(model);
    if best != *model && !fails(&best) {
        best = model.clone();
    }
    loop {
        let Some(smaller) = candidates(&best).into_iter().find(|m| m.check().is_ok() && fails(m)) else {
            return best;
        };
        best = smaller;
    }
}

/// Programs that are a little smaller, the boldest cuts first.
fn candidates(model: &Model) -> Vec<Model> {
    let mut out = Vec::new();
    let mut add = |edit: &dyn Fn(&mut Model)| {
        let mut copy = model.clone();
        edit(&mut copy);
        out.push(copy);
    };
    for b in 0..model.bodies().len() {
        add(&|m| remove_body(m, b));
    }
    for (b, body) in model.bodies().iter().enumerate() {
        for s in 0..body.steps.len() {
            if body.steps.len() > 1 && body.labels.is_empty() {
                add(&|m| {
                    m.bodies_vec()[b].steps.remove(s);
                });
            }
        }
    }
    for (b, body) in model.bodies().iter().enumerate() {
        for (s, step) in body.steps.iter().enumerate() {
            for i in 0..step.statements.len() {
                add(&|m| {
                    m.bodies_vec()[b].steps[s].statements.remove(i);
                });
                for simpler in simpler_statements(&step.statements[i]) {
                    add(&|m| {
                        m.bodies_vec()[b].steps[s].statements.splice(i..=i, simpler.iter().cloned());
                    });
                }
            }
        }
    }
    for v in 0..model.variables().len() {
        if model.variables()[v].initial.iter().any(|x| *x != 0) {
            add(&|m| m.variables_vec()[v].initial.fill(0));
        }
    }
    out.into_iter().map(|m| tidy(&m)).collect()
}

/// Statements that could stand in its place and are simpler.
fn simpler_statements(statement: &Statement) -> Vec<Vec<Statement>> {
    let mut out = Vec::new();
    match statement {
        Statement::If(condition, then, other) => {
            out.extend([then.clone(), other.clone()]);
            if !other.is_empty() {
                out.push(vec![Statement::If(condition.clone(), then.clone(), Vec::new())]);
            }
            out.extend(
                simpler(condition)
                    .into_iter()
                    .map(|c| vec![Statement::If(c, then.clone(), other.clone())]),
            );
        }
        Statement::Await(e) => out.extend(simpler(e).into_iter().map(|e| vec![Statement::Await(e)])),
        Statement::Assert(e, m) => out.extend(simpler(e).into_iter().map(|e| vec![Statement::Assert(e, m.clone())])),
        Statement::Assign(p, e) => out.extend(simpler(e).into_iter().map(|e| vec![Statement::Assign(p.clone(), e)])),
        Statement::Add(p, e) => {
            out.extend(simpler(e).into_iter().map(|e| vec![Statement::Add(p.clone(), e)]));
            out.push(vec![Statement::Assign(p.clone(), e.clone())]);
        }
        Statement::Accumulate(p, e) => {
            out.extend(simpler(e).into_iter().map(|e| vec![Statement::Accumulate(p.clone(), e)]));
            out.push(vec![Statement::Add(p.clone(), e.clone())]);
        }
        _ => {}
    }
    out
}

/// Expressions that are simpler.
fn simpler(e: &Expr) -> Vec<Expr> {
    match e {
        Expr::Int(v) => (0..(*v).clamp(0, 3)).map(Expr::Int).collect(),
        Expr::Local(_) | Expr::Shared(..) => vec![Expr::Int(0), Expr::Int(1)],
        Expr::Not(a) | Expr::Negate(a) => vec![(**a).clone()],
        Expr::Binary(op, a, b) => {
            let mut out = vec![(**a).clone(), (**b).clone()];
            out.extend(simpler(b).into_iter().map(|b| Expr::Binary(*op, a.clone(), Box::new(b))));
            out.retain(|e| !matches!(e, Expr::Int(_)));
            out
        }
    }
}

/// Removes a body and every spawn of it.
fn remove_body(model: &mut Model, body: usize) {
    fn edit(statements: &mut Vec<Statement>, body: usize) {
        statements.retain(|s| !matches!(s, Statement::Spawn(k, _) if *k == body));
        for s in statements {
            match s {
                Statement::Spawn(k, _) if *k > body => *k -= 1,
                Statement::If(_, then, other) => {
                    edit(then, body);
                    edit(other, body);
                }
                _ => {}
            }
        }
    }
    model.bodies_vec().remove(body);
    for step in model.bodies_vec().iter_mut().flat_map(|b| &mut b.steps) {
        edit(&mut step.statements, body);
    }
}

/// Without variables and locals that nothing mentions, so that the printed program shows only what matters.
fn tidy(model: &Model) -> Model {
    if model.check().is_ok() {
        model.without_unused()
    } else {
        model.clone()
    }
}
