//! Solvers that do not do what they should, and both that are known.

use crate::common::{class, explored, target};
use mazurka_symbolic::Bounds;
use mazurka_symbolic::bounds::Cut;
use mazurka_symbolic::solver::{Setup, Solver, SolverError};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

fn started(command: &str) -> Result<Solver, SolverError> {
    Solver::start(&Setup {
        command: Some(command.to_owned()),
        ..Setup::default()
    })
}

#[test]
fn a_solver_that_is_not_there_is_named() {
    let error = started("/nowhere/z3").err().expect("it is not there");
    assert!(
        error.to_string().starts_with("the solver `/nowhere/z3` cannot be started"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_solver_that_ends_is_no_answer() {
    assert!(matches!(started("true").err(), Some(SolverError::Died(_))));
    let error = started("echo").err().expect("it says something else");
    assert!(matches!(error, SolverError::Strange(_) | SolverError::Died(_)), "{error}");
}

#[test]
fn both_solvers_find_the_same_classes() {
    let text = class(
        "",
        "Int total = 0;",
        "Bool m(Int x, String s, Rat r)",
        "Bool ok = False; if (x > total && r * 2 == x) { ok = s == \"go\" || x % 3 == 1; } return ok;",
    );
    let mut counts = Vec::new();
    for command in ["z3", "cvc5"] {
        let Ok(solver) = started(command) else { continue };
        let solver = Rc::new(RefCell::new(solver));
        let found = explored(
            &mut target(&text, "C.m"),
            &solver,
            Bounds {
                calls: 0,
                ..Bounds::default()
            },
        );
        assert!(found.cuts.is_empty(), "{command}: {:?}", found.cuts);
        counts.push(found.classes.len());
    }
    counts.dedup();
    assert!(counts.len() <= 1, "{counts:?}");
}

#[test]
fn unknown_is_never_taken_for_impossible() {
    // Whether there are such numbers is beyond solvers, at least within a moment.
    let text = class(
        "",
        "",
        "Bool m(Int x, Int y, Int z)",
        "return x * x * x + y * y * y + z * z * z == 42;",
    );
    let setup = Setup {
        time: Duration::from_millis(40),
        ..Setup::default()
    };
    let Ok(solver) = Solver::start(&setup) else { return };
    let solver = Rc::new(RefCell::new(solver));
    let found = explored(
        &mut target(&text, "C.m"),
        &solver,
        Bounds {
            calls: 0,
            ..Bounds::default()
        },
    );
    assert!(found.queries.unknown > 0);
    assert!(found.cuts.contains(&Cut::Unknown), "{:?}", found.cuts);
}
