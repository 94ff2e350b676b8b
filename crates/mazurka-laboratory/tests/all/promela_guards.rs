//! What decides whether a statement can be executed: every algorithm has to know all of it.

use crate::promela_models::read as program;
use mazurka_core::{Algorithm, Checks, Describe, FailureKind, KNOWN, Options, Program, StatefulOptions, Status, stateful_search};
use mazurka_laboratory::{Budget, Claims, compare, enumerate, explore};
use mazurka_promela::{Promela, Run};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Holds every sound algorithm against brute force, and the failures that are found against `expected`.
fn every_algorithm_finds(text: &str, expected: &[FailureKind]) {
    let program = program(text);
    let outcome = |p: &Promela, run: &Run| p.fingerprint(run);
    let truth = enumerate(&program, Budget::default(), outcome).expect("small, and with true footprints");
    for about in KNOWN.iter().filter(|a| a.sound) {
        let name = about.name;
        let mut options = Options::new(Algorithm::parse(name).expect("known"));
        options.keep_going = true;
        let (failures, counts) = if name.starts_with("stateful") {
            let mut search =
                stateful_search(&program, &options, StatefulOptions::default().checks(Checks::Safety)).expect("fits every model");
            while search.advance(10_000) == Status::Running {}
            let outcome = search.outcome();
            (outcome.failures, outcome.failure_counts)
        } else {
            if options.algorithm.fits(program.features()).is_err() {
                continue;
            }
            let mut claims = Claims::of(name).expect("a sound algorithm claims something");
            claims.outcomes &= claims.finals;
            let (seen, found) = explore(&program, &options, outcome).expect("fits");
            if let Err(what) = compare(&truth, &seen, claims) {
                panic!("{name}: {what}\n{text}");
            }
            (found.failures, found.failure_counts)
        };
        for kind in FailureKind::ALL {
            let found = counts[kind as usize] > 0;
            assert_eq!(found, expected.contains(&kind), "{name}: {kind:?} {failures:?}\n{text}");
        }
    }
}

#[test]
fn a_guard_inside_an_atomic_sequence_decides_about_all_alternatives() {
    every_algorithm_finds(
        "byte x;
         active proctype P0() { x = 0 }
         active proctype P1() { if :: skip :: atomic { skip; if :: skip :: (x) fi } fi }",
        &[],
    );
    every_algorithm_finds(
        "byte x, i;
         active proctype P0() { x = 1; x = 0 }
         active proctype P1() { if :: i = 1 :: atomic { skip; if :: skip :: (x) -> assert(false) fi } fi }",
        &[FailureKind::Assertion],
    );
}

#[test]
fn an_index_at_the_start_of_a_d_step_decides_about_all_alternatives() {
    every_algorithm_finds(
        "bit a[2];
         active proctype P0() { a[1] = 1; a[0] = 1 }
         active proctype P1() { byte i; if :: skip :: d_step { a[i] == 0 -> i = 1; assert(a[i] == 0) } fi }",
        &[FailureKind::Assertion],
    );
}

#[test]
fn an_operation_on_a_channel_known_by_a_variable_enables_one_on_the_channel_itself() {
    every_algorithm_finds(
        "chan q = [1] of { byte };
         active proctype P0() { chan k; byte x; k = q; k!1; end1: k?x }
         active proctype P1() { byte y; end2: q?y; assert(false) }",
        &[FailureKind::Assertion],
    );
    every_algorithm_finds(
        "chan q = [1] of { byte }; chan c = [1] of { chan };
         active proctype P0() { chan k; byte x; c!q; c?k; k!1; end1: k?x }
         active proctype P1() { byte y; end2: q?y; assert(false) }",
        &[FailureKind::Assertion],
    );
}

#[test]
fn the_values_sent_decide_whether_a_rendezvous_can_happen() {
    every_algorithm_finds(
        "byte x = 2; chan q = [0] of { byte };
         active proctype P0() { x = 0 }
         active proctype P1() { end1: q?2; assert(false) }
         active proctype P2() { end2: q!x }",
        &[FailureKind::Assertion],
    );
}

#[test]
fn an_index_that_comes_with_the_message_decides_where_the_next_field_goes() {
    every_algorithm_finds(
        "byte a[2]; chan q = [1] of { byte, byte };
         active proctype P0() { byte i; q!1,7; q?i,a[i] }
         active proctype P1() { a[1] = 2; assert(a[1] == 2) }",
        &[FailureKind::Assertion],
    );
}

#[test]
fn a_channel_goes_with_its_process() {
    every_algorithm_finds(
        "chan c = [1] of { chan };
         active proctype P0() { chan k; end1: c?k; end2: k!1 }
         active proctype P1() { chan own = [1] of { byte }; c!own }",
        &[FailureKind::Exception],
    );
}

#[test]
fn a_channel_comes_with_its_process() {
    every_algorithm_finds(
        "proctype Q() { chan own = [1] of { byte }; byte b; end1: own?b; assert(false) }
         proctype P(chan k) { k!1 }
         init { run P(1); run Q() }",
        &[FailureKind::Exception, FailureKind::Assertion],
    );
}

#[test]
fn a_priority_that_is_only_looked_at_is_shared_all_the_same() {
    every_algorithm_finds(
        "chan r = [0] of { bit };
         active proctype P0() { set_priority(1, 5) }
         active proctype P1() { assert(get_priority(1) == 1) }
         active proctype P2() { end: r?_ }",
        &[FailureKind::Assertion],
    );
}

#[test]
fn a_group_that_errors_have_stopped_goes_on_with_a_new_member() {
    every_algorithm_finds(
        "byte y = 1; chan h = [0] of { byte };
         active proctype P0() { run C(_nr_pr) }
         active proctype P1() { chan c; if :: c?eval(((y < 1) -> 0 : y)) :: h!0 fi }
         proctype C(byte v) { chan c; c!0 }",
        &[FailureKind::Exception],
    );
}

#[test]
fn a_process_that_joins_a_group_changes_what_the_group_may_touch() {
    every_algorithm_finds(
        "byte x; chan t = [0] of { byte };
         active proctype P0() { end0: t!0 }
         active proctype P1() { run C(); end1: (x != 2); assert(false) }
         proctype C() { x = 2; t?_ }",
        &[FailureKind::Assertion],
    );
}

#[test]
fn the_number_of_a_new_process_decides_what_can_be_done_within_the_same_sequence() {
    every_algorithm_finds(
        "active proctype P0() { byte i; atomic { i = run C(); if :: skip :: (i != 1); assert(false) fi } }
         active proctype P1() { skip }
         proctype C() { skip }",
        &[FailureKind::Assertion],
    );
}

#[test]
fn a_way_through_a_sequence_that_is_gone_could_have_been_taken_before() {
    let model = "byte y = 1; chan h = [0] of { byte };
         active proctype P0() { atomic { if :: skip :: h!0; y = 0 fi; if :: skip :: (y) fi } }
         active proctype P1() { assert(y); y = 0 }";
    every_algorithm_finds(model, &[]);
    let program = program(model);
    for seed in 0..50 {
        let mut options = Options::new(Algorithm::parse("source").expect("known"));
        options.order = mazurka_core::Order::Random(seed);
        let (_, found) = explore(&program, &options, |p: &Promela, run: &Run| p.fingerprint(run)).expect("fits");
        assert_eq!(found.counts.executions, 5, "order {seed}");
    }
}

/// Whoever sends within a sequence may be received by each of those that wait, not only by the first.
#[test]
fn every_partner_of_a_send_inside_a_sequence_is_met() {
    every_algorithm_finds(
        "chan r = [0] of { byte };
         active proctype A() { atomic { skip; r!1; skip } }
         active proctype B() { end: r?1; assert(false) }
         active proctype C() { end: r?1; endd: skip }",
        &[FailureKind::Assertion],
    );
    let text = "chan r = [0] of { byte }; byte x;
         active proctype A() { atomic { x = 1; r!1; x = 2 } }
         active proctype B() { byte l; end: r?l; x = 7 }
         active proctype C() { byte l; end: r?l; x = 8 }";
    let finals = RefCell::new(BTreeSet::new());
    let naive = Options::new(Algorithm::parse("naive").expect("known"));
    explore(&program(text), &naive, |p: &Promela, run: &Run| {
        finals.borrow_mut().insert(format!("{:?}", p.values(run)));
        p.fingerprint(run)
    })
    .expect("fits");
    assert_eq!(
        finals.into_inner().len(),
        4,
        "either is met, and writes before or after the rest of the sequence"
    );
}

/// A round within a sequence that changes nothing is not gone on with: who writes what it would change decides about it.
#[test]
fn what_a_round_inside_a_sequence_changes_decides_whether_it_is_one() {
    every_algorithm_finds(
        "byte y = 1; byte z;
         active proctype P0() { atomic { skip; do :: y = 0 :: break od } }
         active proctype P1() { y = 0; z = 1 }
         active proctype P2() { y = 2; assert(z == 0 || y != 2) }",
        &[FailureKind::Assertion],
    );
}
