//! What is in an actor program: the shapes that the random ones must have, found by looking at the finished script.

use super::declare::touches_nothing;
use super::generate::creates;
use super::script::{Declares, Method, Operand, Operation, Script, Send, Whom};

/// Every shape.
pub const SHAPES: &[&str] = &[
    "unordered delivery",
    "pair FIFO delivery",
    "mailbox FIFO delivery",
    "several final states",
    "a deadlock",
    "several failures",
    "actors of two classes",
    "a reference in a field from the start",
    "a self-send",
    "a send to the argument",
    "a send through a field",
    "a reply",
    "a broadcast",
    "an address in a message",
    "a number in a message",
    "a number taken from a message",
    "an actor created in a handler",
    "an actor created in a branch",
    "a send to a created actor",
    "the address of a created actor in a message",
    "a branch",
    "a send in a branch",
    "an assertion",
    "a panic",
    "a failure after an effect",
    "failures in several handlers",
    "a constraint",
    "a constraint on two fields",
    "a constraint on the message",
    "a constrained self-send",
    "a constraint, declared",
    "a constraint, undeclared, fields declared",
    "a constraint, undeclared, all declared",
    "a constraint, declared, all declared",
    "a handler that declares nothing",
    "a handler that declares all",
    "a handler that declares some fields",
    "a handler that accumulates",
    "a handler that does not declare its sends",
];

/// The shapes of a script; those of its setting and of what comes of it are added by the one who knows.
pub fn shapes(script: &Script) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut add = |there: bool, shape: &'static str| {
        if there {
            found.push(shape);
        }
    };
    let classes = |class: usize| script.actors.iter().any(|a| a.class == class);
    add(classes(0) && classes(1), "actors of two classes");
    add(
        script.actors.iter().any(|a| a.reference.is_some()),
        "a reference in a field from the start",
    );
    let reachable = reachable(script);
    let methods = || script.methods.iter().enumerate().filter(|(at, _)| reachable[*at]).map(|(_, m)| m);
    let fails = |o: &Operation| matches!(o.core(), Operation::Assert(_) | Operation::Fail);
    let failing = |m: &&Method| m.operations.iter().any(fails);
    add(methods().filter(failing).count() > 1, "failures in several handlers");
    for method in methods() {
        for (at, operation) in method.operations.iter().enumerate() {
            let branch = matches!(operation, Operation::If(..));
            add(branch, "a branch");
            add(branch && creates(operation), "an actor created in a branch");
            add(branch && operation.sent().is_some(), "a send in a branch");
            add(creates(operation), "an actor created in a handler");
            add(matches!(operation.core(), Operation::Assert(_)), "an assertion");
            add(matches!(operation.core(), Operation::Fail), "a panic");
            let effect = |o: &Operation| !fails(o);
            add(
                fails(operation) && method.operations[..at].iter().any(effect),
                "a failure after an effect",
            );
            add(matches!(operation.core(), Operation::Take(_)), "a number taken from a message");
            if let Some(send) = operation.sent() {
                send_shapes(script, send, method.operations[..at].iter().any(creates), &mut add);
            }
        }
        declarations(method, &mut add);
    }
    found
}

fn send_shapes(script: &Script, send: &Send, created: bool, add: &mut impl FnMut(bool, &'static str)) {
    add(send.to == Whom::Me, "a self-send");
    add(
        send.to == Whom::Me && !script.methods[send.method].guard.is_empty(),
        "a constrained self-send",
    );
    add(send.to == Whom::Argument, "a send to the argument");
    add(send.to == Whom::Argument && send.argument == Whom::Me, "a reply");
    add(send.to == Whom::Field, "a send through a field");
    add(send.to == Whom::Everyone, "a broadcast");
    add(send.to == Whom::Created && created, "a send to a created actor");
    add(
        send.argument == Whom::Created && created,
        "the address of a created actor in a message",
    );
    add(send.argument != Whom::Nobody, "an address in a message");
    add(send.value.is_some(), "a number in a message");
}

fn declarations(method: &Method, add: &mut impl FnMut(bool, &'static str)) {
    let guarded = !method.guard.is_empty();
    add(guarded, "a constraint");
    let numbers = |t: &super::script::Test| t.number;
    add(
        method.guard.first().map(numbers) != method.guard.last().map(numbers),
        "a constraint on two fields",
    );
    add(method.guard.iter().any(|t| t.with == Operand::Value), "a constraint on the message");
    if guarded {
        add(
            true,
            match method.declares {
                Declares::Exactly => "a constraint, declared",
                Declares::NotTheGuard => "a constraint, undeclared, fields declared",
                Declares::All => "a constraint, undeclared, all declared",
                Declares::AllAndTheGuard => "a constraint, declared, all declared",
            },
        );
    }
    let all = matches!(method.declares, Declares::All | Declares::AllAndTheGuard);
    let nothing = touches_nothing(method);
    add(all, "a handler that declares all");
    add(!all && nothing, "a handler that declares nothing");
    add(!all && !nothing, "a handler that declares some fields");
    let adds = |o: &Operation| matches!(o.core(), Operation::Add(..));
    add(!all && method.operations.iter().any(adds), "a handler that accumulates");
    add(method.sends_anything, "a handler that does not declare its sends");
}

/// Which methods are sent at the start or by one that is.
fn reachable(script: &Script) -> Vec<bool> {
    let mut reachable = vec![false; script.methods.len()];
    let mut open: Vec<usize> = script.start.iter().map(|s| s.method).collect();
    while let Some(method) = open.pop() {
        if !std::mem::replace(&mut reachable[method], true) {
            open.extend(script.methods[method].operations.iter().filter_map(|o| o.sent().map(|s| s.method)));
        }
    }
    reachable
}
