//! Statements other than calls.

use super::{accept, accept_all, refuse, refuse_all, remarks};

#[test]
fn control() {
    accept_all(&[
        "{ Bool b = True; if (b) b = False; else b = True; if (b) { } else if (!b) { skip; } else { } }",
        "{ Int n = 0; while (n < 3) n = n + 1; while (True) { skip; } }",
        "{ foreach (x in list[1, 2]) { println(toString(x)); } foreach (x, i in list[\"a\"]) println(x + toString(i)); }",
        "{ foreach (x in list[list[1]]) foreach (y in x) { Int z = y; } }",
        "{ switch (Pair(1, 2)) { Pair(1, y) => { Int z = y; } _ => skip; } }",
        "{ Maybe<Int> m = Just(1); case m { Just(x) => println(toString(x)); Nothing => { skip; } } }",
        "{ { } { { skip; } } }",
        "{ assert True; assert(1 < 2); die_not(); } def Int die_not() = 1;",
    ]);
}

#[test]
fn conditions_are_boolean_and_lists_are_lists() {
    refuse_all(
        "type-mismatch",
        &[
            "{ if (5) { } }",
            "{ while (5) { } }",
            "{ assert 5; }",
            "{ foreach (x in set[1]) { } }",
        ],
    );
}

#[test]
fn variables_need_values_unless_they_are_references() {
    accept("interface I {} { I i; Fut<Int> f; i = null; }");
    refuse_all("uninitialised", &["{ Bool b; }", "{ List<Int> l; }"]);
    refuse("{ Int x = x; }", "unknown-name");
    refuse("{ x = 3; }", "unknown-name");
    refuse("class C { Unit m() { this.x = 3; } }", "unknown-field");
    refuse("{ Unit u = null; }", "type-mismatch");
}

#[test]
fn pure_expressions_are_statements() {
    accept(
        "{ -5; !False; (1 + 2); Cons(2, Nil); when True then 5 else 3; let (Int x) = 5 in (x + 1); case list[1] { Cons(1, _) => 1; _ => 2; }; }",
    );
}

#[test]
fn an_old_conditional_expression_is_a_statement_too() {
    super::accept_all(&[
        "{ if True then 5 else 3; if (True) then 5 else 3; if (1) == 1 then 2 else 3; }",
        "{ Int x = 1; if (x == 1) x = if x == 1 then 2 else 3; else x = if (x == 2) then 3 else 4; }",
    ]);
    super::refuse_all("syntax", &["{ if True { skip; } }", "{ if True skip; }"]);
}

#[test]
fn nothing_after_a_return_is_executed() {
    assert_eq!(remarks("class C { Int m() { return 1; skip; } }"), ["unreachable-code"]);
    assert_eq!(remarks("{ throw DivisionByZeroException; skip; skip; }"), ["unreachable-code"]);
}

#[test]
fn a_property_of_main_variables_is_visible() {
    let model = accept("{ Int x = 1; if (x == 1) { Int y = 2; } Bool z = True; }");
    let main = &model.mains[0];
    let names: Vec<&str> = main.visible.iter().map(|id| &*main.body.locals[id.index()].name).collect();
    assert_eq!(names, ["x", "z"]);
}
