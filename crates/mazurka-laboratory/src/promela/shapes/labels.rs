//! Where labels stand, where jumps lead, and what is asked about labels.

use super::super::tree::{Body, Ex, Model, Stmt};

/// A statement with a label or a jump, and what is around it.
struct Stop<'m> {
    stmt: &'m Stmt,
    around: Vec<&'m Stmt>,
    place: usize,
}

/// The shapes of labels, jumps and questions about labels.
pub(super) fn labels(model: &Model, found: &mut Vec<&'static str>) {
    let processes = model.processes.iter().map(|p| &p.body);
    for body in processes.chain([&model.child, &model.listener]) {
        let stops = stops(body);
        for stop in &stops {
            match stop.stmt {
                Stmt::Label(name, inner) => label(name, inner, stop, found),
                Stmt::Goto(name) => jump(name, stop, &stops, found),
                _ => {}
            }
        }
    }
    questions(model, found);
}

fn stops(body: &Body) -> Vec<Stop<'_>> {
    let (mut all, mut around) = (Vec::new(), Vec::new());
    for stmt in body {
        stmt.visit(&mut around, &mut |stmt, around| {
            all.push(Stop {
                stmt,
                around: around.to_vec(),
                place: all.len(),
            });
        });
    }
    all
}

/// The statement without the labels before it.
fn bare(stmt: &Stmt) -> &Stmt {
    match stmt {
        Stmt::Label(_, inner) => bare(inner),
        _ => stmt,
    }
}

fn is_sequence(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Atomic(_) | Stmt::DStep(_))
}

fn label(name: &str, inner: &Stmt, stop: &Stop<'_>, found: &mut Vec<&'static str>) {
    let before = match bare(inner) {
        Stmt::If(_) => Some("label before a choice"),
        Stmt::Do(_) | Stmt::For(_) => Some("label before a loop"),
        stmt if is_sequence(stmt) => Some("label before a sequence"),
        Stmt::Unless(..) => Some("label before an unless"),
        Stmt::Goto(_) | Stmt::Break => Some("label before a jump"),
        _ => None,
    };
    found.extend(before);
    let mut add = |condition: bool, shape: &'static str| {
        if condition {
            found.push(shape);
        }
    };
    let compound = !bare(inner).bodies().is_empty();
    add(compound && name.starts_with("end"), "end label before a compound statement");
    add(matches!(inner, Stmt::Label(..)), "several labels at one place");
    add(stop.around.iter().any(|s| is_sequence(s)), "label inside a sequence");
    let chain: Vec<&Stmt> = stop.around.iter().copied().chain([stop.stmt]).collect();
    for pair in chain.windows(2) {
        let contains = |body: &Body| body.iter().any(|s| std::ptr::eq(s, pair[1]));
        match pair[0] {
            Stmt::Unless(main, escape) => {
                add(contains(main), "label inside what can be escaped from");
                add(contains(escape), "label inside an escape");
            }
            Stmt::If(options) | Stmt::Do(options) => {
                let own = std::ptr::eq(pair[1], stop.stmt);
                let first = options.iter().any(|o| o.first().is_some_and(|s| std::ptr::eq(s, stop.stmt)));
                add(first, "label at the start of an option");
                add(own && !first, "label further on in an option");
            }
            _ => {}
        }
    }
}

fn jump(name: &str, stop: &Stop<'_>, stops: &[Stop<'_>], found: &mut Vec<&'static str>) {
    let Some(target) = stops.iter().find(|s| matches!(s.stmt, Stmt::Label(label, _) if *label == name)) else {
        return;
    };
    found.push(match target.place > stop.place {
        true => "jump forwards",
        false => "jump backwards",
    });
    let only = |one: &Stop<'_>, two: &Stop<'_>, kind: fn(&Stmt) -> bool| {
        let within = |s: &&Stmt| two.around.iter().any(|t| std::ptr::eq(*t, *s));
        one.around.iter().any(|s| kind(s) && !within(s))
    };
    let unless = |s: &Stmt| matches!(s, Stmt::Unless(..));
    if only(target, stop, is_sequence) {
        found.push("jump into a sequence");
    }
    if only(stop, target, is_sequence) {
        found.push("jump out of a sequence");
    }
    if only(target, stop, unless) || only(stop, target, unless) {
        found.push("jump into or out of an unless");
    }
}

fn questions(model: &Model, found: &mut Vec<&'static str>) {
    let mut asked = Vec::new();
    let bodies = model.processes.iter().map(|p| &p.body).chain([&model.child, &model.listener]);
    for stmt in bodies.flatten() {
        stmt.visit(&mut Vec::new(), &mut |stmt, _| {
            for e in stmt.expressions() {
                e.visit(&mut |e| {
                    if let Ex::At(process, name) = e {
                        asked.push((*process, *name));
                        if matches!(stmt, Stmt::Assert(_)) {
                            found.push("remote label in an assertion");
                        }
                    }
                });
            }
        });
    }
    for (process, asked) in asked {
        let Some(process) = model.processes.get(process) else { continue };
        for stop in stops(&process.body) {
            if let Stmt::Label(name, inner) = stop.stmt
                && *name == asked
                && (!bare(inner).bodies().is_empty() || matches!(bare(inner), Stmt::Goto(_) | Stmt::Break))
            {
                found.push("remote label of a compound statement or a jump");
            }
        }
    }
}
