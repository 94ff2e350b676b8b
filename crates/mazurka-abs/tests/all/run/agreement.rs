//! Every sound algorithm in many orders tells the same of a model as brute force, and both tell what is true by hand.

use crate::run::common::{model, with_main};
use mazurka_abs::model::Options;
use mazurka_abs::run::state::Run;
use mazurka_abs::run::{AwaitSemantics, Machine, Settings};
use mazurka_core::{Algorithm, Dependency, Ending, Observer, Options as SearchOptions, Order, Outcome, Program, Status, Transition};
use std::cell::RefCell;
use std::collections::BTreeSet;

const DEPENDENCIES: [Dependency; 2] = [Dependency::Actor, Dependency::Field];
const SEMANTICS: [AwaitSemantics; 2] = [AwaitSemantics::Formal, AwaitSemantics::Release];

/// The fingerprints of the final states.
struct Ends<'a> {
    machine: &'a Machine,
    found: &'a RefCell<BTreeSet<u128>>,
}

impl Observer<Run> for Ends<'_> {
    fn execution(&mut self, _: &[Transition], run: &Run, ending: Ending) {
        if matches!(ending, Ending::Finished | Ending::Deadlock) {
            self.found.borrow_mut().insert(self.machine.fingerprint(run));
        }
    }
}

fn search(machine: &Machine, algorithm: Algorithm, order: Order) -> (Outcome, BTreeSet<u128>) {
    let found = RefCell::default();
    let mut options = SearchOptions::new(algorithm);
    options.keep_going = true;
    options.final_states = true;
    options.order = order;
    options.limits.executions = Some(100_000);
    let observer = Ends { machine, found: &found };
    let mut search = mazurka_core::search(machine, &options, observer).unwrap_or_else(|e| panic!("{e}"));
    while search.advance(1_000_000) == Status::Running {}
    let outcome = search.outcome();
    drop(search);
    (outcome, found.into_inner())
}

/// Kind, place and message of every failure.
fn failures(outcome: &Outcome) -> BTreeSet<String> {
    let text = |f: &mazurka_core::FoundFailure| format!("{:?} at {:?}: {}", f.failure.kind, f.failure.at, f.failure.message);
    outcome.failures.iter().map(text).collect()
}

/// Kind and place of every failure: what is kept where final values are not.
fn places(outcome: &Outcome) -> BTreeSet<String> {
    let text = |f: &mazurka_core::FoundFailure| format!("{:?} at {:?}", f.failure.kind, f.failure.at);
    outcome.failures.iter().map(text).collect()
}

/// What all algorithms say in all orders, both dependencies and both meanings of `await`: the parts of the failures' messages, in any order.
fn all_say(declarations: &str, main: &str, expected: &[&str]) {
    let text = with_main(declarations, main);
    for await_semantics in SEMANTICS {
        says(&text, await_semantics, expected);
    }
}

/// As [`all_say`], with one meaning of `await`.
fn says(text: &str, await_semantics: AwaitSemantics, expected: &[&str]) {
    for dependency in DEPENDENCIES {
        let options = Options::default().settings(Settings {
            dependency,
            await_semantics,
            ..Settings::default()
        });
        let machine = model(text, &options);
        let naive = Algorithm::parse("naive").unwrap_or_else(|e| panic!("{e}"));
        let (truth, states) = search(&machine, naive, Order::Fifo);
        let found = failures(&truth);
        assert_eq!(found.len(), expected.len(), "{await_semantics:?}: {found:#?}");
        for part in expected {
            assert!(found.iter().any(|f| f.contains(part)), "{part}: {found:#?}");
        }
        for algorithm in Algorithm::all() {
            let about = algorithm.about();
            if !about.sound || algorithm.fits(machine.features()).is_err() {
                continue;
            }
            for order in std::iter::once(Order::Fifo).chain((1..=20).map(Order::Random)) {
                let (outcome, ends) = search(&machine, algorithm, order);
                let what = || format!("{} {order:?} {dependency} {await_semantics:?}\n{text}", about.name);
                assert_eq!(places(&outcome), places(&truth), "failures: {}", what());
                if about.name.contains("observers") {
                    continue;
                }
                assert_eq!(failures(&outcome), found, "failures: {}", what());
                // A stateful search shows no executions, but counts their ends.
                let count = outcome.distinct_final_states;
                assert_eq!(count, Some(states.len() as u64), "final states: {}", what());
                if !about.name.starts_with("stateful") {
                    assert_eq!(ends, states, "final states: {}", what());
                }
            }
        }
    }
}

#[test]
fn an_assertion_that_leaves_no_trace_in_fields_is_found() {
    let class = "interface I { Unit s(); Unit t(); } class A implements I { Int x = 0; Unit s() { x = 1; } Unit t() { assert x == 0; } }";
    all_say(class, "I a = new A(); a!t(); a!s();", &["assertion failed in M.A.t"]);
}

#[test]
fn different_exceptions_that_nobody_reads_are_different_ends() {
    let class = "interface I { Unit s(); Int t(); }
        class A implements I {
            Int x = 0;
            Unit s() { x = 1; }
            Int t() { Int r = 1; if (x == 0) { r = truncate(r / x); } else { r = head(Nil); } return r; }
        }";
    let main = "I a = new A(); Fut<Int> f = a!t(); a!s();";
    all_say(class, main, &["DivisionByZeroException in", "PatternMatchFailException in"]);
}

#[test]
fn calls_through_a_field_are_told_apart_by_their_receiver() {
    let class = "interface N { Int get(); }
        class Number(Int n) implements N { Int get() { return n; } }
        interface I { Unit w(); Unit set(N u); }
        class A(N x) implements I {
            Unit w() { Int r = await x!get(); assert r == 2; }
            Unit set(N u) { x = u; }
        }";
    let main = "N one = new Number(1); N two = new Number(2); I a = new A(one); a!w(); a!set(two);";
    all_say(class, main, &["where r is 1"]);
}

#[test]
fn a_task_may_wait_for_the_end_of_main() {
    let class = "interface I { Unit w(Destiny f); Unit n(); }
        class A implements I { Int x = 0; Unit w(Destiny f) { await f?; x = x + 1; } Unit n() { x = 2 * x; } }";
    all_say(class, "I a = new A(); a!w(destiny); a!n(); suspend;", &[]);
}

#[test]
fn a_future_chosen_by_a_condition_may_be_the_one_that_is_not_resolved() {
    let class = "interface B { Int slow(); Int fast(); Unit go(); }
        class Callee implements B {
            Bool open = False;
            Int slow() { await open; return 1; }
            Int fast() { return 2; }
            Unit go() { open = True; }
        }
        interface I { Unit w(B b, Bool c); Unit n(); }
        class A implements I {
            Int x = 0;
            Unit w(B b, Bool c) {
                Fut<Int> g = b!slow();
                Fut<Int> h = b!fast();
                await h?;
                Fut<Int> f = when c then g else h;
                x = f.get;
            }
            Unit n() { x = 2 * x + 1; }
        }";
    all_say(class, "B b = new Callee(); I a = new A(); a!w(b, True); a!n(); b!go();", &[]);
}

#[test]
fn an_object_in_the_cog_of_its_maker_is_another_one_than_in_a_cog_of_its_own() {
    let class = "interface J { Int m(); }
        class B implements J { Int m() { return 1; } }
        interface I { Unit s(); Unit go(); }
        class A implements I {
            Int x = 0;
            Unit s() { x = 1; }
            Unit go() {
                J b = null;
                if (x == 0) { b = new local B(); } else { b = new B(); }
                suspend;
                Fut<Int> f = b!m();
                Int v = f.get;
            }
        }";
    all_say(class, "I a = new A(); a!go(); a!s();", &["Deadlock"]);
}

#[test]
fn a_field_may_get_a_future_that_is_not_resolved_while_a_task_waits_for_it() {
    let class = "interface B { Int now(); Int never(); }
        class Callee implements B { Int x = 0; Int now() { return 1; } Int never() { await x == 1; return 2; } }
        interface I { Unit w(B b); Unit z(B b); }
        class A implements I {
            Fut<Int> g; Int y = 0;
            Unit w(B b) { g = b!now(); await g?; y = y + 1; }
            Unit z(B b) { g = b!never(); }
        }";
    let main = "B b = new Callee(); I a = new A(); a!w(b); a!z(b);";
    all_say(class, main, &["waits for ever: Callee 0.never", "waits for ever: A 1.w"]);
}

#[test]
fn tasks_of_an_object_wait_for_an_initialiser_that_blocks() {
    let class = "interface S { Int v(); }
        class Server implements S { Int v() { return 1; } }
        interface I { }
        class C(S s) implements I { Int x = 0; { this!m(); x = s.v(); } Unit m() { x = 2 * x + 1; } }
        class Maker(S s) implements I { Int y = 0; { this!go(); this!n(); } Unit go() { I c = new C(s); y = y + 1; } Unit n() { y = 2 * y; } }";
    all_say(class, "S s = new Server(); I c = new C(s);", &[]);
    all_say(class, "S s = new Server(); I c = new Maker(s);", &[]);
    all_say(class, "S s = new Server(); I c = new local Maker(s); I d = new C(s);", &[]);
}

#[test]
fn an_initialiser_that_waits_in_a_call_goes_on_when_both_its_cogs_are_free() {
    let class = "interface J { Int v(); Unit n(); }
        class Inner(J out) implements J {
            Int y = 0;
            { y = out.v(); }
            Int v() { return y; }
            Unit n() { y = 2 * y + 1; }
        }
        class Outer implements J {
            Int x = 0; J i;
            { this!n(); i = new local Inner(this); x = x + 2; }
            Int v() { await x == 1; return 5; }
            Unit n() { x = 1; }
        }
        interface M { Unit make(); Unit other(); }
        class Maker implements M { Int z = 0; Unit make() { J o = new Outer(); z = z + 1; } Unit other() { z = 2 * z; } }";
    all_say(class, "M m = new Maker(); m!make(); m!other();", &[]);
}

#[test]
fn a_guard_may_become_true_by_a_call_from_another_object_of_its_cog() {
    let class = "interface J { Unit set(); Unit w(); }
        class B implements J { Int y = 0; Unit set() { y = 1; } Unit w() { await y == 1; y = 2; } }
        interface I { Unit start(); }
        class A implements I {
            J b; Int z = 0;
            { b = new local B(); }
            Unit start() { b!w(); this!go(); this!other(); }
            Unit go() { b.set(); }
            Unit other() { z = 1; }
        }";
    all_say(class, "I a = new A(); a!start();", &[]);
}

#[test]
fn an_object_may_be_ended_by_a_call_from_another_object_of_its_cog() {
    let class = "exception Enough;
        interface J { Unit kill(); Unit m(); }
        class B implements J { Unit kill() { die Enough; } Unit m() { skip; } }
        interface I { Unit start(); }
        class A implements I {
            J b;
            { b = new local B(); }
            Unit start() { b!m(); this!go(); }
            Unit go() { b.kill(); }
        }";
    all_say(class, "I a = new A(); a!start();", &["Enough", "ObjectDeadException"]);
}

#[test]
fn exceptions_that_nobody_reads_do_not_hide_each_other_nor_a_deadlock() {
    let class = "interface I { Int f(Int n); Int h(); Int w(); }
        class A implements I { Int x = 0; Int f(Int n) { return truncate(1 / n); } Int h() { return head(Nil); } Int w() { await x == 1; return 1; } }";
    let main = "I a = new A(); Fut<Int> f = a!f(0); Fut<Int> g = a!w(); Fut<Int> h = a!h();";
    all_say(class, main, &["DivisionByZero", "PatternMatchFail", "Deadlock"]);
}

#[test]
fn each_choice_after_another_is_made_in_every_way() {
    let main = "Int a = random(3); Int b = random(3); assert a != 1 || b != 2; assert a != 2 || b != 1;";
    all_say("", main, &["a != 1 || b != 2", "a != 2 || b != 1"]);
}
