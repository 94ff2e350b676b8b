//! Partial functions and anonymous functions.

use mazurka_abs::checked::{ExprKind, FunctionCode};

use super::{accept, accept_all, refuse};

#[test]
fn functions_are_passed_by_name_and_anonymously() {
    accept_all(&[
        "{ List<Int> l = map((Int x) => x + 1)(list[1, 2]); }",
        "{ List<String> l = map(toString)(list[1, 2]); }",
        "{ List<Int> l = map(fst)(list[Pair(1, \"a\")]); List<Maybe<Int>> m = map(Just)(list[1]); }",
        "{ Int sum = foldl((Int x, Int acc) => x + acc)(list[1, 2], 0); Rat r = foldr((Int x, Rat acc) => x / 2 + acc)(list[1], 0); }",
        "{ List<Int> l = filter((Int x) => x % 2 == 0)(list[1, 2]); }",
        "def B apply<A, B>(f)(A a) = f(a); def Int inc(Int i) = i + 1; { Int i = apply(inc)(1); }",
        "def Int f()(Int i) = i; { Int n = f()(1); }",
        "def List<Int> run(fun)() = fun(); def List<Int> test(Int r) = run(() => list[r])();",
        "def Int both(f, g)(Int x) = f(g(x)); def Int inc(Int i) = i + 1; { Int n = both(inc, (Int y) => y * 2)(3); }",
    ]);
}

#[test]
fn function_parameters_are_passed_on() {
    accept_all(&[
        "def B apply<A, B>(f)(A a) = f(a); def Int test(f)(Int i) = apply(f)(i); def Int inc(Int i) = i + 1; { Int n = test(inc)(1); }",
        "def List<Int> each(f)(List<Int> xs) = map((Int x) => f(x) + 1)(xs); def Int inc(Int i) = i + 1; { List<Int> l = each(inc)(list[1]); }",
    ]);
}

#[test]
fn types_of_functions_are_checked() {
    refuse("{ List<Int> l = map((String s) => 1)(list[1, 2]); }", "type-mismatch");
    refuse("{ List<Int> l = filter((Int x) => x)(list[1, 2]); }", "type-mismatch");
    refuse("{ List<Int> l = map((Int x, Int y) => x)(list[1, 2]); }", "type-mismatch");
    refuse("{ List<Int> l = map((Int x) => x)(list[1], 2); }", "wrong-number-of-arguments");
    refuse("def Int f(g)(Int x) = g; { skip; }", "function-as-value");
    refuse("{ List<Int> l = map(nosuch)(list[1]); }", "unknown-function");
}

#[test]
fn what_an_anonymous_function_uses_is_captured() {
    let model = accept("class C(Int k) { Unit m(Int n) { Int local = 1; List<Int> l = map((Int x) => x + k + n + local)(list[1]); } }");
    let lifted = model
        .functions
        .iter()
        .find(|f| f.captured > 0)
        .expect("an anonymous function that captures");
    assert_eq!((lifted.closures, lifted.captured, lifted.params), (0, 3, 1));
    let names: Vec<&str> = lifted.body.locals.iter().map(|local| &*local.name).collect();
    assert_eq!(names, ["n", "local", "%field", "x"]);
    let FunctionCode::Expr(code) = &lifted.code else {
        panic!("an expression")
    };
    assert!(!format!("{code:?}").contains("Field("), "fields are reached only by capture");
}

#[test]
fn a_partial_function_calls_itself_without_its_functions() {
    let model = accept("def Int total(f)(List<Int> xs) = case xs { Nil => 0; Cons(x, rest) => f(x) + total(rest); };");
    let total = model.functions.iter().find(|f| &*f.name == "total").unwrap();
    let FunctionCode::Expr(code) = &total.code else {
        panic!("an expression")
    };
    let ExprKind::Case(_, branches) = &code.kind else {
        panic!("a case")
    };
    let ExprKind::Binary(_, _, call) = &branches[1].body.kind else {
        panic!("a sum")
    };
    let ExprKind::Call(_, args) = &call.kind else { panic!("a call") };
    assert!(matches!(args[0].kind, ExprKind::ClosureLocal(local) if local.0 == 0));
    assert_eq!(args.len(), 2);
}
