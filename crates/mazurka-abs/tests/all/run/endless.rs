//! Models that run for ever have few states if names are given again once nobody knows who had them.

use crate::run::common::{explore, model, unchecked};
use mazurka_abs::model::Options;
use mazurka_abs::run::{Machine, Naming, Settings};
use mazurka_core::{Algorithm, Effects, Options as SearchOptions, Program, StatefulOptions, Status, Verdict, stateful_search};

const PING: &str = "module M;
    interface I { Unit ping(); Int number(); Unit relay(); }
    class C(I other) implements I {
        Int n = 0;
        Unit ping() { n = (n + 1) % 3; }
        Int number() { return n; }
        Unit relay() { await other!ping(); }
    }";

fn forgetting() -> Options {
    Options::default().settings(Settings {
        names: Naming::Forget,
        ..Settings::default()
    })
}

/// How many states there are: all are found, and nothing fails.
fn states(machine: &Machine) -> u64 {
    let algorithm = Algorithm::parse("stateful").unwrap_or_else(|e| panic!("{e}"));
    let options = SearchOptions::new(algorithm);
    let mut search = stateful_search(machine, &options, StatefulOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    while search.advance(10_000) == Status::Running {
        assert!(search.progress().counts.steps < 100_000, "it does not end");
    }
    let outcome = search.outcome();
    assert_eq!(outcome.verdict, Verdict::Complete, "{outcome:?}");
    search.report().stored
}

fn states_of(main: &str, classes: &str) -> u64 {
    states(&model(&format!("{PING}\n{classes}\n{{ {main} }}"), &forgetting()))
}

#[test]
fn models_that_plainly_run_for_ever_give_names_again() {
    let forgets = |main: &str, class: &str| {
        let options = Options::default().names_by_loops(true);
        let machine = unchecked(&format!("{PING}\n{class}\n{{ {main} }}"), &options);
        (machine.settings.names == Naming::Forget, machine.features().terminating)
    };
    assert_eq!(forgets("I c = new C(null); while (True) { await c!ping(); }", ""), (true, false));
    assert_eq!(
        forgets("new A();", "class A { Unit run() { suspend; this!run(); } }"),
        (true, false)
    );
    assert_eq!(
        forgets("I c = new C(null); Int i = 0; while (i < 9) { await c!ping(); i = i + 1; }", ""),
        (false, true)
    );
}

#[test]
fn loops_of_calls_that_are_waited_for_come_back_to_the_same_states() {
    let create = "I d = new C(null); I c = new C(d);";
    for call in [
        "await c!ping();",
        "c.ping();",
        "Fut<Unit> f = c!ping(); await f?;",
        "Fut<Unit> f = c!ping(); f.get;",
        "Int k = await c!number();",
        "await c!relay();",
        "c.relay(); await c!relay();",
    ] {
        let states = states_of(&format!("{create} while (True) {{ {call} }}"), "");
        assert!(states < 100, "{call} {states}");
    }
}

#[test]
fn active_objects_come_back_to_the_same_states() {
    for run in [
        "while (True) { await c!ping(); }",
        "c.ping(); this!run();",
        "await c!ping(); this!again();",
        "Fut<Unit> f = c!ping(); Fut<Unit> g = c!relay(); await f? & g?; this!run();",
    ] {
        let active = format!("class A(I c) {{ Unit run() {{ {run} }} Unit again() {{ this!run(); }} }}");
        let states = states_of("I d = new C(null); I c = new C(d); new A(c); new A(c);", &active);
        assert!(states < 5000, "{run} {states}");
    }
}

/// Who may still be known keeps the name, whatever the caller does.
#[test]
fn futures_that_others_know_keep_their_names() {
    let text = "module M;
        interface I { Int m(Int k); Unit keep(Fut<Int> f); Int kept(); }
        class C implements I {
            Fut<Int> f;
            Int m(Int k) { return k; }
            Unit keep(Fut<Int> f) { this.f = f; }
            Int kept() { return f.get; }
        }
        {
            I c = new C();
            Fut<Int> f = c!m(1);
            Int one = f.get;
            await c!keep(f);
            Fut<Int> g = c!m(2);
            Int two = g.get;
            Int again = await c!kept();
            assert again == 1 && two == 2;
        }";
    let outcome = explore(&model(text, &forgetting()), "naive");
    assert_eq!(outcome.verdict, Verdict::Complete, "{outcome:?}");
}

#[test]
fn an_exception_that_nobody_asked_for_is_not_forgotten_with_the_name() {
    let text = "module M; exception E; exception F;
        interface I { Unit m(Int k); }
        class C implements I { Unit m(Int k) { if (k == 0) { throw E; } if (k == 1) { throw F; } } }
        { I c = new C(); Int k = 0; while (k < 3) { Fut<Unit> f = c!m(k); await f?; k = k + 1; } }";
    let outcome = explore(&model(text, &forgetting()), "naive");
    let mut messages: Vec<String> = outcome.failures.iter().map(|found| found.failure.message.clone()).collect();
    messages.sort();
    assert_eq!(messages, ["uncaught E in M.C.m", "uncaught F in M.C.m"]);
}

#[test]
fn a_task_that_leaves_others_behind_keeps_its_name() {
    // If the second `work` had the name of the first, its `note` would have the name of one that may still be pending.
    let text = "module M;
        interface I { Unit work(Int k); Unit note(Int k); }
        class C(I log) implements I {
            Int sum = 0;
            Unit work(Int k) { log!note(k); }
            Unit note(Int k) { sum = sum + k; }
        }
        { I log = new C(null); I c = new C(log); await c!work(1); await c!work(2); await c!work(4); }";
    let outcome = explore(&model(text, &forgetting()), "naive");
    let growing = explore(&model(text, &Options::default()), "naive");
    assert_eq!(
        (outcome.verdict, outcome.counts.executions),
        (Verdict::Complete, growing.counts.executions),
        "the notes come in every order"
    );
}

#[test]
fn thousands_of_calls_need_one_future_and_few_names() {
    let text = "module M; interface I { Unit m(); } class C implements I { Int x = 0; Unit m() { x = x + 1; } }
        { I c = new C(); Int i = 0; while (i < 3000) { await c!m(); i = i + 1; } }";
    let machine = unchecked(text, &forgetting());
    let mut run = machine.start();
    let mut draw = || 0;
    while let Some(next) = machine.some_enabled(&run, &mut draw) {
        Program::step(&machine, &mut run, next, &mut Effects::default());
    }
    assert_eq!((run.futures.next_index(), machine.ids.tasks.len()), (2, 3));
    let outcome = explore(&machine, "naive");
    assert_eq!((outcome.verdict, outcome.counts.executions), (Verdict::Complete, 1));
}

/// All that a task starts has names that were given before if its own was: events of different lives would be taken for one another.
#[test]
fn who_tells_events_apart_by_names_does_not_take_models_that_give_them_again() {
    let text = "module G;
        interface S { Int inc(Int k); Int relay(Int k); Int twice(Int k); }
        class Leaf implements S {
            Int n = 0;
            Int inc(Int k) { n = (n * 2 + k) % 11; return n; }
            Int relay(Int k) { return n; }
            Int twice(Int k) { await True; return n; }
        }
        class Mid(S t, S u) implements S {
            Int n = 0;
            Int inc(Int k) { n = n + k; return n; }
            Int relay(Int k) { Int r = await t!inc(k); n = r; assert r != 3; return r; }
            Int twice(Int k) { Int r = await u!inc(k); n = n + r; Int q = await t!inc(k + r); return q; }
        }
        interface A { Unit run(); }
        class Active(S m, S t) implements A {
            Int z = 0;
            Unit run() { z = z + 1; Int v = await m!twice(1); Int w = await t!twice(0); if (z < 2) { this!run(); } }
        }
        { S t = new Leaf(); S u = t; S m = new Mid(t, u); A a = new Active(m, t); m!relay(2); }";
    let machine = unchecked(text, &Options::default().names_by_loops(true));
    let fits = |name: &str| Algorithm::parse(name).unwrap_or_else(|e| panic!("{e}")).fits(machine.features());
    for name in ["optimal", "source", "dpor", "optimal+context", "source+merge", "stateful+source"] {
        let refusal = fits(name).expect_err(name).to_string();
        assert!(refusal.contains("names of processes are given again"), "{refusal}");
    }
    let mut search = stateful_search(
        &machine,
        &SearchOptions::new(Algorithm::parse("stateful").unwrap_or_else(|e| panic!("{e}"))),
        StatefulOptions::default(),
    )
    .unwrap_or_else(|e| panic!("{e}"));
    while search.advance(10_000) == Status::Running {}
    assert_eq!(search.outcome().verdict, Verdict::Violation);
    let growing = unchecked(text, &Options::default());
    assert_eq!(explore(&growing, "optimal").verdict, Verdict::Violation);
    assert_eq!(explore(&growing, "source").verdict, Verdict::Violation);
}
