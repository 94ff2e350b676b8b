//! States and failures in the words that the user sees.

use super::Failed;
use super::evaluate::{Fault, Scene};
use super::state::{Name, State, Value};
use mazurka_core::FailureKind;
use mazurka_litmus::model::{Binary, Body, Expr, Statement, Step};
use mazurka_litmus::{Model, text};

/// A state as named values, sorted by name.
pub type Printed = Vec<(String, String)>;

/// The state as named values.
pub fn printed(model: &Model, state: &State) -> Printed {
    let roots: Vec<&Name> = state.processes.keys().filter(|n| n.0.len() == 1).collect();
    let mut out = Vec::new();
    for (variable, values) in model.variables().iter().zip(&state.shared) {
        for (i, value) in values.iter().enumerate() {
            let name = if variable.array {
                format!("{}[{i}]", variable.name)
            } else {
                variable.name.clone()
            };
            let value = match value {
                Value::Number(n) => n.to_string(),
                // The tokens of the processes of the start are their numbers; those of spawned ones are nobody's business.
                Value::Token(holder) => match roots.iter().position(|r| *r == holder) {
                    Some(nth) => (nth + 1).to_string(),
                    None => "a task's token".to_owned(),
                },
            };
            out.push((name, value));
        }
    }
    for (name, process) in &state.processes {
        let key = key(model, name);
        for (local, value) in model.bodies()[process.body].locals.iter().zip(&process.locals) {
            out.push((format!("{key}.{}", local.name), value.to_string()));
        }
    }
    out.sort();
    out
}

/// `p0`, or `p0/k` and `p0/k#2` for what it spawned.
fn key(model: &Model, name: &Name) -> String {
    let part = |(at, (nth, body)): (usize, &(u32, usize))| {
        let own = &model.bodies()[*body].name;
        if at > 0 && *nth > 0 { format!("{own}#{nth}") } else { own.clone() }
    };
    name.0.iter().enumerate().map(part).collect::<Vec<_>>().join("/")
}

/// The failure in words, without its place.
pub fn failed(scene: Scene<'_>, fault: &Fault) -> Failed {
    let body = &scene.model.bodies()[scene.process.body];
    let (kind, message) = match fault {
        Fault::Division => (FailureKind::Exception, format!("{} divides by zero", body.name)),
        Fault::Outside(array, index) => {
            let array = &scene.model.variables()[*array].name;
            let what = format!("{} uses {array}[{index}], which is outside the array", body.name);
            (FailureKind::Exception, what)
        }
        Fault::Assertion(condition, message) => {
            let said = message.as_ref().map_or(String::new(), |m| format!("{m}: "));
            let text = expression(scene.model, body, condition);
            let what = format!("{said}{} asserts {text}, but {}", body.name, values(scene, body, condition));
            (FailureKind::Assertion, what)
        }
    };
    Failed {
        kind: kind.name(),
        message,
        place: None,
    }
}

/// `x is 2, y is 0` for every variable that evaluating the expression looks at, in the order of the text.
fn values(scene: Scene<'_>, body: &Body, e: &Expr) -> String {
    let mut parts: Vec<String> = Vec::new();
    looks_at(scene, e, &mut |e| {
        let value = scene.value(e).unwrap_or(0);
        let part = format!("{} is {value}", expression(scene.model, body, e));
        if !parts.contains(&part) {
            parts.push(part);
        }
    });
    if parts.is_empty() {
        "it is constant".to_owned()
    } else {
        parts.join(", ")
    }
}

/// Every variable that evaluating an expression looks at; those in an index before the element.
fn looks_at(scene: Scene<'_>, e: &Expr, f: &mut impl FnMut(&Expr)) {
    match e {
        Expr::Int(_) => {}
        Expr::Local(_) => f(e),
        Expr::Shared(_, index) => {
            if let Some(index) = index {
                looks_at(scene, index, f);
            }
            f(e);
        }
        Expr::Not(a) | Expr::Negate(a) => looks_at(scene, a, f),
        Expr::Binary(op, a, b) => {
            looks_at(scene, a, f);
            let left = scene.value(a).unwrap_or(0) != 0;
            let decided = match op {
                Binary::And => !left,
                Binary::Or => left,
                _ => false,
            };
            if !decided {
                looks_at(scene, b, f);
            }
        }
    }
}

/// An expression as text.
fn expression(model: &Model, body: &Body, e: &Expr) -> String {
    let step = Step {
        statements: vec![Statement::Assert(e.clone(), None)],
    };
    let text = text::step_text(model, body, &step);
    text.strip_prefix("assert ").unwrap_or(&text).to_owned()
}

/// Line and column, from 1, of a step in the text that the program is printed as.
pub fn step_position(text: &str, model: &Model, (body, step): (usize, usize)) -> Option<(u32, u32)> {
    let line = text.lines().count() - model.bodies().len() + body;
    let (mut depth, mut quoted, mut seen) = (0u32, false, 0);
    for (column, c) in text.lines().nth(line)?.chars().enumerate() {
        match c {
            '"' => quoted = !quoted,
            '[' if !quoted => {
                if depth == 0 {
                    if seen == step {
                        return Some((line as u32 + 1, column as u32 + 1));
                    }
                    seen += 1;
                }
                depth += 1;
            }
            ']' if !quoted => depth -= 1,
            _ => {}
        }
    }
    None
}
