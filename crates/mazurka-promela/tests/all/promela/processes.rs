//! Births, deaths, pids and parameters.

use crate::promela::support::{count, holds, program, sizes};
use mazurka_core::{Algorithm, Limit, Options, Program, Status, Unobserved, Verdict, search};

#[test]
fn pids_count_from_zero_in_the_order_of_the_text() {
    assert!(holds(
        "active [2] proctype p() { assert(_pid < 2) } init { assert(_pid == 2 && _nr_pr <= 3) }"
    ));
}

#[test]
fn run_gives_the_pid_and_passes_values() {
    assert!(holds(
        "byte x; proctype p(byte a; short b) { assert(a == 4 && b == -5 && _pid == 1); x = 1 } init { pid n; n = run p(260, -5); assert(n == 1); x == 1 }"
    ));
}

#[test]
fn a_process_dies_only_after_the_younger_ones() {
    assert_eq!(sizes("active [2] proctype p() { skip }"), (7, 9));
}

#[test]
fn pids_are_used_again() {
    assert!(holds(
        "byte done; proctype p() { done = _pid } init { run p(); done == 1 && _nr_pr == 1; done = 0; run p(); done == 1 }"
    ));
}

#[test]
fn first_values_are_set_at_birth_from_parameters_and_globals() {
    assert!(holds(
        "byte g = 2; proctype p(byte n) { byte a = n + g; byte b = a * 2; assert(a == 5 && b == 10) } init { run p(3); g = 7 }"
    ));
}

#[test]
fn channels_die_with_their_process() {
    let errors = count(
        "chan out = [1] of { chan }; proctype p() { chan c = [1] of { byte }; out!c } init { chan c; run p(); out?c; _nr_pr == 1; c!1 }",
    )
    .errors;
    assert_eq!(errors, ["1: the channel does not exist any more"]);
}

#[test]
fn there_can_be_too_many_processes() {
    let errors = count("proctype p() { end: false } init { do :: run p() od }").errors;
    assert_eq!(errors, ["1: more than 255 processes"]);
}

#[test]
fn more_processes_or_channels_than_the_tool_has_room_for_are_no_failure_of_the_model() {
    for text in [
        "proctype p() { end: false } init { do :: run p() od }",
        "proctype p() { chan a[200] = [1] of { byte }; end: false } init { run p(); run p() }",
    ] {
        let promela = program(text);
        let mut options = Options::new(Algorithm::parse("optimal").expect("an algorithm"));
        options.keep_going = true;
        let mut search = search(&promela, &options, Unobserved).expect("a search");
        while search.advance(1_000) == Status::Running {}
        let outcome = search.outcome();
        assert_eq!((outcome.verdict, outcome.limit), (Verdict::Incomplete, Some(Limit::Step)), "{text}");
    }
}

#[test]
fn parameters_may_end_with_a_separator() {
    assert!(holds(
        "proctype p(byte x; byte y;) { assert(x == 1 && y == 2) } init { run p(1, 2) }"
    ));
}

#[test]
fn a_model_without_loops_ends_and_one_that_goes_round_does_not() {
    let ends = |text: &str| program(text).features().terminating;
    assert!(ends(
        "proctype p(byte n) { if :: n > 0 -> run p(n - 1) :: else fi } init { run p(3); run p(3) }"
    ));
    assert!(ends("byte x; init { do :: x < 3 -> x++ :: else -> break od }"));
    assert!(!ends("byte x; init { do :: x = 1 - x od }"));
    assert!(!ends("byte x; proctype p() { do :: x = 1 - x od } init { run p() }"));
}
