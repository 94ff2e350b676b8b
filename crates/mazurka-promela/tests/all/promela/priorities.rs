//! Priorities and `enabled`: who waits for whom. The numbers are SPIN's.

use crate::promela::support::{count, holds, sizes};

#[test]
fn a_process_waits_while_one_with_a_higher_priority_can_move() {
    let text = "byte x; active proctype low() { assert(x == 2) } active proctype high() priority 2 { x = 1; x = 2 }";
    assert!(holds(text));
    assert!(!holds(&text.replace("priority 2", "priority 1")));
}

#[test]
fn a_process_that_is_blocked_gives_way() {
    assert!(holds(
        "byte x; active proctype high() priority 9 { x == 1 -> x = 2 } active proctype low() { x = 1; assert(x == 2) }"
    ));
}

#[test]
fn a_higher_priority_interrupts_even_atomic() {
    assert_eq!(
        sizes(
            "byte x; active proctype a() priority 2 { x == 1; x = 5; x == 7 -> skip } active proctype b() { atomic { x = 0; x = 1; x = 2; x = 3 }; x = 7 }"
        ),
        (10, 10)
    );
}

#[test]
fn the_clause_of_a_process_type_is_for_its_active_processes_only() {
    assert!(holds(
        "proctype p() priority 7 { assert(_priority == 1) } proctype q() { assert(_priority == 4 && get_priority(0) == 3) } init priority 3 { run p(); run q() priority 4 }"
    ));
}

#[test]
fn a_priority_of_zero_is_an_error() {
    assert_eq!(
        count("init { set_priority(_pid, 0) }").errors,
        ["1: the priority 0 is not in the range 1 to 255"]
    );
    assert!(holds("init { set_priority(7, 0); assert(get_priority(7) == 0) }"));
}

#[test]
fn enabled_looks_at_another_process() {
    assert!(holds(
        "byte x; active proctype p() { x == 1; x = 2 } active proctype q() { assert(!enabled(0) && !enabled(9)); x = 1; x == 2 }"
    ));
    assert_eq!(
        count("init { enabled(_pid) }").errors,
        ["1: a process asks whether it is enabled itself"]
    );
}
