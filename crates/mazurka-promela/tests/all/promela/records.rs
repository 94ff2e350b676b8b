//! `typedef`: nested records, arrays of them, channels in them.

use crate::promela::support::holds;

#[test]
fn fields_are_separate_variables() {
    assert!(holds(
        "typedef P { byte x; short y[2] } typedef R { P p; P q[2]; byte z = 4 } R r; init { r.p.x = 1; r.q[1].y[0] = -2; assert(r.p.x == 1 && r.q[1].y[0] == -2 && r.q[0].y[0] == 0 && r.z == 4) }"
    ));
}

#[test]
fn records_travel_field_by_field() {
    assert!(holds(
        "typedef P { byte x; byte y[2] }; chan q = [1] of { bit, P }; init { P a, b; a.x = 3; a.y[1] = 8; q!1,a; q?_,b; assert(b.x == 3 && b.y[0] == 0 && b.y[1] == 8) }"
    ));
}

#[test]
fn records_can_be_parameters() {
    assert!(holds(
        "typedef P { byte x; byte y }; proctype p(byte a; P r) { assert(a == 1 && r.x == 2 && r.y == 3) } init { P r; r.x = 2; r.y = 3; run p(1, r) }"
    ));
}

#[test]
fn every_record_has_its_own_channel() {
    assert!(holds(
        "typedef L { chan c = [1] of { byte } }; L a[2]; init { byte x; a[0].c!1; a[1].c!2; a[0].c?x; assert(x == 1 && full(a[1].c)) }"
    ));
}

#[test]
fn bits_in_records_are_bits() {
    assert!(holds(
        "typedef F { bit b; bit a[2] }; F f; init { f.b = 2; f.a[0] = 2; assert(f.b == 0 && f.a[0] == 2) }"
    ));
}
