//! Making a failing actor program smaller.

use super::script::{Operation, Script};

/// The smallest program found by leaving out one thing after the other while `fails` holds.
pub fn shrink(script: &Script, mut fails: impl FnMut(&Script) -> bool) -> Script {
    let mut best = script.clone();
    while let Some(smaller) = smaller(&best).into_iter().find(|s| fails(s)) {
        best = smaller;
    }
    best
}

/// Every program with one thing less.
fn smaller(script: &Script) -> Vec<Script> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut Script)| {
        let mut changed = script.clone();
        change(&mut changed);
        if changed != *script {
            all.push(changed);
        }
    };
    for at in 0..script.start.len() {
        with(&|s| {
            s.start.remove(at);
        });
        with(&|s| s.start[at].argument = None);
    }
    for at in 0..script.methods.len() {
        if !is_used(script, at) {
            with(&|s| remove_method(s, at));
        }
        with(&|s| s.methods[at].guard = None);
        for operation in 0..script.methods[at].operations.len() {
            with(&|s| {
                s.methods[at].operations.remove(operation);
            });
            with(&|s| {
                if let Operation::If(_, inner) = s.methods[at].operations[operation].clone() {
                    s.methods[at].operations[operation] = *inner;
                }
            });
        }
    }
    for at in 0..script.actors.len() {
        with(&|s| s.actors[at].reference = None);
        with(&|s| s.actors[at].numbers = Default::default());
    }
    let last = script.actors.len().saturating_sub(1);
    let referred = script.start.iter().any(|s| s.to == last || s.argument == Some(last));
    if last > 0 && !referred && script.actors.iter().all(|a| a.reference != Some(last)) {
        with(&|s| {
            s.actors.pop();
        });
    }
    all
}

fn is_used(script: &Script, method: usize) -> bool {
    let mut used = script.start.iter().any(|s| s.method == method);
    for operation in script.methods.iter().flat_map(|m| &m.operations) {
        used |= sent(operation) == Some(method);
    }
    used
}

fn sent(operation: &Operation) -> Option<usize> {
    match operation {
        Operation::Send(_, method, _) => Some(*method),
        Operation::If(_, inner) => sent(inner),
        _ => None,
    }
}

fn remove_method(script: &mut Script, method: usize) {
    fn renumber(operation: &mut Operation, removed: usize) {
        match operation {
            Operation::Send(_, method, _) if *method > removed => *method -= 1,
            Operation::If(_, inner) => renumber(inner, removed),
            _ => {}
        }
    }
    script.methods.remove(method);
    script.start.iter_mut().filter(|s| s.method > method).for_each(|s| s.method -= 1);
    for operation in script.methods.iter_mut().flat_map(|m| &mut m.operations) {
        renumber(operation, method);
    }
}
