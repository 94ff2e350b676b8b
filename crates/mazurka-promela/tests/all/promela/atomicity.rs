//! `atomic` and `d_step`: no interruption, unless an atomic sequence blocks.

use crate::promela::support::{count, holds, messages, sizes};

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

/// What goes wrong, each once.
fn errors(text: &str) -> Vec<String> {
    let mut errors = count(text).errors;
    errors.dedup();
    errors
}

#[test]
fn so_many_ways_through_a_sequence_that_nobody_could_look_at_them_all_end_at_a_limit() {
    let endless = "1: this sequence did not come to an end within the statements that one step may have";
    // Two to the power of forty ways.
    let ways = errors("byte x; init { atomic { do :: x < 40 -> if :: x++ :: x = x + 1 fi :: else -> break od } }");
    assert_eq!(ways, [endless]);
    // Without an end.
    let ways = errors("int x; init { atomic { do :: x++ :: x-- :: x = 2 * x od } }");
    assert_eq!(ways, [endless]);
    // A state that takes long to copy.
    let large = errors("byte b[60000]; int x; init { atomic { do :: x++ :: x-- od } }");
    assert_eq!(large, [endless]);
}

#[test]
fn looking_through_a_long_channel_counts_for_more_than_one_statement() {
    let fill =
        "chan q = [250] of { int, int, int, int }; int x; init { d_step { do :: x < 250 -> q!x,x,x,x; x++ :: else -> break od; x = 0;";
    let scan = "do :: x < 150000 -> x++; if :: q??[1,1,1,2] :: q??[1,1,1,3] :: q??[1,1,1,4] :: else fi :: else -> break od } }";
    assert_eq!(
        count(&format!("{fill} {scan}")).errors,
        ["1: this sequence did not come to an end within the statements that one step may have"]
    );
    assert!(holds(&format!("{fill} {} ", scan.replace("150000", "1500"))));
}

#[test]
fn what_a_process_could_begin_with_instead_is_listed_beside_a_limit() {
    let found = errors("byte x; init { if :: atomic { do :: x = 1 - x :: x = 1 - x od } :: x = 3; assert(x == 0) fi }");
    assert_eq!(
        found,
        [
            "1: assertion violated",
            "1: this sequence did not come to an end within the statements that one step may have"
        ]
    );
}

#[test]
fn a_choice_among_thousands_of_values_is_within_the_limits() {
    assert!(holds("int x; init { atomic { select(x : 1 .. 5000); assert(x > 0) } }"));
}

#[test]
fn a_round_that_changes_nothing_is_no_way_of_its_own() {
    // Two ways begin with `skip` or with `break`; rounds through `skip` add none.
    assert_eq!(sizes("byte x; init { atomic { x = 1; do :: skip :: break od; x = 2 } }"), (3, 3));
    let two = count("byte x; init { atomic { do :: x = 1 - x :: x == 1 -> break od; assert(x == 0) } }");
    assert_eq!(two.errors, ["1: assertion violated"]);
    // Rounds that pass the control to and fro.
    assert!(holds(
        "chan m = [0] of { bit }; active proctype s() { atomic { do :: m!0; m?_ :: m!1; break od } } active proctype r() { bit b; atomic { do :: m?b; if :: b -> break :: else -> m!0 fi od } }"
    ));
}

#[test]
fn a_round_that_nothing_leads_out_of_ends_at_a_limit_and_what_failed_before_is_told() {
    let endless = "1: this sequence did not come to an end within the statements that one step may have";
    let found = errors("byte x; init { atomic { if :: x = 1; do :: skip od :: x = 2 fi } }");
    assert_eq!(found, [endless]);
    let found = errors("byte x; init { atomic { if :: assert(x == 1); do :: skip od :: do :: x = 1 - x od :: x = 2 fi } }");
    assert_eq!(found, ["1: assertion violated", endless]);
    let found = errors("int x; init { atomic { assert(x == 1); do :: x++ od } }");
    assert_eq!(found, ["1: assertion violated"]);
}

#[test]
fn a_d_step_may_end_a_branch_of_a_sequence() {
    assert!(holds(
        "byte x, y; init { atomic { if :: x == 0; d_step { y = 1; y = 2 } fi }; assert(y == 2) }"
    ));
    assert!(holds(
        "byte x, y; init { atomic { if :: x == 0; d_step { y = 1; y = 2 } fi; x = 3 }; assert(x + y == 5) }"
    ));
    assert!(holds(
        "byte x, y; init { atomic { if :: d_step { x == 0; y = 2 } :: else fi }; assert(y == 2) }"
    ));
    assert!(holds(
        "byte x, y; init { do :: atomic { x < 2; if :: y == 0 -> d_step { y = 1; x++ } :: else -> y = 0 fi } :: x == 2 -> break od; assert(y == 1) }"
    ));
    let escape = "byte x, y; init { atomic { { x = 1; d_step { y = 1; y = 2 } } unless { x == 2; d_step { y = 3; x = 1 } } } }";
    assert!(holds(escape));
    // What leaves it for anywhere else is still refused.
    let out = messages("byte x; init { atomic { if :: d_step { x = 1; goto away } fi; x = 2; away: x = 3 } }");
    assert!(out.contains("a jump out of it"), "{out}");
}

#[test]
fn assertions_within_a_d_step_are_told_apart() {
    let text = "byte x, y;
        active proctype B() { if :: y = 0 :: y = 1 fi; d_step { if :: y == 0 ->
            assert(x == 1) :: else ->
            assert(x == 2) fi } }";
    assert_eq!(count(text).errors, ["3: assertion violated", "4: assertion violated"]);
}
