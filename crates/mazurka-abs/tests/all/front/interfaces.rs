//! Interfaces: inheritance, implementation, subtyping, casts.

use super::{accept_all, refuse, refuse_all};

#[test]
fn casts_and_tests_take_what_is_before_them() {
    super::accept_all(&[
        "interface I {} interface J {} class C implements I, J {} { I i = new C(); Bool b = i implements J && True || False; J j = i as J; }",
        "interface I {} interface J {} class C implements I {} { I i = new C(); Bool b = i as J == null; Bool c = i implements J == False; }",
    ]);
    super::refuse("interface I {} { I i; Bool b = True && i implements I; }", "not-an-object");
}

#[test]
fn subtyping_follows_extends_and_implements() {
    accept_all(&[
        "interface I {} interface J extends I {} { J j; I i = j; Object o = i; }",
        "interface I {} interface J {} class C implements I, J {} { I i = new C(); J j = new C(); }",
        "interface I { Unit m(I other); } class C implements I { Unit m(I other) { I me = this; me!m(this); } }",
        "interface I {} class A implements I {} class B implements I {} { List<I> l = list[new_a(), null]; } def I new_a() = null;",
        "interface I {} interface J extends I {} { I i; J j; Bool b = i == j; I k = when b then i else j; }",
    ]);
    refuse("interface I {} interface J {} { J j; I i = j; }", "type-mismatch");
    refuse("interface I {} class C {} { I i = new C(); }", "type-mismatch");
}

#[test]
fn all_methods_must_be_there() {
    refuse_all(
        "missing-method",
        &[
            "interface I { Unit m(); } class C implements I {}",
            "interface I { Unit m(); } interface J extends I {} class C implements J {}",
        ],
    );
    refuse_all(
        "method-signature",
        &[
            "interface I { Unit m(); } class C implements I { Bool m() { return True; } }",
            "interface I { Unit m(); } class C implements I { Unit m(Int x) {} }",
            "interface I { Unit m(Bool b); } class C implements I { Unit m(Int b) {} }",
            "interface A { Unit m(); } interface B { Unit m(Int x); } interface I extends A, B {}",
        ],
    );
    accept_all(&["interface I {} interface J extends I {} interface K { I m(); } class C implements K { J m() { return null; } }"]);
}

#[test]
fn inheritance_has_no_cycles() {
    refuse_all(
        "cyclic-interface",
        &["interface I extends I {}", "interface I extends J {} interface J extends I {}"],
    );
    refuse("interface I extends Bool {}", "not-an-interface");
    refuse("class C implements Nowhere {}", "unknown-type");
}

#[test]
fn only_methods_of_the_interface_can_be_called() {
    refuse(
        "interface I {} class C implements I { Unit m() {} } { I i = new C(); i!m(); }",
        "unknown-method",
    );
    accept_all(&["interface I {} class C implements I { Unit m() { this!n(); this.n(); } Unit n() {} }"]);
}

#[test]
fn casts_and_tests() {
    accept_all(&[
        "interface I {} interface J extends I {} class C implements J {} { I o = new C(); Bool b = (o implements J) && (o as J) != null; J j = o as J; }",
    ]);
    refuse("interface I {} { Int n = 3; Bool b = n implements I; }", "not-an-object");
    refuse("interface I {} { I i; Bool b = i implements Bool; }", "not-an-interface");
}
