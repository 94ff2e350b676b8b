//! Futures: get, await in all forms, exceptions that travel through them.

use crate::run::common::{explore, model, prints, run, with_main};
use mazurka_abs::model::Options;
use mazurka_abs::run::{AwaitSemantics, Settings};
use mazurka_core::{FailureKind, Program};

const CELL: &str = "
    interface Cell { Int get(); Unit set(Int v); Int wait(); }
    class Cell implements Cell {
        Int v = 0;
        Int get() { return v; }
        Unit set(Int w) { v = w; }
        Int wait() { await v > 0; return v; }
    }";

#[test]
fn get_gives_the_result() {
    assert_eq!(
        prints(
            CELL,
            "Cell c = new Cell(); Fut<Int> f = c!get(); Int r = f.get; println(toString(r));"
        ),
        "0\n"
    );
}

#[test]
fn await_waits_for_a_condition_that_another_task_makes_true() {
    let main = "Cell c = new Cell(); Fut<Int> f = c!wait(); c!set(7); Int r = f.get; println(toString(r));";
    let machine = model(&with_main(CELL, main), &Options::default());
    let outcome = explore(&machine, "optimal");
    assert!(outcome.failures.is_empty());
    assert_eq!(run(&machine).0, "7\n");
}

#[test]
fn a_wait_for_ever_is_a_deadlock_with_its_condition() {
    let machine = model(&with_main(CELL, "Cell c = new Cell(); c!wait();"), &Options::default());
    let outcome = explore(&machine, "optimal");
    assert_eq!(outcome.counts.deadlocks, 1);
    let failure = &outcome.failures[0].failure;
    assert_eq!(failure.kind, FailureKind::Deadlock);
    assert!(
        failure.message.starts_with("waits for ever: Cell 0.wait() waits for `await v > 0`"),
        "{}",
        failure.message
    );
}

#[test]
fn guards_can_be_conjunctions() {
    let main = "Cell c = new Cell(); Fut<Int> f = c!wait(); Fut<Unit> g = c!set(2); Int i = 1; await f? & g? & i == 1; Int r = f.get; println(toString(r));";
    assert_eq!(prints(CELL, main), "2\n");
}

#[test]
fn await_call_as_statement_and_as_value() {
    assert_eq!(
        prints(
            CELL,
            "Cell c = new Cell(); await c!set(3); Int r = await c!get(); println(toString(r));"
        ),
        "3\n"
    );
}

#[test]
fn futures_can_be_kept_in_data_and_fields() {
    let classes = "
        interface I { Int one(); Int go(); }
        class C implements I {
            Fut<Int> f; List<Fut<Int>> l = Nil;
            Int one() { return 1; }
            Int go() {
                f = this!one();
                Fut<Int> g = this!one();
                l = list[f, g];
                await this.f?;
                Int sum = f.get;
                foreach (h in l) { await h?; Int v = h.get; sum = sum + v; }
                return sum;
            }
        }";
    assert_eq!(prints(classes, "I o = new C(); Int r = await o!go(); println(toString(r));"), "3\n");
}

#[test]
fn destiny_names_the_running_task_also_in_synchronous_callees() {
    let classes = "
        interface I { Unit go(); }
        class C implements I {
            Destiny d;
            Unit go() { d = destiny; Bool same = this.check(); println(toString(same)); }
            Bool check() { return d == destiny; }
        }";
    assert_eq!(prints(classes, "I o = new C(); o!go();"), "True\n");
}

#[test]
fn formal_await_goes_on_where_release_lets_others_run() {
    let classes = "
        interface I { Unit a(); Unit b(); }
        class C implements I {
            List<Int> l = Nil;
            Unit a() { l = Cons(1, l); await True; l = Cons(2, l); }
            Unit b() { l = Cons(3, l); }
        }";
    let text = with_main(classes, "I o = new C(); o!a(); o!b();");
    let finals = |await_semantics| {
        let options = Options::default().settings(Settings {
            await_semantics,
            ..Settings::default()
        });
        explore(&model(&text, &options), "optimal").distinct_final_states
    };
    assert_eq!(finals(AwaitSemantics::Formal), Some(2));
    assert_eq!(finals(AwaitSemantics::Release), Some(3));
}

#[test]
fn a_resolved_future_does_not_release_under_the_formal_semantics() {
    let classes = "
        interface I { Int one(); } interface J { Unit a(Fut<Int> f); Unit b(); }
        class O implements I { Int one() { return 1; } }
        class C implements J {
            List<Int> l = Nil;
            Unit a(Fut<Int> f) { l = Cons(1, l); await f?; l = Cons(2, l); }
            Unit b() { l = Cons(3, l); }
        }";
    let resolved = "I o = new O(); J c = new C(); Fut<Int> f = o!one(); Int r = f.get; c!a(f); c!b();";
    let open = "I o = new O(); J c = new C(); Fut<Int> f = o!one(); c!a(f); c!b();";
    let finals = |main: &str| {
        let machine = model(&with_main(classes, main), &Options::default());
        let naive = explore(&machine, "naive");
        let optimal = explore(&machine, "optimal");
        assert_eq!(naive.distinct_final_states, optimal.distinct_final_states);
        optimal.distinct_final_states
    };
    assert_eq!(finals(resolved), Some(2), "1,2 stay together");
    assert_eq!(finals(open), Some(3), "others may run while the future is open");
}

#[test]
fn a_loop_that_can_lead_back_to_the_same_state_is_not_merged() {
    let acyclic = |body: &str| {
        let classes = format!(
            "interface I {{ Unit go(); Unit other(); }} class C implements I {{ Int x = 0; Unit go() {{ {body} }} Unit other() {{ x = 1; }} }}"
        );
        model(&with_main(&classes, "I o = new C(); o!go(); o!other();"), &Options::default())
            .features()
            .terminating
    };
    assert!(!acyclic("while (x < 1) { suspend; }"));
    assert!(!acyclic("while (True) { await x > 0; }"));
    assert!(acyclic("while (x < 1) { x = x + 1; }"), "one step, however long");
    assert!(
        acyclic("Int n = 3; while (n > 0) { Fut<Unit> f = this!other(); await f?; n = n - 1; }"),
        "every round starts a task"
    );
    assert!(acyclic("foreach (n in list[1,2]) { suspend; }"), "every round shortens the list");
}

#[test]
fn get_blocks_the_whole_cog_and_await_does_not() {
    let classes = "
        interface Slow { Int work(); }
        class Slow implements Slow { Int work() { return 1; } }
        interface I { Unit blocking(Slow s); Unit waiting(Slow s); Unit other(); }
        class C implements I {
            List<Int> l = Nil;
            Unit blocking(Slow s) { l = Cons(1, l); Fut<Int> f = s!work(); Int r = f.get; l = Cons(2, l); }
            Unit waiting(Slow s) { l = Cons(1, l); Fut<Int> f = s!work(); await f?; l = Cons(2, l); }
            Unit other() { l = Cons(3, l); }
        }";
    let finals = |method: &str| {
        let main = format!("Slow s = new Slow(); I c = new C(); c!{method}(s); c!other();");
        let machine = model(&with_main(classes, &main), &Options::default());
        let (naive, optimal) = (explore(&machine, "naive"), explore(&machine, "optimal"));
        assert_eq!(naive.distinct_final_states, optimal.distinct_final_states);
        optimal.distinct_final_states
    };
    assert_eq!(finals("blocking"), Some(2));
    assert_eq!(finals("waiting"), Some(3));
}

#[test]
fn a_future_that_is_not_there_throws_whatever_the_condition_says() {
    let classes = "interface I { Unit m(); } class C implements I { Fut<Int> f; Unit m() { await f? & False; } }";
    for await_semantics in [AwaitSemantics::Formal, AwaitSemantics::Release] {
        let options = Options::default().settings(Settings {
            await_semantics,
            ..Settings::default()
        });
        let outcome = explore(&model(&with_main(classes, "I o = new C(); o!m();"), &options), "naive");
        let messages: Vec<&str> = outcome.failures.iter().map(|f| f.failure.message.as_str()).collect();
        assert_eq!(messages, ["uncaught NullPointerException in M.C.m"], "{await_semantics:?}");
    }
}
