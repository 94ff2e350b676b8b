//! `atomic` and `d_step`: no interruption, unless an atomic sequence blocks.

use crate::promela::support::{count, holds, sizes};

#[test]
fn states_inside_are_not_stored() {
    assert_eq!(sizes("byte x; init { x = 1; x = 2; x = 3 }"), (5, 5));
    assert_eq!(sizes("byte x; init { atomic { x = 1; x = 2; x = 3 } }"), (3, 3));
    assert_eq!(sizes("byte x; init { d_step { x = 1; x = 2; x = 3 } }"), (3, 3));
}

#[test]
fn nobody_sees_the_middle() {
    assert!(holds(
        "byte x, y; active [2] proctype p() { atomic { x++; y++ } } active proctype q() { assert(x == y) }"
    ));
}

#[test]
fn an_atomic_sequence_that_blocks_can_be_interrupted() {
    let blocks = "byte x; active proctype p() { atomic { x = 1; x == 2; x = 3 } } active proctype q() { x == 1; x = 2 }";
    assert!(holds(blocks));
    let steps = count(blocks);
    assert_eq!((steps.states, steps.transitions), (8, 9));
}

#[test]
fn every_way_through_an_atomic_choice_is_a_step() {
    assert_eq!(
        sizes("byte x; init { atomic { if :: x = 1 :: x = 2 :: x = 3 fi; x = x * 2 } }"),
        (7, 7)
    );
}

#[test]
fn a_d_step_takes_the_first_option_that_it_can() {
    assert!(holds(
        "byte x; init { d_step { if :: x == 5 -> x = 1 :: x == 0 -> x = 2 :: true -> x = 3 fi }; assert(x == 2) }"
    ));
}

#[test]
fn a_d_step_that_blocks_is_an_error() {
    let blocked = count("byte x; init { d_step { x = 1; x == 2 } }");
    assert_eq!(blocked.errors, ["1: a statement inside of `d_step` blocks"]);
}

#[test]
fn control_passes_to_the_receiver_of_an_atomic_rendezvous() {
    assert!(holds(
        "chan m = [0] of { bit }; byte x; active proctype s() { atomic { m!1; x = 1 } } active proctype r() { atomic { m?_; assert(x == 0); x = 2; assert(x == 2) } }"
    ));
}

#[test]
fn endless_sequences_end_at_a_limit() {
    let endless = count("byte x; init { atomic { do :: x = 1 - x od } }");
    assert_eq!(
        endless.errors,
        ["1: this sequence did not come to an end within the statements that one step may have"]
    );
    let endless = count("byte x; init { d_step { do :: x = 1 - x od } }");
    assert_eq!(
        endless.errors,
        ["1: this sequence did not come to an end within the statements that one step may have"]
    );
}
