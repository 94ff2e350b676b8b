//! Objects, calls, futures, await.

use mazurka_abs::checked::{RightSideKind, StmtKind};

use super::{accept, accept_all, refuse, refuse_all};

const COUNTER: &str = "interface Counter { Int next(); Unit set(Int n); } \
    class Counter(Int n) implements Counter { Int next() { n = n + 1; return n; } Unit set(Int m) { n = m; } }";

fn with_counter(main: &str) -> String {
    format!("{COUNTER} {{ Counter c = new Counter(0); {main} }}")
}

#[test]
fn all_forms_of_calls() {
    for main in [
        "Fut<Int> f = c!next(); await f?; Int n = f.get;",
        "Int n = await c!next(); await c!set(3); c!set(4);",
        "Int n = c.next(); c.set(n);",
        "Fut<Int> f = c!next(); Fut<Unit> g = c!set(1); await f? & g?; await f? & 1 > 0; await (f? & g?);",
        "await True; suspend; Bool b = True; await b && !b;",
        "Fut<Int> f; f = c!next(); Int n = f.get; f.get;",
        "assert c == c; assert await c!next() > 0;".split("; ").next().unwrap(),
        "(when True then c else c)!set(1);",
    ] {
        let main = if main.ends_with(';') { main.to_owned() } else { format!("{main};") };
        accept(&with_counter(&main));
    }
}

#[test]
fn calls_are_checked() {
    for (main, code) in [
        ("c!nxt();", "unknown-method"),
        ("c!set();", "wrong-number-of-arguments"),
        ("c!set(True);", "type-mismatch"),
        ("Int n = c!next();", "type-mismatch"),
        ("Int n = 1; n!next();", "not-an-object"),
        ("null!next();", "not-an-object"),
        ("Int n = 1; Int m = n.get;", "not-a-future"),
        ("Bool b = True; await b?;", "not-a-future"),
        ("await 5;", "type-mismatch"),
        ("Fut<Int> f = c!next(); await f;", "type-mismatch"),
        ("c = new Counter();", "wrong-number-of-arguments"),
        ("c = new Counter(True);", "type-mismatch"),
        ("c = new Nowhere();", "unknown-class"),
    ] {
        refuse(&with_counter(main), code);
    }
    refuse("interface I {} { I i = new I(); }", "unknown-class");
}

#[test]
fn effects_stand_alone() {
    refuse_all(
        "effect-in-expression",
        &[
            &with_counter("Int n = 1 + c.next();"),
            &with_counter("Fut<Int> f = c!next(); Int n = f.get + 1;"),
            &with_counter("if (c.next() > 1) { skip; }"),
            &with_counter("println(toString(new Counter(1)));"),
            "class C { Int x = 1; Fut<Int> f = this!m(); Int m() { return x; } }",
        ],
    );
}

#[test]
fn new_makes_a_cog_unless_local() {
    let model = accept("interface I {} class C implements I {} { I a = new C(); I b = new local C(); }");
    let cogs: Vec<bool> = model.mains[0]
        .code
        .stmts
        .iter()
        .filter_map(|stmt| match &stmt.kind {
            StmtKind::Declare(_, Some(right)) => match right.kind {
                RightSideKind::New { cog, .. } => Some(cog),
                _ => None,
            },
            _ => None,
        })
        .collect();
    assert_eq!(cogs, [true, false]);
}

#[test]
fn await_of_a_call_as_a_statement_and_as_a_value() {
    let model = accept(&with_counter("await c!set(1); Int n = await c!next();"));
    let stmts = &model.mains[0].code.stmts;
    assert!(matches!(&stmts[1].kind, StmtKind::Expr(right) if matches!(right.kind, RightSideKind::AwaitCall(..))));
    assert!(matches!(&stmts[2].kind, StmtKind::Declare(_, Some(right)) if matches!(right.kind, RightSideKind::AwaitCall(..))));
}

#[test]
fn futures_are_covariant_and_destiny_is_one() {
    accept_all(&[
        "interface A {} interface B extends A {} interface I { B m(); } { I o; Fut<A> f = o!m(); }",
        "interface I { Int m(); } { I o; Fut<Any> f = o!m(); Destiny d = f; d.get; await d?; }",
        "class C { Maybe<Destiny> d = Nothing; Fut<Int> f; Int m() { d = Just(destiny); return 1; } Bool t() { f = this!m(); return fromJust(d) == f; } }",
    ]);
    refuse("def Destiny f() = destiny;", "no-destiny");
}
