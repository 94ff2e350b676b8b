//! `inline`: text with holes.

use crate::promela::support::{holds, sizes};

#[test]
fn arguments_replace_parameters_as_text() {
    assert!(holds(
        "byte x = 1, y = 2; inline swap(a, b) { byte t; t = a; a = b; b = t } init { swap(x, y); assert(x == 2 && y == 1) }"
    ));
    assert!(holds("byte x; inline twice(e) { x = e * 2 } init { twice(1 + 2); assert(x == 5) }"));
    assert!(holds(
        "byte a[3]; inline set(where, what) { where = what } init { byte i = 1; set(a[i], 7); assert(a[1] == 7) }"
    ));
}

#[test]
fn labels_and_variables_of_calls_do_not_meet() {
    assert!(holds(
        "byte n; inline up() { byte k; k = n; if :: k > 100 -> goto out :: else fi; n++; out: skip } init { up(); up(); assert(n == 2) }"
    ));
}

#[test]
fn a_call_is_a_block() {
    assert_eq!(
        sizes("byte x; inline f() { x = 1; x = 2 } init { f(); x = 3 }"),
        sizes("byte x; init { { x = 1; x = 2 }; x = 3 }")
    );
}

#[test]
fn inlines_call_inlines_and_return_values() {
    assert!(holds(
        "byte x; inline g(a) { x = x + a } inline f(a) { g(a); g(a) } init { f(2); assert(x == 4) }"
    ));
    assert!(holds(
        "byte x; inline add(a, b) { return a + b } init { x = add(2, 3); assert(x == 5) }"
    ));
}
