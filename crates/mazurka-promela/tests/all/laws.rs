//! What Promela models promise the searches, checked on random walks.

use crate::support::{fragments, generator, load, models, read};
use mazurka_core::laws::{Effort, check};
use mazurka_promela::Promela;

/// Says which law is broken, if one is.
fn complaint(name: &str, promela: &Promela, walks: u32, steps: u32) -> Option<String> {
    let effort = Effort::default().walks(walks).steps(steps).seed(1);
    check(promela, &effort)
        .err()
        .map(|broken| format!("{name}: {}", broken.explain(promela)))
}

#[test]
fn every_model_of_the_repository_keeps_them() {
    let mut complaints: Vec<String> = Vec::new();
    for (name, path) in models() {
        complaints.extend(complaint(&name, &load(&path), 3, 40));
    }
    for fragment in fragments::fragments() {
        complaints.extend(complaint(fragment.name, &read(&fragment.text), 5, 30));
    }
    assert!(complaints.is_empty(), "{} models:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn random_models_keep_them() {
    let mut complaints: Vec<String> = Vec::new();
    for seed in 1..=200 {
        let text = generator::model(seed);
        complaints.extend(complaint(&text, &read(&text), 3, 30));
    }
    assert!(complaints.is_empty(), "{} models:\n{}", complaints.len(), complaints[0]);
}

#[test]
fn a_channel_that_is_only_looked_at_by_name_may_be_written_through_a_variable() {
    let model = read(
        "chan q = [1] of { byte }; chan h = [0] of { byte }; chan u;
         active proctype P0() { u!0 }
         active proctype P1() { if :: (q?[1]) :: h!0 :: skip fi; u = q }",
    );
    assert_eq!(complaint("a channel variable", &model, 50, 10), None);
}

#[test]
fn a_receive_that_fails_stores_nothing() {
    for text in [
        "short s; active proctype P0() { chan c; c?s }",
        "short s; chan q = [1] of { byte }; active proctype P0() { q!1; q?eval(1 / s) } active proctype P1() { q?s; s = 1 }",
    ] {
        assert_eq!(complaint(text, &read(text), 50, 10), None);
    }
}

#[test]
fn a_channel_may_be_named_and_used_in_one_step() {
    let model = read(
        "chan q = [1] of { byte };
         active proctype P0() { chan c; atomic { c = q; c?eval(1) } }",
    );
    assert_eq!(complaint("a channel variable", &model, 50, 10), None);
}

#[test]
fn what_is_assigned_inside_of_a_sequence_may_decide_which_ways_there_are() {
    for text in [
        "byte x; active proctype P0() { byte l; atomic { l = x; if :: (l) :: skip fi } } active proctype P1() { x = 1 }",
        "byte x; byte y = 1;
         active proctype P0() provided (y == 1) { byte i; atomic { y = x; if :: i = 1 :: i = 2 fi } }
         active proctype P1() { x = 1 }",
        "byte x; chan h = [0] of { byte };
         active proctype P0() { byte l; atomic { l = x; h!l } }
         active proctype P1() { end1: h?1; assert(false) }
         active proctype P2() { x = 1 }",
        "byte x; byte a[2]; chan h = [0] of { byte };
         active proctype P0() { h?a[x % 2] }
         active proctype P1() { atomic { skip; h!1; if :: (a[0]) :: skip fi } }
         active proctype P2() { x = 1 }",
    ] {
        assert_eq!(complaint(text, &read(text), 50, 10), None);
    }
}

#[test]
fn an_offer_that_goes_wrong_stays_the_same_when_somebody_begins_to_listen() {
    let model = read(
        "byte x; byte a[2]; chan h = [0] of { byte };
         active proctype P0() { run D() }
         active [2] proctype P1() { x = _pid; h!a[x] }
         proctype D() { byte i; h?i }",
    );
    assert_eq!(complaint("an index out of range", &model, 100, 10), None);
}

#[test]
fn a_sequence_that_begins_with_a_meeting_may_branch_later() {
    let text = "byte x; byte a[2]; chan h = [0] of { byte };
         active proctype P0() { h?a[x % 2] }
         active proctype P1() { atomic { h!1; if :: (a[0]) :: skip fi } }
         active proctype P2() { x = 1 }";
    assert_eq!(complaint(text, &read(text), 50, 10), None);
}

#[test]
fn the_number_of_a_new_process_may_decide_what_can_be_done_within_the_same_sequence() {
    let model = read(
        "active proctype P0() { byte i; atomic { i = run C(); if :: skip :: (i != 1); assert(false) fi } }
         active proctype P1() { skip }
         proctype C() { skip }",
    );
    assert_eq!(complaint("run inside atomic", &model, 40, 10), None);
}

#[test]
fn a_new_process_brings_locals_that_others_look_at() {
    let model = read(
        "proctype ch(byte k) { byte loc = 3; skip }
         init { pid p; p = run ch(3); ch[p]:loc == 3 }",
    );
    assert_eq!(complaint("run of a process that others look into", &model, 10, 10), None);
}

#[test]
fn a_channel_that_a_started_process_brings_may_be_any_to_others() {
    let text = "byte y = 1;
         active proctype P0() { chan c; c?_ }
         active proctype P1() { run C(y) }
         proctype C(byte v) { bit l; chan own = [1] of { byte }; own?l }";
    assert_eq!(complaint(text, &read(text), 50, 10), None);
}

#[test]
fn who_brings_a_channel_within_a_sequence_does_not_look_at_channels() {
    let text = "byte y = 1; chan k = [1] of { chan };
         active proctype P0() { atomic { run C(y); if :: skip :: skip fi } }
         active proctype P1() { bit l; chan own = [1] of { byte }; own?l }
         proctype C(byte v) { chan own = [1] of { byte }; k!own }";
    assert_eq!(complaint(text, &read(text), 50, 10), None);
}

#[test]
fn all_that_started_processes_do_was_in_the_future_of_who_started_them() {
    let others = "byte x, a[2]; chan q = [1] of { byte }; chan u; chan h = [0] of { byte };
         active proctype A() { byte i; chan c; if :: u = q; u!1 :: c?i :: a[x] = 1 :: x = 1 fi }
         active proctype B() { if :: _nr_pr > 3 :: q?[1] :: len(u) > 0 :: x == 1 fi }";
    for child in [
        "chan own = [1] of { byte }; own!1; own?_",
        "chan own = [1] of { chan }; chan got; own!u; own?got; got?_",
        "chan own = [1] of { byte }; u = own; len(own) == 1",
        "chan own = [0] of { byte }; own!1",
        "byte i = x; a[i] = 1; a[_pid % 2] = 2",
        "byte i; { i = 1; q!i } unless { x == 1; q?i }",
        "atomic { x = 2; if :: q?_ :: a[1] == 0 fi; x = 3 }",
        "byte i; d_step { q?[1] -> q?i; a[i % 2] = i }",
        "h!1",
        "h?x",
        "byte i; if :: h?i; x = i :: u?i :: else -> x = 2 fi",
        "timeout; x = 4",
        "run G(); x = 5",
        "assert(A[0]:i == 0); B[1]@here",
        "printf(\"%d\", a[x])",
    ] {
        let grandchild = "proctype G() { byte i; chan own = [1] of { byte }; if :: own?i :: u?i :: h?i :: x = 6 fi }";
        let seen = others.replace("if :: _nr_pr", "here: if :: _nr_pr");
        let text = format!("{seen} {grandchild} proctype C() {{ {child} }} active proctype P() {{ if :: run C() :: x = 7; run C() fi }}");
        assert_eq!(complaint(&text, &read(&text), 40, 16), None);
    }
    let ranked = "byte x; proctype C() priority 3 { set_priority(_pid, 1); x = get_priority(_pid) }
         active proctype P() priority 2 { run C() priority 4; x = 1 }
         active proctype Q() { x == 1; x = 2 }
         active proctype R() provided (x < 2) { run C(); x = 3 }";
    assert_eq!(complaint(ranked, &read(ranked), 40, 16), None);
}
