//! Choices, loops, jumps and labels: which points of control are states is as in SPIN.

use crate::promela::support::{count, holds, sizes};

#[test]
fn jumps_take_no_step_except_as_a_guard() {
    assert_eq!(sizes("init { goto l; skip; l: skip }"), (3, 3));
    assert_eq!(sizes("byte x; init { if :: goto l :: x = 1 fi; x = 2; l: skip }"), (8, 8));
}

#[test]
fn breaks_leave_the_innermost_loop() {
    assert!(holds(
        "byte n; init { do :: n < 3 -> do :: n++ -> break od :: else -> break od; assert(n == 3) }"
    ));
}

#[test]
fn else_needs_all_others_to_be_blocked() {
    assert!(holds(
        "byte x = 1; init { if :: x == 2 -> assert(false) :: else -> assert(x == 1) fi }"
    ));
    assert_eq!(count("byte x = 1; init { if :: x == 2 :: x == 3 fi }").deadlocks, 1);
}

#[test]
fn counting_loops_include_both_ends() {
    assert!(holds(
        "byte i, n; init { for (i : 2 .. 4) { n = n + i }; assert(n == 9 && i == 5) }"
    ));
    assert!(holds(
        "byte a[3]; byte i; init { for (i in a) { a[i] = i + 1 }; assert(a[0] + a[1] + a[2] == 6) }"
    ));
}

#[test]
fn select_chooses_every_value() {
    let chosen = count("byte i; init { select(i : 3 .. 6); assert(i >= 3 && i <= 6) }");
    assert_eq!((chosen.states, chosen.transitions, chosen.errors.len()), (13, 13, 0));
    let variable = count("byte i, n = 2; init { select(i : 0 .. n) }");
    assert_eq!((variable.states, variable.errors.len()), (12, 0));
}

#[test]
fn end_labels_allow_waiting() {
    assert_eq!(count("byte x; init { x == 1 }").deadlocks, 1);
    assert_eq!(count("byte x; init { end: x == 1 }").deadlocks, 0);
    assert_eq!(count("byte x; init { end_of_day: do :: x == 1 -> x = 0 od }").deadlocks, 0);
}

#[test]
fn timeout_is_for_when_nothing_else_can_move() {
    assert!(holds(
        "byte x; active proctype p() { x = 1; x = 2 } active proctype q() { timeout; assert(x == 2) }"
    ));
}

#[test]
fn a_process_moves_only_while_its_provided_clause_holds() {
    assert!(holds(
        "bool open; byte x; active proctype p() provided (open) { assert(open); x = 1 } active proctype q() { x = 3; open = true }"
    ));
    assert_eq!(count("bool open; active proctype p() provided (open) { skip }").deadlocks, 1);
}

#[test]
fn the_end_of_a_line_separates_statements() {
    let lines = "byte x\nchan q = [2] of { byte, byte }\ninit {\n  byte y\n  x = 1\n  q!x,2\n  (x == 1)\n  if\n  :: x > 0\n     y = x\n  :: else\n  fi\n  -x == 0 - y\n  assert(x ==\n    y)\n}";
    assert!(holds(lines));
}

#[test]
fn a_skip_is_a_step_unless_it_follows_another_statement_without_effect() {
    let option = |statements: &str| sizes(&format!("byte x; init {{ if :: x = 1; {statements}; x = 2 fi }}"));
    assert_eq!(option("skip"), option("x = 7"));
    assert_eq!(option("skip; skip"), option("x = 7"));
    assert_eq!(option("printf(\"a\"); printf(\"b\")"), option("x = 7; x = 8"));
}
