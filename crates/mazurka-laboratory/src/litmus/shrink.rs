//! From a program that shows a difference to a small one that still does.

use mazurka_litmus::Model;
use mazurka_litmus::model::{Body, Expr, Place, Statement};

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
        for s in (0..body.steps.len()).filter(|_| body.steps.len() > 1) {
            add(&|m| remove_step(&mut m.bodies_vec()[b], s));
        }
    }
    for (b, body) in model.bodies().iter().enumerate() {
        for (s, step) in body.steps.iter().enumerate() {
            for simpler in simpler_lists(&step.statements) {
                add(&|m| m.bodies_vec()[b].steps[s].statements.clone_from(&simpler));
            }
        }
        for (l, local) in body.locals.iter().enumerate().filter(|(_, l)| l.initial != 0) {
            for simpler in simpler_numbers(local.initial) {
                add(&|m| m.bodies_vec()[b].locals[l].initial = simpler);
            }
        }
        if !body.labels.is_empty() && !mentions_label(body) {
            add(&|m| m.bodies_vec()[b].labels.clear());
        }
    }
    for (v, variable) in model.variables().iter().enumerate() {
        if variable.initial.iter().any(|x| *x != 0) {
            add(&|m| m.variables_vec()[v].initial.fill(0));
        }
        if variable.initial.len() > 1 {
            add(&|m| {
                m.variables_vec()[v].initial.pop();
            });
        }
    }
    if model.is_bounded() {
        add(&|m| m.set_bounded(false));
    }
    out.into_iter().map(|m| tidy(&m)).collect()
}

/// Lists of statements that could stand in the place of these and are simpler: one left out, or one made simpler.
fn simpler_lists(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut out = Vec::new();
    for (i, statement) in statements.iter().enumerate() {
        let replaced = |by: &[Statement]| {
            let mut copy = statements.to_vec();
            copy.splice(i..=i, by.iter().cloned());
            copy
        };
        out.push(replaced(&[]));
        out.extend(simpler_statements(statement).iter().map(|by| replaced(by)));
    }
    out
}

/// What could stand in the place of a statement and is simpler.
fn simpler_statements(statement: &Statement) -> Vec<Vec<Statement>> {
    let mut out: Vec<Vec<Statement>> = Vec::new();
    let mut one = |s: Statement| out.push(vec![s]);
    match statement {
        Statement::Choose(local, n) => (1..*n).rev().take(2).for_each(|n| one(Statement::Choose(*local, n))),
        Statement::Await(e) => simpler(e).into_iter().for_each(|e| one(Statement::Await(e))),
        Statement::Lock(p) => places(p).into_iter().for_each(|p| one(Statement::Lock(p))),
        Statement::Unlock(p) => places(p).into_iter().for_each(|p| one(Statement::Unlock(p))),
        Statement::Assign(p, e) => both(p, e).into_iter().for_each(|(p, e)| one(Statement::Assign(p, e))),
        Statement::Add(p, e) => {
            both(p, e).into_iter().for_each(|(p, e)| one(Statement::Add(p, e)));
            one(Statement::Assign(p.clone(), e.clone()));
        }
        Statement::Accumulate(p, e) => {
            both(p, e).into_iter().for_each(|(p, e)| one(Statement::Accumulate(p, e)));
            one(Statement::Add(p.clone(), e.clone()));
        }
        Statement::Assert(e, message) => {
            if message.is_some() {
                one(Statement::Assert(e.clone(), None));
            }
            simpler(e).into_iter().for_each(|e| one(Statement::Assert(e, message.clone())));
        }
        Statement::Spawn(k, values) => {
            if let Some((_, fewer)) = values.split_last() {
                one(Statement::Spawn(*k, fewer.to_vec()));
            }
            for (i, value) in values.iter().enumerate() {
                for simpler in simpler(value) {
                    let mut values = values.clone();
                    values[i] = simpler;
                    one(Statement::Spawn(*k, values));
                }
            }
        }
        Statement::If(condition, then, other) => {
            simpler_lists(then)
                .into_iter()
                .for_each(|then| one(Statement::If(condition.clone(), then, other.clone())));
            simpler_lists(other)
                .into_iter()
                .for_each(|other| one(Statement::If(condition.clone(), then.clone(), other)));
            simpler(condition)
                .into_iter()
                .for_each(|c| one(Statement::If(c, then.clone(), other.clone())));
            out.splice(0..0, [then.clone(), other.clone()]);
        }
        Statement::Goto(_) | Statement::End => {}
    }
    out
}

fn both(place: &Place, e: &Expr) -> Vec<(Place, Expr)> {
    let places = places(place).into_iter().map(|p| (p, e.clone()));
    places.chain(simpler(e).into_iter().map(|e| (place.clone(), e))).collect()
}

fn places(place: &Place) -> Vec<Place> {
    match place {
        Place::Shared(v, Some(index)) => simpler(index).into_iter().map(|i| Place::Shared(*v, Some(Box::new(i)))).collect(),
        _ => Vec::new(),
    }
}

/// Expressions that are simpler.
fn simpler(e: &Expr) -> Vec<Expr> {
    match e {
        Expr::Int(v) => simpler_numbers(*v).map(Expr::Int).collect(),
        Expr::Local(_) | Expr::Shared(_, None) => vec![Expr::Int(0), Expr::Int(1)],
        Expr::Shared(v, Some(index)) => {
            let inside = simpler(index).into_iter().map(|i| Expr::Shared(*v, Some(Box::new(i))));
            [Expr::Int(0), Expr::Int(1), (**index).clone()].into_iter().chain(inside).collect()
        }
        Expr::Not(a) => {
            let inside = simpler(a).into_iter().map(|a| Expr::Not(Box::new(a)));
            [(**a).clone()].into_iter().chain(inside).collect()
        }
        Expr::Negate(a) => {
            let inside = simpler(a).into_iter().map(|a| Expr::Negate(Box::new(a)));
            [(**a).clone()].into_iter().chain(inside).collect()
        }
        Expr::Binary(op, a, b) => {
            let mut out = vec![(**a).clone(), (**b).clone()];
            out.extend(simpler(a).into_iter().map(|a| Expr::Binary(*op, Box::new(a), b.clone())));
            out.extend(simpler(b).into_iter().map(|b| Expr::Binary(*op, a.clone(), Box::new(b))));
            out
        }
    }
}

/// Numbers that are simpler: 0 and up to the number, if it is small.
fn simpler_numbers(n: i32) -> impl Iterator<Item = i32> {
    let most = if n < 0 { 3 } else { n.min(3) };
    (0..most).chain((!(-1..=9).contains(&n)).then_some(n / 2))
}

fn remove_step(body: &mut Body, step: usize) {
    body.steps.remove(step);
    for label in &mut body.labels {
        label.step = label.step.map(|at| if at > step { at - 1 } else { at });
    }
}

fn mentions_label(body: &Body) -> bool {
    fn any(statements: &[Statement]) -> bool {
        statements
            .iter()
            .any(|s| matches!(s, Statement::Goto(_)) || matches!(s, Statement::If(_, then, other) if any(then) || any(other)))
    }
    body.steps.iter().any(|s| any(&s.statements))
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
