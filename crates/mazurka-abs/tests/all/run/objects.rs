//! Objects: parameters, initialisers, init blocks, run, references, interfaces.

use crate::run::common::{explore, model, prints, with_main};
use mazurka_abs::model::Options;

#[test]
fn fields_are_initialised_in_order_before_the_init_block() {
    let classes = "
        interface I { Unit show(); }
        class C(Int a) implements I {
            Int b = a + 1;
            Int c = b * 2;
            { c = c + 100; }
            Unit show() { println(toString(Pair(a, Pair(b, c)))); }
        }";
    assert_eq!(prints(classes, "I o = new C(1); o!show();"), "Pair(1,Pair(2,104))\n");
}

#[test]
fn fields_may_start_with_lists() {
    let classes = "
        interface I { Unit show(); }
        class C implements I {
            List<Int> none = list[];
            List<Int> some = list[1, 2];
            Unit show() { println(toString(Pair(none, some))); }
        }";
    assert_eq!(prints(classes, "I o = new C(); o!show();"), "Pair(list[],list[1,2])\n");
}

#[test]
fn run_starts_by_itself_after_initialisation() {
    let classes = "
        interface I { }
        class C(String name) implements I { Int n = 1; { n = 2; } Unit run() { println(name + toString(n)); } }";
    assert_eq!(prints(classes, "I a = new C(\"a\"); I b = new local C(\"b\");"), "a2\nb2\n");
}

#[test]
fn class_parameters_are_fields_that_can_change() {
    let classes = "
        interface I { Int next(); }
        class C(Int n) implements I { Int next() { n = n + 1; return n; } }";
    assert_eq!(
        prints(
            classes,
            "I o = new C(5); Int a = await o!next(); Int b = await o!next(); println(toString(a * 100 + b));"
        ),
        "607\n"
    );
}

#[test]
fn references_start_as_null_and_compare_by_identity() {
    let classes = "interface I { Bool same(I other); I me(); } class C implements I { I nobody; Bool same(I other) { return this == other; } I me() { return nobody; } }";
    let main = "
        I a = new C(); I b = new C(); I n;
        Bool s = await a!same(a); Bool t = await a!same(b); I m = await a!me();
        println(toString(list[s, t, n == null, m == null, a == b, a < b, null < a]));";
    assert_eq!(prints(classes, main), "list[True,False,True,True,False,True,True]\n");
}

#[test]
fn implements_and_as_look_at_the_class() {
    let classes = "
        interface I { } interface J extends I { Int j(); } interface K { }
        class C implements J { Int j() { return 7; } }";
    let main = "
        I o = new C();
        println(toString(o implements J));
        println(toString(o implements K));
        J j = o as J; Int n = await j!j();
        K k = o as K;
        println(toString(n)); println(toString(k == null));";
    assert_eq!(prints(classes, main), "True\nFalse\n7\nTrue\n");
}

#[test]
fn synchronous_calls_on_this_run_inside_the_caller() {
    let classes = "
        interface I { Int start(Int n); }
        class C implements I {
            Int depth = 0;
            Int start(Int n) { Int r = this.down(n); return r * 1000 + depth; }
            Int down(Int n) { depth = depth + 1; Int r = 0; if (n > 0) { r = this.down(n - 1); r = r + 1; } return r; }
        }";
    assert_eq!(
        prints(classes, "I o = new C(); Int r = await o!start(3); println(toString(r));"),
        "3004\n"
    );
}

#[test]
fn synchronous_calls_of_another_object_of_the_cog_run_inside_the_caller() {
    let classes = "
        interface I { Int go(); Int get(Int n); }
        class C implements I {
            I helper; Int n = 0;
            { n = 1; }
            Int go() { helper = new local D(this); Int r = helper.get(3); return r * 10 + n; }
            Int get(Int k) { n = n + k; return n; }
        }
        class D(I owner) implements I { Int go() { return 0; } Int get(Int k) { Int r = owner.get(k + 1); return r; } }";
    assert_eq!(
        prints(classes, "I o = new C(); Int r = await o!go(); println(toString(r));"),
        "55\n"
    );
}

#[test]
fn a_call_back_into_a_blocked_cog_deadlocks() {
    let classes = "
        interface I { Int call(I other); Int back(I caller); Int value(); }
        class C implements I {
            Int call(I other) { Int r = other.back(this); return r; }
            Int back(I caller) { Int r = caller.value(); return r; }
            Int value() { return 1; }
        }";
    let text = with_main(classes, "I a = new C(); I b = new C(); a!call(b);");
    let outcome = explore(&model(&text, &Options::default()), "optimal");
    assert_eq!((outcome.counts.executions, outcome.counts.deadlocks), (1, 1));
    let message = &outcome.failures[0].failure.message;
    assert!(message.contains("a cycle of blocked tasks"), "{message}");
}

#[test]
fn sets_of_objects_are_ordered_by_birth() {
    let classes = "interface I { Int id(); } class C(Int n) implements I { Int id() { return n; } }";
    let main = "
        I a = new C(1); I b = new C(2); I c = new C(3);
        Set<I> s = set[c, a, b, a];
        foreach (o in elements(s)) { Int n = await o!id(); print(toString(n)); }";
    assert_eq!(prints(classes, main), "123");
}
