//! Classes: parameters, fields, init blocks, recover, methods, run.

use super::{accept, accept_all, refuse, refuse_all};

#[test]
fn fields_and_parameters() {
    let model =
        accept("interface I {} class C(Int a, I i) { Int b = a + 1; Int c = b; I j; Fut<Int> f; { c = 3; this.a = 2; } Unit run() {} }");
    let class = &model.classes[0];
    assert_eq!((class.params, class.fields.len(), class.run), (2, 6, Some(0)));
    assert!(class.fields[2].init.is_some() && class.fields[4].init.is_none());
}

#[test]
fn run_has_no_parameters() {
    assert_eq!(accept("class C { Unit run(Int n) {} }").classes[0].run, None);
}

#[test]
fn fields_are_initialised_in_order() {
    refuse_all(
        "used-before-initialised",
        &[
            "class C { Int x = y + 1; Int y = 1; }",
            "class C { Int x = this.y; Int y = 1; }",
            "class C { Int x = x; }",
        ],
    );
    refuse("class C { Int x; }", "uninitialised");
}

#[test]
fn locals_hide_fields_but_not_locals() {
    accept_all(&[
        "class C { Int x = 1; Unit m(Bool x) { Bool y = x; Int z = this.x; } }",
        "class C { Int x = 1; Unit m() { Bool x = True; x = False; this.x = 2; } }",
        "class C { Unit m() { if (True) { Int x = 1; } if (True) { Int x = 2; } Int x = 3; } }",
    ]);
    refuse_all(
        "duplicate-variable",
        &[
            "class C { Unit m() { Int x = 1; if (True) { Int x = 2; } } }",
            "class C { Unit m(Int x) { Int x = 1; } }",
            "{ Int x = 1; Int x = 2; }",
        ],
    );
}

#[test]
fn names_in_a_class_are_defined_once() {
    refuse_all(
        "duplicate-definition",
        &[
            "class C { Int x = 1; Int x = 2; }",
            "class C(Int x) { Int x = 2; }",
            "class C { Unit m() {} Unit m() {} }",
            "class C {} class C {}",
        ],
    );
    refuse("class C { { skip; } { skip; } }", "two-init-blocks");
}

#[test]
fn results_are_checked() {
    refuse("class C { Bool m() { } }", "missing-return");
    refuse("class C { Bool m(Int n) { if (n > 0) { return True; } } }", "missing-return");
    refuse("class C { Unit m() { return True; } }", "type-mismatch");
    accept_all(&[
        "class C { Unit m() { } Unit n() { return Unit; } }",
        "class C { Bool m(Int n) { if (n > 0) { return True; } else { return False; } } }",
        "class C { Bool m(Int n) { while (True) { skip; } } }",
        "class C { Bool m(Int n) { throw DivisionByZeroException; } }",
        "class C { Bool m(Int n) { switch (n) { 0 => return True; _ => return False; } } }",
        "class C { Int m(Int n) { try { return 1; } catch { _ => return 2; } } }",
    ]);
}

#[test]
fn init_blocks_run_at_once() {
    refuse_all(
        "not-allowed-here",
        &[
            "class C { { await True; } }",
            "class C { Fut<Int> f; { f.get; } }",
            "class C { { suspend; } }",
            "class C { { this.m(); } Unit m() { suspend; } }",
            "class C { Int x = 0; recover { _ => suspend; } }",
            "{ try { skip; } catch { _ => skip; } finally { suspend; } }",
        ],
    );
    accept("class C { { this.m(); } [Atomic] Unit m() { } }");
}

#[test]
fn recover_matches_exceptions() {
    accept(
        "exception E(Int); class C { Int n = 0; recover { E(x) => { n = x; } DivisionByZeroException => { skip; } } Unit m() { throw E(3); } }",
    );
}

#[test]
fn a_main_block_has_no_object() {
    refuse("{ this.f(); }", "no-this");
    refuse("{ Int x = this.f; }", "unknown-field");
    refuse("def Int f() = this.x;", "unknown-field");
    refuse("{ return Unit; }", "return-outside-method");
    refuse("class C { { return Unit; } }", "return-outside-method");
}

#[test]
fn classes_are_not_types() {
    refuse("class C {} { C c; }", "unknown-type");
    accept("interface C {} class C implements C {} { C c = new C(); }");
}
