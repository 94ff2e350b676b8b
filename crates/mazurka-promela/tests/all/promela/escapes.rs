//! `unless`: the escape goes before what it guards.

use crate::promela::support::{count, holds};

#[test]
fn an_enabled_escape_is_always_taken() {
    assert!(holds(
        "byte x; init { { x = 1; x = 2; assert(false) } unless { x == 1 -> x = 9 }; assert(x == 9) }"
    ));
}

#[test]
fn without_a_reason_to_escape_the_main_sequence_goes_on() {
    assert!(holds(
        "byte x; init { { x = 1; x = 2 } unless { x == 7 -> assert(false) }; assert(x == 2) }"
    ));
}

#[test]
fn the_outer_escape_goes_before_the_inner_one() {
    assert!(holds(
        "byte x; init { { { x = 1; assert(false) } unless { x == 1 -> assert(false) } } unless { x == 1 -> x = 2 }; assert(x == 2) }"
    ));
}

#[test]
fn an_escape_ends_a_wait() {
    let waits = "byte x; active proctype p() { { x == 5 } unless { x == 1 } } active proctype q() { x = 1 }";
    assert_eq!(count(waits).deadlocks, 0);
}

/// A process that stands at a label before an `unless` stands at the first statement of its main part.
#[test]
fn a_label_before_an_escape_is_where_its_main_part_begins() {
    let seen = |label: &str, main: &str| {
        format!(
            "byte x; active proctype p() {{ skip; {label}: {main} unless {{ x == 2 }} }} \
             active proctype q() {{ if :: p@{label} -> assert(false) :: x = 1 fi }}"
        )
    };
    for main in [
        "{ x == 1 }",
        "{ if :: x == 1 :: x == 3 fi }",
        "{ do :: x == 1 -> break od }",
        "{ atomic { x == 1; skip } }",
        "{ skip; x == 1 }",
    ] {
        assert!(!holds(&seen("here", main)), "{main}");
    }
    assert!(holds("byte x, y; active proctype p() { end1: { x == 1 } unless { y == 1 } }"));
    assert!(holds(
        "byte x, y; active proctype p() { skip; here: { x == 1 } unless { y == 1 } } active proctype q() { p@here; y = 1 }"
    ));
}
