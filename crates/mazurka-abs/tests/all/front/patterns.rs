//! Patterns: binding, comparing, nesting, and warnings about coverage.

use mazurka_abs::checked::{ExprKind, FunctionCode, PatternKind};

use super::{accept, accept_all, refuse, refuse_all, remarks};

#[test]
fn known_variables_are_compared_and_new_ones_bound() {
    let model = accept("def Bool same(Pair<Int, Int> p, Int k) = case p { Pair(k, _) => True; Pair(x, x) => True; _ => False; };");
    let same = model.functions.iter().find(|f| &*f.name == "same").unwrap();
    let FunctionCode::Expr(code) = &same.code else {
        panic!("an expression")
    };
    let ExprKind::Case(_, branches) = &code.kind else {
        panic!("a case")
    };
    let PatternKind::Construct(_, first) = &branches[0].pattern.kind else {
        panic!("a constructor")
    };
    assert!(matches!(first[0].kind, PatternKind::Equal(_)), "a parameter is compared");
    let PatternKind::Construct(_, second) = &branches[1].pattern.kind else {
        panic!("a constructor")
    };
    assert!(
        matches!(second[0].kind, PatternKind::Bind(_)) && matches!(second[1].kind, PatternKind::Equal(_)),
        "the second x is the first"
    );
}

#[test]
fn fields_and_class_parameters_are_compared() {
    accept_all(&[
        "class C(Int p) { Int a = 2; Bool m() { return case 2 { a => True; p => False; }; } }",
        "class C { Int a = 2; Unit m() { switch (2) { a => skip; _ => skip; } } }",
    ]);
}

#[test]
fn patterns_have_types() {
    refuse_all(
        "pattern-type",
        &[
            "def Bool f(List<Bool> l) = case l { Insert(x, _) => x; };",
            "def Bool f(Bool x) = let (Int y) = 5 in case x { y => True; };",
            "data Foo = Bar(Bool); def Bool f(Foo x) = case x { Bar(5) => True; };",
            "def Int f(Int x) = case x { \"a\" => 1; };",
            "interface I {} def Int f(I i) = case i { True => 1; };",
        ],
    );
    refuse("def Int f(Bool b) = case b { True(5) => 1; };", "wrong-number-of-arguments");
    refuse("def Int f(Bool b) = case b { Foo => 1; };", "unknown-constructor");
}

#[test]
fn separators_of_branches_are_optional() {
    accept_all(&[
        "def Int f(Int x) = case x { 0 => 1; 1 => 2; _ => 3; };",
        "def Int f(Int x) = case x { 0 => 1 | 1 => 2 | _ => 3 };",
        "def Int f(Int x) = case x { | 0 => 1 | -1 => 2 | _ => 3 };",
        "def Int f(Int x) = case x { 0 => case x { 1 => 2 | _ => 3 } | _ => 3 };",
    ]);
}

#[test]
fn missing_cases_are_warned_about() {
    assert_eq!(remarks("def Int f(Maybe<Int> m) = case m { Just(x) => x; };"), ["missing-case"]);
    assert_eq!(
        remarks("def Int f(Maybe<Bool> m) = case m { Nothing => 0; Just(True) => 1; };"),
        ["missing-case"]
    );
    assert_eq!(remarks("def Int f(Int n) = case n { 0 => 1; };"), ["missing-case"]);
    assert!(remarks("def Int f(Maybe<Bool> m) = case m { Nothing => 0; Just(True) => 1; Just(False) => 2; };").is_empty());
    assert!(remarks("def Int f(Int n) = case n { 0 => 1; m => m; };").is_empty());
}

#[test]
fn unreachable_cases_are_warned_about() {
    assert_eq!(remarks("def Int f(Bool b) = case b { _ => 0; True => 1; };"), ["unreachable-case"]);
    assert_eq!(
        remarks("def Int f(Bool b) = case b { True => 0; False => 1; x => 2; };"),
        ["unreachable-case"]
    );
    assert_eq!(
        remarks("def Int f(Int n) = case n { 1 => 0; 1 => 1; _ => 2; };"),
        ["unreachable-case"]
    );
    assert!(remarks("def Int f(Int n, Int k) = case n { k => 0; 1 => 1; _ => 2; };").is_empty());
}

#[test]
fn many_branches_do_not_take_for_ever() {
    let branches: String = (0..5_000).map(|n| format!("{n} => {n};\n")).collect();
    accept(&format!("def Int f(Int n) = case n {{ {branches} _ => 0; }};"));
}
