//! What the tests share.
#![allow(dead_code, reason = "each test file uses a part of it")]

use mazurka_abs::model::{Options, open_texts};
use mazurka_core::Algorithm;
use mazurka_symbolic::coverage::Criterion;
use mazurka_symbolic::explore::{Exploration, Plan, explore};
use mazurka_symbolic::inputs::Inputs;
use mazurka_symbolic::keep::Keep;
use mazurka_symbolic::solver::{Setup, Solver};
use mazurka_symbolic::suite::{Suite, suite};
use mazurka_symbolic::{Bounds, Target};
use std::cell::RefCell;
use std::rc::Rc;

/// A solver, if one is installed; without one a test says so and ends, unless CI wants it.
pub fn solver() -> Option<Rc<RefCell<Solver>>> {
    match Solver::start(&Setup::default()) {
        Ok(solver) => Some(Rc::new(RefCell::new(solver))),
        Err(error) => {
            assert!(std::env::var("CI").is_err(), "{error}");
            eprintln!("skipped: {error}");
            None
        }
    }
}

pub fn target(text: &str, method: &str) -> Target {
    let options = Options::default().main("Tests%".to_owned());
    let texts = [("model.abs", text), ("tests", "module TestsMain; {}")];
    let options = options.main("TestsMain".to_owned());
    let opened = open_texts(texts, &options).unwrap_or_else(|(sources, errors)| panic!("{}", errors.render(&sources, false)));
    Target::method(opened, method).unwrap_or_else(|error| panic!("{error}"))
}

pub fn plan(bounds: Bounds) -> Plan<'static> {
    Plan {
        algorithm: Algorithm::parse("optimal").unwrap_or_else(|error| panic!("{error}")),
        bounds,
        time: None,
        stop: None,
        keep: Keep::Outcomes,
    }
}

pub fn explored(target: &mut Target, solver: &Rc<RefCell<Solver>>, bounds: Bounds) -> Exploration {
    let inputs = Inputs::new(Rc::clone(&target.model));
    explore(target, inputs, solver, &plan(bounds)).unwrap_or_else(|error| panic!("{error}"))
}

pub fn tests(target: &mut Target, exploration: &Exploration, criterion: Criterion) -> Suite {
    let algorithm = Algorithm::parse("optimal").unwrap_or_else(|error| panic!("{error}"));
    suite(target, exploration, criterion, algorithm).unwrap_or_else(|error| panic!("{error}"))
}

/// A class with one method, and what stands before it.
pub fn class(declarations: &str, fields: &str, signature: &str, body: &str) -> String {
    format!("module M;\n{declarations}\ninterface I {{ {signature}; }}\nclass C implements I {{\n{fields}\n{signature} {{ {body} }}\n}}\n")
}

/// What the tests of all paths of `C.m` come to, alone, sorted: `inputs: result`.
pub fn paths(text: &str, bounds: Bounds) -> Option<(Vec<String>, Exploration)> {
    let solver = solver()?;
    let mut target = target(text, "C.m");
    let found = explored(&mut target, &solver, Bounds { calls: 0, ..bounds });
    let suite = tests(&mut target, &found, Criterion::Paths);
    let names = mazurka_symbolic::outcome::Names::of(&target.machine);
    let mut all: Vec<String> = suite
        .tests
        .iter()
        .map(|test| {
            let inputs: Vec<String> = test.inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            format!("{}: {}", inputs.join(", "), names.ended(&test.outcome.calls[0]))
        })
        .collect();
    all.sort();
    Some((all, found))
}
