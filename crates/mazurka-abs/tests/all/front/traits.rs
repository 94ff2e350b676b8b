//! Traits are flattened into classes.

use super::{accept, accept_all, refuse, remarks};

/// The names of the methods of the first class, hidden ones cut at the `%`.
fn methods(program: &str) -> Vec<String> {
    let model = accept(program);
    let class = &model.classes[0];
    class
        .methods
        .iter()
        .map(|m| model.selectors[m.selector.index()].split('%').next().unwrap_or("").to_owned())
        .collect()
}

#[test]
fn methods_are_added_removed_and_modified() {
    assert_eq!(
        methods("trait T = { Unit a() {} Unit b() {} } class C { uses T; Unit c() {} }"),
        ["a", "b", "c"]
    );
    assert_eq!(
        methods("trait T = { Unit a() {} Unit b() {} } trait U = T removes Unit a(); class C { uses U; }"),
        ["b"]
    );
    assert_eq!(
        methods("trait T = { Unit a() {} Unit b() {} } class C { uses T removes { Unit a(); Unit b(); }; }"),
        Vec::<String>::new()
    );
    assert_eq!(methods("trait T = Unit a() {} adds Unit b() {} class C { uses T; }"), ["a", "b"]);
    assert_eq!(
        methods("trait T = { Unit a() {} } modifies Unit a() { skip; } class C { uses T; }"),
        ["a", "a"]
    );
}

#[test]
fn original_calls_what_was_modified() {
    accept(
        "interface I { Bool test(); } trait T = { Bool test() { return False; } } trait T2 = { Bool test() { Bool orig = original(); return !orig; } } \
         class C implements I { uses T modifies T2; }",
    );
    accept(
        "trait T = { Int m(Int x) { return x; } } trait U = T modifies { Int m(Int x) { Int y = original(x); return y + 1; } } modifies { Int m(Int x) { Int z = original(x + 1); return z; } } class C { uses U; }",
    );
    refuse("class C { Unit m() { original(); } }", "no-original");
    refuse(
        "trait T = { Int m(Int x) { return x; } } modifies { Int m(Int x) { Int y = original(); return y; } } class C { uses T; }",
        "wrong-number-of-arguments",
    );
}

#[test]
fn trait_methods_use_the_fields_of_the_class() {
    accept("trait T = { Int next() { counter = counter + 1; return this.counter; } } class C { Int counter = 0; uses T; }");
    refuse("trait T = { Int next() { return counter; } } class C { uses T; }", "unknown-name");
}

#[test]
fn mistakes() {
    refuse("class C { uses Nowhere; }", "unknown-trait");
    refuse("trait T = U trait U = T class C { uses T; }", "cyclic-trait");
    refuse(
        "trait T = { Unit a(Int n) {} } removes Unit a(); class C { uses T; }",
        "unknown-method",
    );
    refuse(
        "trait T = { Unit a(Int n) {} } removes Unit a(String n); class C { uses T; }",
        "unknown-method",
    );
    refuse(
        "trait T = { Int a() { return 1; } } removes Unit a(); class C { uses T; }",
        "unknown-method",
    );
    accept("trait T = { Unit a(List<Int> n) {} } removes Unit a(List<Int> m); class C { uses T; }");
    refuse("trait T = { Unit a() {} } removes Unit b(); class C { uses T; }", "unknown-method");
    refuse(
        "trait T = { Unit a() {} } trait U = { Unit a() {} } class C { uses T; uses U; }",
        "duplicate-definition",
    );
    assert_eq!(
        remarks("trait T = {} modifies Unit a() {} class C { uses T; }"),
        ["nothing-to-modify"]
    );
    accept_all(&["trait T = { Unit a() {} } trait U = T modifies T modifies T modifies T class C { uses U; }"]);
}
