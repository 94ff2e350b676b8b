//! What SPIN's verifier overlooks when it enters a `d_step`.
//!
//! `pan` enters a `d_step` that begins with a choice if one of the conditions, sends and receives that alternatives begin with can be taken. It
//! does not ask alternatives that begin with an assignment or an assertion, which always can, unless there are no others. In `pan.m`, the
//! entrance to `d_step { if :: l = 2 :: x > 1 fi }` is `if (!((x>1))) continue;`. SPIN's simulator does take the alternative, and so do we.

use super::runner::{self, Ends};
use crate::promela_models::{load, search};
use mazurka_core::StatefulOptions;
use mazurka_laboratory::promela::{Body, Ex, Model, Proc, Stmt};

/// Lets every alternative that `pan` would overlook begin with `skip`, a condition, which changes nothing else.
pub fn with_conditions_first(model: &mut Model) {
    let started = [&mut model.child, &mut model.listener];
    for body in model.processes.iter_mut().map(|p| &mut p.body).chain(started) {
        body.iter_mut().for_each(look_for_sequences);
    }
}

fn look_for_sequences(stmt: &mut Stmt) {
    if let Stmt::Label(_, inner) = stmt {
        look_for_sequences(inner);
    }
    if let Stmt::DStep(body) = stmt {
        enter(body);
    }
    for inner in stmt.bodies_mut() {
        inner.iter_mut().for_each(look_for_sequences);
    }
}

/// What a `d_step` begins with.
fn enter(body: &mut Body) {
    match body.first_mut().map(bare) {
        Some(Stmt::If(options) | Stmt::Do(options)) => options.iter_mut().for_each(alternative),
        Some(Stmt::Atomic(inner) | Stmt::DStep(inner)) => enter(inner),
        _ => {}
    }
}

fn alternative(option: &mut Body) {
    match option.first_mut().map(bare) {
        Some(Stmt::If(_) | Stmt::Do(_) | Stmt::Atomic(_) | Stmt::DStep(_)) => enter(option),
        Some(Stmt::Condition(_) | Stmt::Send(..) | Stmt::Receive(..) | Stmt::Else | Stmt::Skip) => {}
        _ => option.insert(0, Stmt::Skip),
    }
}

fn bare(stmt: &mut Stmt) -> &mut Stmt {
    match stmt {
        Stmt::Label(_, inner) => bare(inner),
        other => other,
    }
}

/// A process whose `d_step` begins with this choice, after a step that makes a lost way a deadlock. The second choice fails if none fits.
fn beginning_with(choice: &str) -> String {
    format!(
        "byte x; chan w = [2] of {{ byte, bit }};\n\
         active proctype P0() {{ byte l; l = 0; d_step {{ {choice}; if :: l == 2 :: l == 0 fi }} }}\n"
    )
}

#[test]
fn the_verifier_overlooks_alternatives_of_a_d_step_that_never_block() {
    if !runner::is_installed() {
        return;
    }
    let ours_and_theirs = |choice: &str| {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("model.pml");
        std::fs::write(&path, beginning_with(choice)).expect("a file");
        let theirs = runner::compile(&path, directory.path()).and_then(|v| v.run(Ends::Checked));
        let (ours, report) = search(&load(&path), "stateful", StatefulOptions::default(), |_| {});
        let theirs = theirs.expect("SPIN takes the model");
        let same = ours.failures.is_empty() == theirs.error.is_none();
        let simulated = runner::simulate(&path, directory.path()).expect("SPIN runs the model");
        assert!(ours.failures.is_empty(), "{choice}: an alternative can be taken");
        assert!(!simulated.contains("timeout"), "{choice}: SPIN's simulator is stuck: {simulated}");
        (
            same && (report.stored, report.transitions) == (theirs.stored, theirs.transitions),
            theirs.error,
        )
    };
    for choice in [
        "if :: l = 2 :: l = x :: w??x,l fi",
        "if :: l = 2 :: x > 1 fi",
        "if :: assert(l == 0) :: x > 1 fi",
        "do :: l = 2; break :: x > 1; break od",
        "if :: if :: l = 2 :: x > 2 fi :: x > 1 fi",
    ] {
        let (same, error) = ours_and_theirs(choice);
        assert!(!same, "{choice}: SPIN has learned it; with_conditions_first is needed no longer");
        assert!(error.is_some_and(|e| e.starts_with("invalid end state")), "{choice}");
    }
    for choice in [
        "if :: skip; l = 2 :: skip; l = x :: w??x,l fi",
        "if :: skip; l = 2 :: x > 1 fi",
        "if :: skip; assert(l == 0) :: x > 1 fi",
        "do :: skip; l = 2; break :: x > 1; break od",
        "if :: if :: skip; l = 2 :: x > 2 fi :: x > 1 fi",
        "if :: l = 2 :: l = x fi",
        "if :: l = 2 :: else fi",
        "l = 2",
    ] {
        assert_eq!(ours_and_theirs(choice), (true, None), "{choice}");
    }
}

#[test]
fn only_what_would_be_overlooked_is_changed() {
    let number = Ex::Number;
    let set = || Stmt::Assign(Ex::Name("x"), number(1));
    let wait = || Stmt::Condition(number(1));
    let model = |body| {
        let mut model = Model::default();
        model.processes.push(Proc {
            copies: 1,
            provided: None,
            body,
        });
        model
    };
    let choice = |first: Body| Stmt::If(vec![first, vec![wait()]]);
    let within = |body: Body| vec![Stmt::Atomic(vec![set(), Stmt::Label("at_a", Box::new(Stmt::DStep(body)))])];
    let mut changed = model(within(vec![
        Stmt::Label("at_b", Box::new(choice(vec![set()]))),
        choice(vec![set()]),
    ]));
    with_conditions_first(&mut changed);
    let first = Stmt::Label("at_b", Box::new(choice(vec![Stmt::Skip, set()])));
    assert_eq!(changed, model(within(vec![first, choice(vec![set()])])));
    let mut kept = model(vec![choice(vec![set()]), Stmt::DStep(vec![set(), choice(vec![set()])])]);
    let before = kept.clone();
    with_conditions_first(&mut kept);
    assert_eq!(kept, before);
}
