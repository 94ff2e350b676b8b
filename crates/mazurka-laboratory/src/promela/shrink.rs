//! Makes a model smaller while something stays true of it.

use super::tree::{Body, Ex, Model, Stmt};

/// The smallest model that can be had by leaving parts out one at a time such that `holds` stays true.
pub fn shrink(model: &Model, holds: impl Fn(&Model) -> bool) -> Model {
    let mut best = model.clone();
    'again: loop {
        for smaller in candidates(&best) {
            if holds(&smaller) {
                best = smaller;
                continue 'again;
            }
        }
        return best;
    }
}

/// Models with one part less, the largest parts first.
fn candidates(model: &Model) -> Vec<Model> {
    let mut all = Vec::new();
    for p in 0..model.processes.len() {
        let change = |f: &dyn Fn(&mut Model)| {
            let mut smaller = model.clone();
            f(&mut smaller);
            smaller
        };
        let named = model.to_string().contains('@');
        if model.processes.len() > 1 && (!named || p + 1 == model.processes.len()) {
            all.push(change(&|m| {
                m.processes.remove(p);
            }));
        }
        if model.processes[p].copies > 1 {
            all.push(change(&|m| m.processes[p].copies = 1));
        }
        if model.processes[p].provided.is_some() {
            all.push(change(&|m| m.processes[p].provided = None));
        }
        for body in bodies(&model.processes[p].body) {
            all.push(change(&|m| m.processes[p].body.clone_from(&body)));
        }
    }
    for body in bodies(&model.child) {
        all.push(Model {
            child: body,
            ..model.clone()
        });
    }
    for body in bodies(&model.listener) {
        all.push(Model {
            listener: body,
            ..model.clone()
        });
    }
    all
}

/// The sequence with one statement less, or one statement simpler.
fn bodies(body: &Body) -> Vec<Body> {
    let mut all = Vec::new();
    for at in 0..body.len() {
        let mut without = body.clone();
        without.remove(at);
        all.push(without);
    }
    for at in 0..body.len() {
        // What is inside instead of the whole.
        for inner in body[at].bodies() {
            let mut opened = body.clone();
            opened.splice(at..=at, inner.iter().filter(|s| !matches!(s, Stmt::Else | Stmt::Break)).cloned());
            all.push(opened);
        }
        for stmt in simpler(&body[at]) {
            let mut changed = body.clone();
            changed[at] = stmt;
            all.push(changed);
        }
    }
    all
}

fn simpler(stmt: &Stmt) -> Vec<Stmt> {
    let mut all = Vec::new();
    match stmt {
        Stmt::Label(label, inner) => {
            all.push((**inner).clone());
            all.extend(simpler(inner).into_iter().map(|s| Stmt::Label(label, Box::new(s))));
        }
        Stmt::Assign(place, value) => all.extend(smaller(value).into_iter().map(|v| Stmt::Assign(place.clone(), v))),
        Stmt::Condition(e) => all.extend(smaller(e).into_iter().map(Stmt::Condition)),
        Stmt::Assert(e) => {
            if *e != Ex::Number(0) {
                all.push(Stmt::Assert(Ex::Number(0)));
            }
            all.extend(smaller(e).into_iter().map(Stmt::Assert));
        }
        Stmt::Send(channel, sorted, args) => {
            for at in 0..args.len() {
                for e in smaller(&args[at]) {
                    let mut args = args.clone();
                    args[at] = e;
                    all.push(Stmt::Send(channel, *sorted, args));
                }
            }
        }
        Stmt::Run(Some(_), proctype, args) => all.push(Stmt::Run(None, proctype, args.clone())),
        Stmt::If(options) | Stmt::Do(options) if options.len() > 1 => {
            for at in 0..options.len() {
                let mut fewer = stmt.clone();
                if let Stmt::If(options) | Stmt::Do(options) = &mut fewer {
                    options.remove(at);
                }
                all.push(fewer);
            }
        }
        _ => {}
    }
    for at in 0..stmt.bodies().len() {
        for body in bodies(stmt.bodies()[at]) {
            let mut changed = stmt.clone();
            if let Some(inner) = changed.bodies_mut().into_iter().nth(at) {
                *inner = body;
            }
            all.push(changed);
        }
    }
    all
}

/// Smaller expressions that could stand for one.
fn smaller(e: &Ex) -> Vec<Ex> {
    match e {
        Ex::Number(0) | Ex::Name("timeout") => Vec::new(),
        Ex::Number(n) => vec![Ex::Number(n - 1)],
        Ex::Binary(op, parts) => {
            let mut all = vec![parts.0.clone(), parts.1.clone()];
            all.extend(smaller(&parts.0).into_iter().map(|l| Ex::binary(op, l, parts.1.clone())));
            all.extend(smaller(&parts.1).into_iter().map(|r| Ex::binary(op, parts.0.clone(), r)));
            all
        }
        Ex::Not(inner) => vec![(**inner).clone()],
        Ex::Conditional(parts) => vec![parts.1.clone(), parts.2.clone()],
        Ex::Name("q" | "c" | "u" | "own" | "h" | "k" | "v") => Vec::new(),
        Ex::Element(array, index) => smaller(index)
            .into_iter()
            .map(|i| Ex::Element(array, Box::new(i)))
            .chain([Ex::Number(0)])
            .collect(),
        _ => vec![Ex::Number(0)],
    }
}
