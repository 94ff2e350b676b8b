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
