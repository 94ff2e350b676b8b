//! Channels: order, sorting, selection, probes, rendezvous.

use crate::promela::support::{count, holds, sizes};

fn fine(text: &str) {
    assert!(holds(text), "{text}: {:?}", count(text));
}

#[test]
fn messages_come_in_order() {
    fine(
        "chan q = [3] of { byte }; init { byte x; q!1; q!2; q?x; assert(x == 1); q!3; q?x; assert(x == 2); q?x; assert(x == 3 && len(q) == 0) }",
    );
}

#[test]
fn sorted_sends_insert_and_random_receives_select() {
    fine(
        "chan q = [4] of { byte, byte }; init { byte x, y; q!!3,1; q!!1,9; q!!3,0; q!!2,5; q?x,y; assert(x == 1); q??3,y; assert(y == 0); q?x,y; assert(x == 2); q?x(y); assert(x == 3 && y == 1) }",
    );
}

#[test]
fn copies_and_polls_leave_the_message() {
    fine(
        "chan q = [2] of { byte, bit }; init { byte x; q!7,1; q?<x,_>; assert(x == 7 && len(q) == 1 && q?[7,_] && !q?[8,_] && q??[eval(x),1]); q??<eval(x),_>; assert(nempty(q) && nfull(q)); q!1,0; assert(full(q) && !empty(q)) }",
    );
}

#[test]
fn constants_and_eval_must_match() {
    let blocked = count("chan q = [1] of { byte }; byte x = 2; init { q!1; q?eval(x) }");
    assert_eq!(blocked.deadlocks, 1);
    fine(
        "mtype = { ping, pong }; chan q = [2] of { mtype, byte }; init { byte n; q!ping(4); if :: q?pong(n) -> assert(false) :: q?ping(n) -> assert(n == 4) fi }",
    );
}

#[test]
fn fields_keep_what_their_types_keep() {
    fine("chan q = [1] of { bit, short }; init { int a, b; q!3,70000; q?a,b; assert(a == 1 && b == 70000 - 65536) }");
}

#[test]
fn a_rendezvous_is_one_step_of_both() {
    assert_eq!(
        sizes("chan m = [0] of { byte }; active proctype s() { m!5 } active proctype r() { byte x; m?x; assert(x == 5) }"),
        (5, 5)
    );
}

#[test]
fn else_is_for_when_nobody_receives() {
    let model = |receiver: &str| {
        count(&format!(
            "chan m = [0] of {{ bit }}; byte g; active proctype s() {{ if :: m!1 -> g = 1 :: else -> g = 2 fi }} {receiver}"
        ))
    };
    assert_eq!(model("active proctype r() { m?_; g = 3 }").states, 11);
    assert_eq!(model("active proctype r() { m?0; g = 3 }").deadlocks, 1);
}

#[test]
fn channels_travel_in_channels() {
    fine(
        "chan a = [1] of { chan }; chan b = [1] of { byte }; active proctype p() { a!b; byte x; b?x; assert(x == 9) } active proctype q() { chan c; a?c; c!9 }",
    );
}

#[test]
fn channel_arrays_are_separate_channels() {
    fine("chan q[2] = [1] of { byte }; init { byte x; q[1]!4; assert(empty(q[0]) && full(q[1])); q[1]?x; assert(x == 4) }");
}

#[test]
fn a_loop_over_a_channel_sees_every_message_and_keeps_it() {
    fine(
        "typedef M { byte v }; chan q = [3] of { M }; byte sum; init { M m; m.v = 2; q!m; m.v = 5; q!m; for (m in q) { sum = sum + m.v }; assert(sum == 7 && len(q) == 2) }",
    );
}

#[test]
fn the_number_of_a_channel_may_travel_in_a_byte() {
    assert!(holds("chan q = [1] of { byte }; byte b; init { b = q; b!1; q?1 }"));
}
