//! Modules: exports, imports, qualified names, the implicit standard library.

use super::{check_file, refuse};

fn accept_file(text: &str) {
    if let Err((_, rendered)) = check_file(text) {
        panic!("refused:\n{rendered}");
    }
}

fn refuse_file(text: &str, code: &str) {
    match check_file(text) {
        Ok(_) => panic!("accepted, although {code} was expected:\n{text}"),
        Err((diagnostics, rendered)) => assert!(diagnostics.iter().any(|d| d.code == code), "{rendered}"),
    }
}

#[test]
fn what_is_exported_can_be_imported_by_name_and_by_star() {
    accept_file(
        "module A; export X, f; data X = X; data Y; def Int f() = 1; module B; import X, f from A; def X g() = X; { Int n = f(); }",
    );
    accept_file("module A; export *; data X; module B; import * from A; type Y = X;");
    refuse_file("module A; data X; module B; import X from A;", "not-exported");
    refuse_file(
        "module A; export *; data Xylophone; module B; import Xylophon from A;",
        "unknown-name",
    );
}

#[test]
fn what_the_library_is_made_of_is_hidden() {
    accept_file("module A; export *; def Int count_from(Int x) = x; module B; import * from A; { Int n = count_from(1); }");
    refuse_file("module A; { Int n = count_from(list[1], 0); }", "unknown-function");
}

#[test]
fn qualified_names_need_no_unqualified_import() {
    accept_file("module A.B; export Foo, Bar; data Foo = Bar; module C; import A.B.Foo, A.B.Bar; { A.B.Foo f = A.B.Bar; }");
    refuse_file("module A; export X; data X; module B; import A.X; type Y = X;", "unknown-type");
    accept_file(
        "module A; data X = C; { M.A x = 1; } module M.Q; { skip; }"
            .replace("{ M.A x = 1; }", "{ A.X x = A.C; }")
            .as_str(),
    );
}

#[test]
fn exports_are_passed_on() {
    accept_file("module A; export X; data X; module B; export * from A; module C; import * from B; type Y = X;");
    accept_file("module A; export X; data X; module B; export X from A; module C; import X from B; type Y = X;");
    accept_file("module A; export X; data X; module B; export X; import X from A; module C; import * from B; type Y = X;");
    accept_file("module A; export X; data X; module B; export X; import * from A; module C; import X from B; type Y = X;");
    refuse_file("module A; export X; data X; module B; export Y; import * from A;", "unknown-name");
    accept_file("module M; export X from M; import X from M; data X;");
    refuse_file("module A; export X; data X; data Y; module B; export Y from A;", "not-exported");
    refuse_file(
        "module A; export X; import X from B; module B; export X; import X from A;",
        "unknown-name",
    );
}

#[test]
fn clashing_imports_are_refused_where_they_are_used() {
    let clash = "module A; export *; def Int f() = 1; module B; export *; def Int f() = 2; module C; import * from A; import * from B;";
    accept_file(clash);
    refuse_file(&format!("{clash} {{ Int x = f(); }}"), "ambiguous-name");
    accept_file(&format!("{clash} {{ Int x = A.f() + B.f(); }}"));
}

#[test]
fn the_same_thing_by_two_ways_is_no_clash() {
    accept_file(
        "module M; export *; interface I {} module M2; export I; import I from M; module M3; export I; import I from M; \
         module T; import * from M2; import * from M3; class C implements I {}",
    );
}

#[test]
fn own_names_win_over_the_standard_library() {
    accept_file("module M; data List<A> = Nil | Cons(A, List<A>); def Int length(List<Int> xs) = 7; { Int n = length(Cons(1, Nil)); }");
    accept_file("module M; interface Object { Unit m(); } class C implements Object { Unit m() {} } { Object o = new C(); o!m(); }");
}

#[test]
fn explicit_imports_from_the_library_replace_the_implicit_ones() {
    accept_file("module M; import Int, toString, String from ABS.StdLib; def String f(Int n) = toString(n);");
    refuse_file(
        "module M; import Int from ABS.StdLib; def Int f(Int n) = abs(n);",
        "unknown-function",
    );
}

#[test]
fn unknown_modules_and_double_modules() {
    refuse_file("module B; import * from A;", "unknown-module");
    refuse_file("module A; module A;", "duplicate-definition");
    refuse("{ Int x = Nowhere.f(); }", "unknown-module");
}

#[test]
fn several_modules_may_have_main_blocks() {
    let (model, _) = check_file("module A; { skip; } module B; { Int x = 1; skip; }").unwrap();
    let mains: Vec<_> = model.mains.iter().map(|main| (&*main.module, main.visible.len())).collect();
    assert_eq!(mains, [("A", 0), ("B", 1)]);
}
