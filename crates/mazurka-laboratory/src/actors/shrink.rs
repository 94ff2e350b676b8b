//! Making a failing actor program smaller.

use super::script::{Declares, Operation, Script, Whom};

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
        with(&|s| s.start[at].value = 0);
    }
    for at in 0..script.methods.len() {
        if !is_used(script, at) {
            with(&|s| remove_method(s, at));
        }
        with(&|s| s.methods[at].guard.clear());
        with(&|s| {
            s.methods[at].guard.pop();
        });
        with(&|s| s.methods[at].declares = Declares::default());
        with(&|s| s.methods[at].sends_anything = false);
        for operation in 0..script.methods[at].operations.len() {
            with(&|s| {
                s.methods[at].operations.remove(operation);
            });
            with(&|s| {
                if let Operation::If(_, inner) = s.methods[at].operations[operation].clone() {
                    s.methods[at].operations[operation] = *inner;
                }
            });
            with(&|s| {
                if let Operation::Send(send) = s.methods[at].operations[operation].core_mut() {
                    send.value = None;
                }
            });
            with(&|s| {
                if let Operation::Send(send) = s.methods[at].operations[operation].core_mut() {
                    send.argument = Whom::Nobody;
                }
            });
        }
    }
    for at in 0..script.actors.len() {
        with(&|s| s.actors[at].reference = None);
        with(&|s| s.actors[at].numbers = Default::default());
    }
    // Those of class 0 come first and refer to each other only.
    if let Some(at) = script.actors.iter().position(|a| a.class != 0) {
        with(&|s| {
            let changed = &mut s.actors[at];
            changed.class = 0;
            changed.reference = changed.reference.filter(|to| *to <= at);
        });
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
    let mut sent = script.methods.iter().flat_map(|m| &m.operations).filter_map(Operation::sent);
    script.start.iter().any(|s| s.method == method) || sent.any(|s| s.method == method)
}

fn remove_method(script: &mut Script, method: usize) {
    script.methods.remove(method);
    script.start.iter_mut().filter(|s| s.method > method).for_each(|s| s.method -= 1);
    for operation in script.methods.iter_mut().flat_map(|m| &mut m.operations) {
        if let Operation::Send(send) = operation.core_mut()
            && send.method > method
        {
            send.method -= 1;
        }
    }
}
