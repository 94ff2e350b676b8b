//! What is required of the start.

use crate::common::{class, explored, solver, tests};
use mazurka_abs::model::{Options, open_texts};
use mazurka_abs::requires::Requirement;
use mazurka_symbolic::coverage::Criterion;
use mazurka_symbolic::{Bounds, Target};

fn required(text: &str, requires: &str) -> Result<Target, String> {
    let options = Options::default().main("TestsMain".to_owned()).requires(Requirement {
        method: "C.m".to_owned(),
        text: requires.to_owned(),
    });
    let opened = open_texts([("model.abs", text), ("tests", "module TestsMain; {}")], &options);
    let opened = opened.map_err(|(sources, errors)| errors.render(&sources, false))?;
    Target::method(opened, "C.m")
}

#[test]
fn only_states_that_are_required_are_inputs() {
    let Some(solver) = solver() else { return };
    let text = class(
        "",
        "Int total = 0;",
        "Int m(Int x)",
        "Int r = 0; if (total > 5) { r = 1; } return r;",
    );
    let mut target = required(&text, "total > x && x > 5").expect("a condition over parameters and fields");
    let found = explored(
        &mut target,
        &solver,
        Bounds {
            calls: 0,
            ..Bounds::default()
        },
    );
    assert!(found.forbidden > 0);
    let suite = tests(&mut target, &found, Criterion::Paths);
    assert_eq!(suite.tests.len(), 1, "`total > 5` follows");
    assert_eq!(
        suite.tests[0].inputs,
        [("x".to_owned(), "6".to_owned()), ("this.total".to_owned(), "7".to_owned())]
    );
}

#[test]
fn a_requirement_is_checked_like_the_model() {
    let text = class("", "Int total = 0;", "Int m(Int x)", "return x;");
    let error = required(&text, "total + 1").err().expect("a Bool is wanted");
    assert!(error.contains("Bool"), "{error}");
    let error = required(&text, "missing > 1").err().expect("there is no such field");
    assert!(error.contains("missing"), "{error}");
}
