//! The reference interpreter on programs worked out by hand.

use mazurka_abs::run::AwaitSemantics;
use mazurka_laboratory::abs::Model;
use mazurka_laboratory::abs::reference::Truth;

fn explore(text: &str, await_semantics: AwaitSemantics) -> Truth {
    let model = Model::parse(text).unwrap_or_else(|e| panic!("{e}"));
    model.truth(await_semantics, 10_000).unwrap_or_else(|e| panic!("{e}"))
}

fn formal(text: &str) -> Truth {
    explore(text, AwaitSemantics::Formal)
}

/// The values that a field has in the end, in order.
fn values(truth: &Truth, field: &str) -> Vec<String> {
    let of = |state: &[(String, String)]| state.iter().find(|(name, _)| name == field).map(|(_, value)| value.clone());
    let mut values: Vec<String> = truth.ends.iter().filter_map(|end| of(&end.state)).collect();
    values.sort();
    values.dedup();
    values
}

fn messages(truth: &Truth) -> Vec<&str> {
    truth.failures.iter().map(|(_, message, _)| message.as_str()).collect()
}

#[test]
fn two_calls_of_one_sender_come_in_any_order() {
    let truth = formal(
        "module M; interface I { Unit set(Int v); } class C implements I { Int x = 0; Unit set(Int v) { x = x * 10 + v; } }
         { I a = new C(); a!set(1); a!set(2); }",
    );
    assert_eq!(values(&truth, "C 0.x"), ["12", "21"]);
    assert_eq!(truth.deadlocks().count(), 0);
}

#[test]
fn a_get_blocks_the_cog_and_an_await_does_not() {
    let model = |wait: &str| {
        format!(
            "module M; interface I {{ Int f(I o); Int g(I o); Int one(); }}
             class C implements I {{ Int f(I o) {{ Fut<Int> r = o!g(this); {wait} Int v = r.get; return v; }}
               Int g(I o) {{ Fut<Int> r = o!one(); Int v = r.get; return v; }} Int one() {{ return 1; }} }}
             {{ I a = new C(); I b = new C(); a!f(b); }}"
        )
    };
    let blocked = formal(&model(""));
    assert_eq!(blocked.ends.len(), 1);
    let waits: Vec<&str> = blocked.ends.iter().flat_map(|e| &e.waits).map(|(task, _)| task.as_str()).collect();
    assert_eq!(waits, ["0.0", "0.0.0", "0.0.0.0"]);
    assert_eq!(formal(&model("await r?;")).deadlocks().count(), 0);
}

#[test]
fn an_await_that_holds_releases_only_if_asked_to() {
    let text = "module M; interface I { Unit m(); Unit n(); }
         class C implements I { Int x = 0; Unit m() { x = 1; await x == 1; x = x + 1; } Unit n() { x = x * 10; } }
         { I a = new C(); a!m(); a!n(); }";
    assert_eq!(values(&formal(text), "C 0.x"), ["2", "20"]);
    // Released, `n` may make it 10: then the guard never holds again.
    let released = explore(text, AwaitSemantics::Release);
    assert_eq!(values(&released, "C 0.x"), ["10", "2", "20"]);
    assert_eq!(released.deadlocks().count(), 1);
}

#[test]
fn an_assertion_fails_in_one_of_two_orders() {
    let truth = formal(
        "module M; interface I { Unit s(); Unit t(); }
         class A implements I { Int x = 0; Unit s() { x = 1; } Unit t() { assert x == 0; } }
         { I a = new A(); a!t(); a!s(); }",
    );
    assert_eq!(messages(&truth), ["assertion failed in M.A.t: assert x == 0, where x is 1"]);
    assert_eq!(truth.ends.len(), 1);
}

#[test]
fn two_different_exceptions_of_one_task_are_both_failures() {
    let truth = formal(
        "module M; interface I { Unit s(); Int t(); }
         class A implements I { Int x = 0; Unit s() { x = 1; } Int t() { Int r = 0; if (x == 0) { r = truncate(1 / x); } else { r = head(Nil); } return r; } }
         { I a = new A(); Fut<Int> f = a!t(); a!s(); }",
    );
    let expected = [
        "uncaught DivisionByZeroException in M.A.t",
        "uncaught PatternMatchFailException in M.A.t",
    ];
    assert_eq!(messages(&truth), expected);
}

#[test]
fn an_exception_goes_to_who_asks_for_it() {
    let model = |ask: &str| {
        format!(
            "module M; exception E(Int n); interface I {{ Int t(); Unit go(I o); }}
             class A implements I {{ Int x = 0; Int t() {{ throw E(3); }}
               Unit go(I o) {{ Fut<Int> f = o!t(); {ask} }} }}
             {{ I a = new A(); I b = new A(); a!go(b); }}"
        )
    };
    let thrown = "uncaught E(3) in M.A.t";
    assert_eq!(messages(&formal(&model("await f?; x = 1;"))), [thrown]);
    let caught = formal(&model("try { Int r = f.get; } catch { E(n) => x = n; } finally { x = x + 1; }"));
    assert_eq!(messages(&caught), [""; 0]);
    assert_eq!(values(&caught, "A 0.x"), ["4"]);
    assert_eq!(messages(&formal(&model("Int r = f.get;"))), ["uncaught E(3) in M.A.go"]);
    assert_eq!(
        messages(&formal(&model("await o!t(); x = 1;"))),
        [thrown],
        "one of the two calls is acknowledged, the other is not"
    );
}

#[test]
fn a_synchronous_call_in_the_same_cog_runs_inline_and_re_enters() {
    let truth = formal(
        "module M; interface I { Int up(Int n); Unit go(I o, I me); Int down(I o, Int n); }
         class C implements I { Int x = 0;
           Int up(Int n) { x = x + n; return x; }
           Int down(I o, Int n) { Int r = o.up(n); x = x + 1; return r; }
           Unit go(I o, I me) { Int r = o.down(me, 5); x = x * 10 + r; } }
         { I a = new local C(); I b = new local C(); a.go(b, a); }",
    );
    assert_eq!(values(&truth, "C 0.x"), ["55"]);
    assert_eq!(values(&truth, "C 1.x"), ["1"]);
}

#[test]
fn a_synchronous_call_back_into_a_blocked_cog_is_a_deadlock() {
    let truth = formal(
        "module M; interface I { Unit go(I o); Unit back(I o); Unit nothing(); }
         class C implements I { Unit go(I o) { o.back(this); } Unit back(I o) { o.nothing(); } Unit nothing() { } }
         { I a = new C(); I b = new C(); a!go(b); }",
    );
    assert_eq!(truth.deadlocks().count(), 1);
    assert_eq!(truth.ends.len(), 1);
}

#[test]
fn a_receiver_in_a_field_is_read_when_the_call_is_made() {
    let truth = formal(
        "module M; interface V { Int get(); } interface I { Unit set(V u); Int w(); }
         class Two implements V { Int get() { return 2; } } class One implements V { Int get() { return 1; } }
         class C(V x) implements I { Int r = 0; Unit set(V u) { x = u; } Int w() { r = await x!get(); return r; } }
         { V one = new One(); V two = new Two(); I c = new C(one); c!w(); c!set(two); }",
    );
    assert_eq!(values(&truth, "C 2.r"), ["1", "2"]);
}

#[test]
fn the_main_block_can_give_its_destiny_away() {
    let truth = formal(
        "module M; interface I { Unit m(Destiny d); Unit n(); }
         class C implements I { Int x = 0; Unit m(Destiny d) { await d?; x = 1; } Unit n() { x = 2; } }
         { I a = new C(); a!m(destiny); a!n(); }",
    );
    assert_eq!(values(&truth, "C 0.x"), ["1", "2"]);
    assert!(truth.failures.is_empty() && truth.deadlocks().count() == 0);
}

#[test]
fn a_guard_that_faults_throws_in_its_task() {
    let truth = formal(
        "module M; interface I { Unit m(); Unit n(); }
         class C implements I { Int x = 0; Int y = 0; Unit m() { try { await 1 / x > 0; y = 1; } catch { DivisionByZeroException => y = 2; } } Unit n() { x = 1; } }
         { I a = new C(); a!m(); a!n(); }",
    );
    assert_eq!(values(&truth, "C 0.y"), ["1", "2"]);
    assert!(truth.failures.is_empty());
}

#[test]
fn a_guard_waits_for_a_future_and_a_condition_together() {
    let truth = formal(
        "module M; interface I { Unit m(I o); Unit n(); Int k(); }
         class C implements I { Fut<Int> f; Int x = 0; Int y = 0;
           Unit m(I o) { f = o!k(); await this.f? & x == 1; y = f.get; }
           Unit n() { x = 1; suspend; x = 0; } Int k() { return 7; } }
         { I a = new C(); I b = new C(); a!m(b); a!n(); }",
    );
    assert_eq!(values(&truth, "C 0.y"), ["0", "7"]);
    assert_eq!(truth.deadlocks().count(), 1);
}

#[test]
fn initialisation_comes_before_calls_and_run_after_it() {
    let truth = formal(
        "module M; interface I { Unit m(); }
         class C(Int p) implements I { Int x = p + 1; Int y = x * 2; { y = y + 1; this!m(); } Unit run() { x = x * 10; } Unit m() { x = x + 1; } }
         { I a = new C(1); }",
    );
    assert_eq!(values(&truth, "C 0.y"), ["5"]);
    assert_eq!(values(&truth, "C 0.x"), ["21", "30"]);
}

#[test]
fn a_random_number_is_every_number() {
    let truth = formal(
        "module M; interface I { Unit m(); } class C implements I { Int x = 0; Unit m() { Int r = random(3); x = r + random(2) * 10; } }
         { I a = new C(); a!m(); }",
    );
    assert_eq!(values(&truth, "C 0.x"), ["0", "1", "10", "11", "12", "2"]);
}

#[test]
fn values_are_computed_and_printed_as_the_language_says() {
    let truth = formal(
        r#"module M; data T = B(Int n, String s) | A;
         def Int sum(List<Int> xs) = case xs { Nil => 0; Cons(x, rest) => x + sum(rest); };
         interface I { } class C implements I {
           Rat half = 1 / 2; Int m = -7 % 3; String s = "a" + "\"b"; List<Int> l = list[1, 2, 3]; Int total = sum(l);
           T t = B(truncate(5 / 2), "x"); Bool less = A < B(1, "");
           Map<String, Int> d = put(map[Pair("k", 1)], "k", 2); Maybe<Int> j = lookup(d, "k"); I nobody; Set<Int> u = set[3, 1, 3]; }
         { I a = new C(); }"#,
    );
    let field = |name: &str| values(&truth, &format!("C 0.{name}")).concat();
    assert_eq!(field("half"), "1/2");
    assert_eq!(field("m"), "-1");
    assert_eq!(field("s"), "\"a\\\"b\"");
    assert_eq!(field("l"), "list[1,2,3]");
    assert_eq!(field("total"), "6");
    assert_eq!(field("t"), "B(2,\"x\")");
    assert_eq!(field("less"), "True");
    assert_eq!(field("d"), "map[Pair(\"k\",2)]");
    assert_eq!(field("j"), "Just(2)");
    assert_eq!(field("nobody"), "null");
    assert_eq!(field("u"), "set[1,3]");
}
