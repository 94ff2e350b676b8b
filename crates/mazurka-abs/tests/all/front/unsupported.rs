//! What is out is named.

use super::{check_file, refuse_all};

#[test]
fn deployment_and_the_outside_world() {
    refuse_all(
        "unsupported",
        &[
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
        ],
    );
}

#[test]
fn product_lines_inside_modules() {
    let text = "module M; base interface I { } base class C implements I { }\nfeatures A, B with !(A && B);\nmodule N; \
                class D {} { new D() with P; }";
    let (diagnostics, rendered) = check_file(text).unwrap_err();
    let messages: Vec<&str> = diagnostics.iter().map(|d| &*d.message).collect();
    assert_eq!(
        messages,
        [
            "not supported: product lines inside a module (`base`)",
            "not supported: product lines inside a module (`base`)",
            "not supported: software product lines",
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
