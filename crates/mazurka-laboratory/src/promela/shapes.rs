//! What a model has in it, found on its tree.

mod labels;

use super::tree::{Arg, Ex, Model, Stmt};
use labels::labels;

/// Every shape.
pub const SHAPES: [&str; 66] = [
    "else",
    "else in a loop",
    "timeout",
    "atomic",
    "atomic that may block inside",
    "choice inside atomic",
    "rendezvous inside atomic",
    "nested sequences",
    "d_step",
    "d_step that may block inside",
    "d_step at the end of a part of a sequence",
    "loop inside atomic",
    "choice inside d_step",
    "d_step that begins with an index",
    "rendezvous",
    "rendezvous of an expression",
    "rendezvous with a match",
    "a channel sent",
    "a channel received",
    "a channel assigned",
    "operation on an unknown channel",
    "own channel",
    "a channel as a parameter",
    "unless",
    "unless around atomic",
    "sorted send",
    "random receive",
    "a receive that leaves the message",
    "poll",
    "probe",
    "match in a receive",
    "computed index",
    "index that may be out of range",
    "division",
    "conditional expression",
    "several assertions",
    "end label",
    "run",
    "run in a branch",
    "run in a loop",
    "goto",
    "do",
    "for",
    "choice of three or more",
    "nested choice",
    "mtype, typedef or inline",
    "provided or a remote label",
    "label before a choice",
    "label before a loop",
    "label before a sequence",
    "label before an unless",
    "label before a jump",
    "end label before a compound statement",
    "several labels at one place",
    "label inside a sequence",
    "label inside an escape",
    "label inside what can be escaped from",
    "label at the start of an option",
    "label further on in an option",
    "jump forwards",
    "jump backwards",
    "jump into a sequence",
    "jump out of a sequence",
    "jump into or out of an unless",
    "remote label in an assertion",
    "remote label of a compound statement or a jump",
];

/// The shapes of a model, perhaps repeated.
pub fn shapes(model: &Model) -> Vec<&'static str> {
    let mut found = Vec::new();
    let text = model.to_string();
    let (mut assertions, mut around) = (0, Vec::new());
    let started = [("C(", &model.child), ("D(", &model.listener)];
    let children = started.iter().filter(|(call, _)| text.contains(&format!("run {call}")));
    let bodies = model.processes.iter().map(|p| &p.body).chain(children.map(|(_, body)| *body));
    for stmt in bodies.flatten() {
        stmt.visit(&mut around, &mut |stmt, around| {
            assertions += usize::from(matches!(stmt, Stmt::Assert(_)));
            statement(stmt, around, &mut found);
            for e in stmt.expressions() {
                e.visit(&mut |e| expression(e, &mut found));
            }
        });
    }
    if assertions > 1 {
        found.push("several assertions");
    }
    if model.processes.iter().any(|p| p.provided.is_some()) {
        found.push("provided or a remote label");
    }
    labels(model, &mut found);
    found
}

fn is_rendezvous(channel: &str) -> bool {
    ["h", "t"].contains(&channel)
}

/// Whether a statement may have to wait.
fn may_block(stmt: &Stmt) -> bool {
    matches!(
        stmt,
        Stmt::Condition(_) | Stmt::Send(..) | Stmt::Receive(..) | Stmt::If(_) | Stmt::Do(_)
    )
}

fn statement(stmt: &Stmt, around: &[&Stmt], found: &mut Vec<&'static str>) {
    let mut add = |condition: bool, shape: &'static str| {
        if condition {
            found.push(shape);
        }
    };
    let within = |kind: fn(&Stmt) -> bool| around.iter().any(|s| kind(s));
    let in_atomic = within(|s| matches!(s, Stmt::Atomic(_)));
    let in_d_step = within(|s| matches!(s, Stmt::DStep(_)));
    let in_choice = within(|s| matches!(s, Stmt::If(_)));
    let in_loop = within(|s| matches!(s, Stmt::Do(_) | Stmt::For(_)));
    match stmt {
        Stmt::Else => {
            add(true, "else");
            add(matches!(around.last(), Some(Stmt::Do(_))), "else in a loop");
        }
        Stmt::Atomic(body) => {
            add(true, "atomic");
            add(body.iter().skip(1).any(may_block), "atomic that may block inside");
            add(within(|s| matches!(s, Stmt::Unless(..))), "unless around atomic");
        }
        Stmt::DStep(body) => {
            add(true, "d_step");
            add(body.iter().skip(1).any(may_block), "d_step that may block inside");
            let first = body.first().map(Stmt::expressions).unwrap_or_default();
            let guarded = matches!(body.first(), Some(Stmt::Condition(_) | Stmt::Receive(..)));
            let mut indexed = false;
            first.iter().for_each(|e| e.visit(&mut |e| indexed |= matches!(e, Ex::Element(..))));
            add(guarded && indexed, "d_step that begins with an index");
            add(in_atomic, "nested sequences");
            let ends = |s: &&Stmt| s.bodies().iter().any(|b| b.last().is_some_and(|last| std::ptr::eq(last, stmt)));
            let part = around.last().filter(|s| matches!(s, Stmt::If(_) | Stmt::Unless(..)));
            add(in_atomic && part.is_some_and(ends), "d_step at the end of a part of a sequence");
        }
        Stmt::Unless(..) => add(true, "unless"),
        Stmt::If(options) => {
            add(options.len() > 2, "choice of three or more");
            add(in_choice, "nested choice");
            add(in_atomic, "choice inside atomic");
            add(in_d_step, "choice inside d_step");
        }
        Stmt::Do(_) => {
            add(true, "do");
            add(in_atomic, "loop inside atomic");
        }
        Stmt::For(_) => add(true, "for"),
        Stmt::Goto(_) => add(true, "goto"),
        Stmt::Label(label, _) => add(label.starts_with("end"), "end label"),
        Stmt::Inline(..) => add(true, "mtype, typedef or inline"),
        Stmt::Run(_, proctype, _) => {
            add(true, "run");
            add(in_choice, "run in a branch");
            add(in_loop, "run in a loop");
            add(*proctype == "D", "a channel as a parameter");
        }
        Stmt::Assign(Ex::Name("c" | "u"), _) => add(true, "a channel assigned"),
        Stmt::Send(channel, sorted, args) => {
            add(*sorted, "sorted send");
            add(*channel == "k", "a channel sent");
            talks(channel, in_atomic, &mut add);
            add(
                is_rendezvous(channel) && args.iter().any(|a| !matches!(a, Ex::Number(_))),
                "rendezvous of an expression",
            );
        }
        Stmt::Receive(channel, how, args) => {
            let matches = args.iter().any(|a| matches!(a, Arg::Match(_)));
            add(how.starts_with("??"), "random receive");
            add(how.ends_with('<'), "a receive that leaves the message");
            add(*channel == "k", "a channel received");
            add(matches, "match in a receive");
            add(matches && is_rendezvous(channel), "rendezvous with a match");
            talks(channel, in_atomic, &mut add);
        }
        _ => {}
    }
}

fn talks(channel: &str, in_atomic: bool, add: &mut impl FnMut(bool, &'static str)) {
    add(is_rendezvous(channel), "rendezvous");
    add(is_rendezvous(channel) && in_atomic, "rendezvous inside atomic");
    add(["c", "u", "v"].contains(&channel), "operation on an unknown channel");
    add(channel == "own", "own channel");
}

fn expression(e: &Ex, found: &mut Vec<&'static str>) {
    match e {
        Ex::Name("timeout") => found.push("timeout"),
        Ex::Name("own") => found.push("own channel"),
        Ex::Name("red" | "green" | "m" | "r.f") => found.push("mtype, typedef or inline"),
        Ex::Element(_, index) => {
            if !matches!(**index, Ex::Number(_)) {
                found.push("computed index");
            }
            if matches!(**index, Ex::Name("x" | "y" | "i")) {
                found.push("index that may be out of range");
            }
        }
        Ex::Binary("/" | "%", parts) if !matches!(parts.1, Ex::Number(_)) => found.push("division"),
        Ex::Conditional(_) => found.push("conditional expression"),
        Ex::Poll(..) => found.push("poll"),
        Ex::Probe(..) => found.push("probe"),
        Ex::At(..) => found.push("provided or a remote label"),
        _ => {}
    }
}
