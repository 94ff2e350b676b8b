//! What goes wrong when a model runs, as SPIN's verifier would report it.

use crate::promela::support::{count, program};
use crate::support::{messages, search};
use mazurka_core::StatefulOptions;

fn error(text: &str) -> String {
    let errors = count(text).errors;
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].clone()
}

#[test]
fn each_error_names_its_statement() {
    insta::assert_snapshot!(
        [
            "byte x; init { x = 1;\n assert(x == 2) }",
            "byte a[3]; byte i = 3; init { skip;\n a[i] = 1 }",
            "byte x; init {\n x = 4 / x }",
            "chan c; init {\n c!1 }",
            "chan m = [0] of { byte }; chan c; init { c = m;\n if :: c?[1] :: skip fi }",
            "chan q = [1] of { byte, byte }; chan c; init { c = q;\n c!1 }",
            "byte x = 9; chan q[2] = [1] of { byte }; init {\n q[x]!1 }",
        ]
        .map(error)
        .join("\n")
    );
}

#[test]
fn after_a_failed_assertion_the_process_goes_on() {
    let counts = count("byte x; init { assert(x == 1); x = 2; assert(x == 3) }");
    assert_eq!((counts.errors.len(), counts.states), (2, 5));
}

#[test]
fn after_another_error_only_its_process_stops() {
    let counts = count("byte a[2], i = 2, x; active proctype p() { a[i] = 1; x = 9 } active proctype q() { x = 1; x = 2 }");
    assert_eq!(
        (counts.deadlocks, counts.errors.iter().filter(|e| e.contains("index")).count()),
        (0, counts.errors.len())
    );
}

#[test]
fn what_goes_wrong_in_a_first_value_is_one_failure_at_its_declaration() {
    let promela = program("byte z;\nactive proctype p() { byte l = 1 / z; l = 2 }");
    for algorithm in ["stateful", "stateful+source"] {
        let (outcome, _) = search(&promela, algorithm, StatefulOptions::default(), |o| o.keep_going = true);
        assert_eq!(messages(&outcome).len(), 1, "{:?}", outcome.failures);
        let failure = &outcome.failures[0].failure;
        assert_eq!(failure.message, "division by zero: l = 1 / z");
        assert_eq!(failure.at.as_ref().map(|at| (at.line, at.column)), Some((2, 28)));
        assert_eq!(outcome.counts.deadlocks, 0, "what could not start does not wait");
    }
}
