//! What is out is named.

use super::{check_file, refuse_all};

#[test]
fn time_and_deployment() {
    refuse_all(
        "unsupported",
        &[
            "{ duration(1, 1); }",
            "{ await duration(1, 1); }",
            "{ Fut<Int> f; await f? & duration(1); }",
            "class C { Unit m() { movecogto 1; } }",
            "class C { Unit m() { rebind x.y = z; } }",
            "class C { port Object o; }",
            "class C { Unit m() { await |this|; } }",
            "class C { critical Unit m() { } }",
            "import * from ABS.DC; { DeploymentComponent dc = thisDC(); }",
            "import * from ABS.FLI; { skip; }",
            "import * from ABS.Scheduler; def Process f(List<Process> queue) = head(queue); [Scheduler: f(queue)] class C {}",
            "import reflect from ABS.Meta; { skip; }",
            "def List<String> f() = builtin(sqlite3, \"test.sqlite3\", \"SELECT a FROM b\"); { List<String> l = f(); }",
            "interface I { Duration m(); } class C implements I { Duration m() { return deadline(); } } { I i = new C(); [Deadline: Duration(5)] i!m(); }",
        ],
    );
}

#[test]
fn a_deadline_that_nobody_asks_for_has_no_effect() {
    super::accept_all(&[
        "interface I { Unit m(); } class C implements I { Unit m() { skip; } } { I i = new C(); [Deadline: Duration(5)] i!m(); }",
        "{ Duration d = deadline(); }",
    ]);
}

#[test]
fn product_lines_inside_modules() {
    let text = "module M; base interface I { } base class C implements I { }\nfeatures A, B with !(A && B);\nproduct P = {A}; module N; \
                class D {} { new D() with P; }";
    let (diagnostics, rendered) = check_file(text).unwrap_err();
    let messages: Vec<&str> = diagnostics.iter().map(|d| &*d.message).collect();
    assert_eq!(
        messages,
        [
            "not supported: product lines inside a module (`base`)",
            "not supported: product lines inside a module (`base`)",
            "not supported: software product lines",
            "not supported: products of a software product line",
            "not supported: classes of a product (`new … with`)"
        ],
        "{rendered}"
    );
}

#[test]
fn what_the_odd_modules_share_with_the_library_is_there() {
    let scheduler = "module M; import * from ABS.Scheduler; def Process first(List<Process> queue) = case queue { Cons(p, _) => when \
                     crit(p) && method(p) == \"m\" then p else randomscheduler(queue); }; { skip; }";
    assert!(check_file(scheduler).is_ok());
    assert!(check_file("module M; import * from ABS.Meta; import * from ABS.DC; { [Cost: 3] println(\"a\"); }").is_ok());
}

#[test]
fn product_lines_are_one_error_each() {
    let text = "module M; { skip; } delta D; modifies class C { adds Int x; } productline P; features F, G; delta D after E when F && (! G); \
                product X(F); root Y { group oneof { A, B } }";
    let (diagnostics, rendered) = check_file(text).unwrap_err();
    let messages: Vec<&str> = diagnostics.iter().map(|d| &*d.message).collect();
    assert_eq!(
        messages,
        [
            "not supported: deltas",
            "not supported: software product lines",
            "not supported: products of a software product line",
            "not supported: feature models"
        ],
        "{rendered}"
    );
}
