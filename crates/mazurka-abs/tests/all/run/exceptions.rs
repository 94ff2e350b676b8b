//! Exceptions: throw, catch, finally, recover, and what happens when nobody catches.

use crate::run::common::{explore, model, prints, run, with_main};
use mazurka_abs::model::Options;
use mazurka_core::{Failure, FailureKind};

fn fails(declarations: &str, main: &str) -> Failure {
    let machine = model(&with_main(declarations, main), &Options::default());
    run(&machine).1.unwrap_or_else(|| panic!("{main} must fail"))
}

#[test]
fn the_first_branch_that_fits_catches() {
    let main = "
        try { Rat r = 1/0; println(toString(r)); }
        catch { NullPointerException => println(\"null\"); DivisionByZeroException => println(\"zero\"); _ => println(\"other\"); }";
    assert_eq!(prints("", main), "zero\n");
}

#[test]
fn exceptions_carry_values() {
    let main = "try { throw Bad(3, \"x\"); } catch { Bad(n, s) => println(s + toString(n)); }";
    assert_eq!(prints("exception Bad(Int code, String text);", main), "x3\n");
}

#[test]
fn finally_runs_in_any_case() {
    let classes = "
        exception E;
        interface I { Int f(Int n); }
        class C implements I {
            Int f(Int n) {
                Int r = 0;
                try {
                    if (n == 1) { throw E; }
                    r = 10;
                } catch { E => { r = 20; } }
                finally { println(`finally $n$`); }
                return r;
            }
        }";
    assert_eq!(
        prints(
            classes,
            "I o = new C(); Int a = await o!f(0); Int b = await o!f(1); println(toString(a + b));"
        ),
        "finally 0\nfinally 1\n30\n"
    );
}

#[test]
fn finally_runs_on_the_way_out_of_an_exception() {
    let main = "
        try {
            try { throw E; } catch { NullPointerException => println(\"no\"); } finally println(\"inner\");
        } catch { E => println(\"outer\"); }";
    assert_eq!(prints("exception E;", main), "inner\nouter\n");
}

#[test]
fn an_exception_leaves_a_synchronous_callee() {
    let classes = "
        exception E;
        interface I { Int f(); }
        class C implements I {
            Int f() { Int r = 0; try { r = this.g(); } catch { E => { r = 42; } } return r; }
            Int g() { throw E; return 1; }
        }";
    assert_eq!(prints(classes, "I o = new C(); Int a = await o!f(); println(toString(a));"), "42\n");
}

#[test]
fn get_throws_what_the_callee_threw_and_that_is_no_failure_if_it_is_caught() {
    let classes = "
        exception E(Int n);
        interface I { Int f(); }
        class C implements I { Int f() { throw E(9); return 1; } }";
    let main = "I o = new C(); Fut<Int> f = o!f(); try { Int r = f.get; } catch { E(n) => println(toString(n)); }";
    let machine = model(&with_main(classes, main), &Options::default());
    assert_eq!(run(&machine), ("9\n".to_owned(), None));
    assert!(explore(&machine, "optimal").failures.is_empty());
}

#[test]
fn an_exception_that_nobody_asks_for_is_a_failure() {
    let classes = "
        exception E(Int n);
        interface I { Int f(); }
        class C implements I { Int f() { throw E(9); return 1; } }";
    for main in [
        "I o = new C(); o!f();",
        "I o = new C(); Fut<Int> f = o!f();",
        "I o = new C(); Fut<Int> f = o!f(); await f?;",
    ] {
        let failure = fails(classes, main);
        assert_eq!(failure.kind, FailureKind::Exception, "{main}");
        assert!(failure.message.contains("uncaught E(9) in M.C.f"), "{}", failure.message);
    }
}

#[test]
fn an_awaited_call_that_is_a_statement_does_not_rethrow() {
    let classes = "
        exception E;
        interface I { Bool f(); }
        class C implements I { Bool f() { throw E; return False; } }";
    let main = "I o = new C(); Bool r = True; try await o!f(); catch E => r = False; println(toString(r));";
    assert_eq!(prints(classes, main), "True\n");
}

#[test]
fn an_uncaught_exception_comes_with_its_stack() {
    let classes = "
        interface I { Int f(Int n); }
        class C implements I {
            Int f(Int n) { Int r = this.g(n); return r; }
            Int g(Int n) { return truncate(divide(10, n)); }
        }
        def Rat divide(Int a, Int b) = a / b;";
    let failure = fails(classes, "I o = new C(); o!f(0);");
    assert_eq!(
        failure.message,
        "uncaught DivisionByZeroException in M.divide, called from M.C.g (model.abs:6:44), called from M.C.f (model.abs:5:36)"
    );
    assert_eq!(failure.at.map(|at| at.line), Some(8));
}

#[test]
fn null_receivers_and_futures_throw() {
    let classes = "interface I { Unit f(); } class C implements I { Unit f() { } }";
    for main in ["I o; o!f();", "I o; o.f();", "Fut<Unit> f; f.get;", "Fut<Unit> f; await f?;"] {
        assert!(fails(classes, main).message.contains("NullPointerException"), "{main}");
    }
}

#[test]
fn a_failed_assertion_is_a_failure_even_if_its_future_is_held() {
    let classes = "interface I { Int f(); } class C implements I { Int x = 3; Int f() { assert x == 4; return 1; } }";
    let failure = fails(classes, "I o = new C(); Fut<Int> f = o!f(); await f?;");
    assert_eq!(failure.kind, FailureKind::Assertion);
}

#[test]
fn field_writes_before_an_exception_stay() {
    let classes = "
        exception E;
        interface I { Unit f(); Int get(); }
        class C implements I { Int x = 0; Unit f() { x = 77; throw E; } Int get() { return x; } }";
    let main = "I o = new C(); Fut<Unit> f = o!f(); try { f.get; } catch { E => skip; } Int r = await o!get(); println(toString(r));";
    assert_eq!(prints(classes, main), "77\n");
}

#[test]
fn recover_looks_at_what_nobody_caught() {
    let classes = "
        exception E;
        interface I { Unit f(); Int get(); }
        class C implements I {
            Int x = 0;
            recover { E => { x = x + 1; } }
            Unit f() { x = 10; throw E; }
            Int get() { return x; }
        }";
    assert_eq!(
        prints(
            classes,
            "I o = new C(); o!f(); await o!get(); Int r = await o!get(); println(toString(r));"
        ),
        "11\n"
    );
}

#[test]
fn a_dead_object_answers_no_more() {
    let classes = "
        exception E;
        interface I { Unit end(); Int get(); }
        class C implements I { Unit end() { die E; } Int get() { return 1; } }";
    let main = "
        I o = new C(); Fut<Unit> e = o!end(); try { e.get; } catch { E => skip; }
        try { Int r = await o!get(); println(toString(r)); } catch { ObjectDeadException => println(\"dead\"); }";
    assert_eq!(prints(classes, main), "dead\n");
}

#[test]
fn an_exception_in_a_guard_is_thrown_when_the_task_goes_on() {
    let classes = "
        interface I { Int f(Int n); }
        class C implements I { Int f(Int n) { Int r = 0; try { await 1/n > 0; r = 1; } catch { DivisionByZeroException => { r = 2; } } return r; } }";
    assert_eq!(
        prints(
            classes,
            "I o = new C(); Int a = await o!f(0); Int b = await o!f(5); println(toString(a * 10 + b));"
        ),
        "21\n"
    );
}

#[test]
fn an_endless_loop_without_scheduling_point_is_reported() {
    let options = Options::default().settings(mazurka_abs::run::Settings {
        step_budget: 10_000,
        ..mazurka_abs::run::Settings::default()
    });
    let class = "interface I { Unit m(); } class C implements I { Unit m() { } }";
    for main in ["Int i = 0; while (True) { i = i + 1; }", "while (True) { I c = new C(); c!m(); }"] {
        let machine = model(&with_main(class, main), &options);
        let failure = run(&machine).1.expect("a failure");
        assert!(failure.message.contains("no scheduling point"), "{}", failure.message);
    }
}
