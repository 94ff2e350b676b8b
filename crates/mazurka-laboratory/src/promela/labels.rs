//! Labels wherever a model may have them, jumps to them, and questions about who stands there.
//!
//! Added to a model that is already written. Each statement is labelled once in four times, compound ones and those inside of choices, sequences and
//! escapes too; some carry several labels. Most jumps go forwards; those that go back count.

use super::tree::{Body, Ex, Model, Stmt};
use crate::random::Numbers;

/// Labels of one process type, in the order in which they are given. What SPIN makes of a label depends on how it begins.
const NAMES: [&str; 10] = [
    "end_a",
    "at_a",
    "at_b",
    "end_b",
    "progress_a",
    "at_c",
    "accept_a",
    "end_c",
    "at_d",
    "at_e",
];

/// Labels of jumps.
const JUMPS: [&str; 3] = ["jump_a", "end_jump", "jump_b"];

/// A label that was given.
struct Given {
    name: &'static str,
    /// How many statements come before it.
    place: usize,
    /// Inside of `d_step`, where no jump from outside may lead.
    deterministic: bool,
}

/// Where a walk over the statements of a body is.
#[derive(Clone, Copy)]
struct Place {
    deterministic: bool,
    /// The sequence begins with what decides whether it can be entered, and must go on doing so.
    guarded: bool,
}

const TOP: Place = Place {
    deterministic: false,
    guarded: false,
};

impl Place {
    /// Where the sequences inside of a statement are.
    fn inside(self, stmt: &Stmt, part: usize) -> Place {
        Place {
            deterministic: self.deterministic || matches!(stmt, Stmt::DStep(_)),
            guarded: matches!(stmt, Stmt::If(_) | Stmt::Do(_) | Stmt::DStep(_)) || matches!(stmt, Stmt::Unless(..)) && part == 1,
        }
    }
}

/// Adds labels to every process type, jumps to them, and questions about them.
pub(super) fn sprinkle(model: &mut Model, numbers: &mut Numbers) {
    let mut given = Vec::new();
    for body in bodies(model) {
        let mut labels = Vec::new();
        label(body, TOP, numbers, &mut 0, &mut labels);
        jump(body, TOP, numbers, &mut 0, &mut labels);
        given.push(labels);
    }
    let known: Vec<(usize, &'static str)> = (given.iter().enumerate().take(model.processes.len()))
        .flat_map(|(p, labels)| labels.iter().filter(|l| !l.deterministic).map(move |l| (p, l.name)))
        .collect();
    if known.is_empty() {
        return;
    }
    for body in bodies(model) {
        look(body, numbers, &known);
    }
    for process in &mut model.processes {
        if numbers.chance(1, 2) {
            let (p, name) = numbers.pick(&known);
            let question = Ex::At(p, name);
            let at = numbers.below(process.body.len() + 1);
            let stmt = match numbers.chance(1, 2) {
                true => Stmt::Assert(Ex::Not(Box::new(question))),
                false => Stmt::Condition(question),
            };
            process.body.insert(at, stmt);
        }
    }
}

fn bodies(model: &mut Model) -> impl Iterator<Item = &mut Body> {
    let started = [&mut model.child, &mut model.listener];
    model.processes.iter_mut().map(|p| &mut p.body).chain(started)
}

/// The statement itself, without the labels before it.
fn bare(stmt: &mut Stmt) -> &mut Stmt {
    match stmt {
        Stmt::Label(_, inner) => bare(inner),
        _ => stmt,
    }
}

fn label(body: &mut Body, place: Place, numbers: &mut Numbers, count: &mut usize, given: &mut Vec<Given>) {
    for stmt in body {
        let here = *count;
        *count += 1;
        let inner = bare(stmt);
        let outer = inner.clone();
        for (part, sequence) in inner.bodies_mut().into_iter().enumerate() {
            label(sequence, place.inside(&outer, part), numbers, count, given);
        }
        if *stmt == Stmt::Else {
            continue;
        }
        while given.len() < NAMES.len() && numbers.chance(1, 4) {
            let name = NAMES[given.len()];
            given.push(Given {
                name,
                place: here,
                deterministic: place.deterministic,
            });
            *stmt = Stmt::Label(name, Box::new(std::mem::replace(stmt, Stmt::Skip)));
        }
    }
}

fn jump(body: &mut Body, place: Place, numbers: &mut Numbers, count: &mut usize, labels: &mut Vec<Given>) {
    let mut at = 0;
    while at < body.len() {
        let here = *count;
        *count += 1;
        let inner = bare(&mut body[at]);
        let outer = inner.clone();
        for (part, sequence) in inner.bodies_mut().into_iter().enumerate() {
            jump(sequence, place.inside(&outer, part), numbers, count, labels);
        }
        let first = place.guarded && at == 0;
        at += 1;
        if first || place.deterministic || !numbers.chance(1, 8) {
            continue;
        }
        let reachable = |ahead: bool| {
            labels
                .iter()
                .filter(move |l| (l.place > here) == ahead && !l.deterministic && !JUMPS.contains(&l.name))
        };
        let names = |ahead: bool| reachable(ahead).map(|l| l.name).collect::<Vec<_>>();
        let (ahead, behind) = (names(true), names(false));
        if !behind.is_empty() && numbers.chance(1, 3) {
            body.insert(at - 1, back(numbers.pick(&behind)));
            at += 1;
        } else if !ahead.is_empty() {
            let mut to = Stmt::Goto(numbers.pick(&ahead));
            let free = JUMPS.iter().find(|name| labels.iter().all(|l| l.name != **name));
            if let (Some(name), true) = (free, numbers.chance(1, 4)) {
                labels.push(Given {
                    name,
                    place: here,
                    deterministic: false,
                });
                to = Stmt::Label(name, Box::new(to));
            }
            body.insert(at - 1, forth(to, numbers));
            at += 1;
        }
    }
}

/// A jump forwards, always or sometimes.
fn forth(to: Stmt, numbers: &mut Numbers) -> Stmt {
    let sometimes = Stmt::Condition(Ex::binary(
        "==",
        Ex::Name(numbers.pick(&["x", "y"])),
        Ex::Number(numbers.below(2) as i32),
    ));
    match numbers.below(4) {
        0 => to,
        1 => Stmt::If(vec![vec![to], vec![sometimes]]),
        2 => Stmt::If(vec![vec![sometimes], vec![Stmt::Else, to]]),
        _ => Stmt::If(vec![vec![sometimes, to], vec![Stmt::Else]]),
    }
}

/// A jump backwards that is made once at most.
fn back(to: &'static str) -> Stmt {
    let again = Stmt::Condition(Ex::binary("<", Ex::Name("n"), Ex::Number(1)));
    let count = Stmt::Assign(Ex::Name("n"), Ex::binary("+", Ex::Name("n"), Ex::Number(1)));
    Stmt::If(vec![vec![again, count, Stmt::Goto(to)], vec![Stmt::Else]])
}

/// Lets some conditions and assertions ask where another process stands.
fn look(body: &mut Body, numbers: &mut Numbers, known: &[(usize, &'static str)]) {
    for stmt in body {
        let stmt = bare(stmt);
        if let Stmt::Condition(e) | Stmt::Assert(e) = stmt
            && *e != Ex::Name("timeout")
            && numbers.chance(1, 5)
        {
            let (process, name) = numbers.pick(known);
            let question = Ex::At(process, name);
            *e = match numbers.below(4) {
                0 => Ex::Not(Box::new(question)),
                1 => Ex::binary("||", question, e.clone()),
                _ => question,
            };
        }
        for inner in stmt.bodies_mut() {
            look(inner, numbers, known);
        }
    }
}
