//! Time: the clock, waiting for it, deadlines.

use crate::run::common::{explore, model, run, unchecked, with_main};
use mazurka_abs::model::Options;
use mazurka_abs::run::{AwaitSemantics, Settings};
use mazurka_core::{Algorithm, FailureKind, Options as SearchOptions, StatefulOptions, Status, Verdict, stateful_search};

/// The distinct messages of all failures, sorted, with every sound way to search; none: there is no failure.
fn failures(text: &str) -> Vec<String> {
    let mut all: Vec<Vec<String>> = Vec::new();
    for await_semantics in [AwaitSemantics::Formal, AwaitSemantics::Release] {
        let options = Options::default().settings(Settings {
            await_semantics,
            ..Settings::default()
        });
        let machine = model(text, &options);
        for algorithm in ["naive", "source", "optimal", "source+merge", "optimal+observers"] {
            let outcome = explore(&machine, algorithm);
            assert_ne!(outcome.verdict, Verdict::Incomplete, "{algorithm}");
            let mut found: Vec<String> = outcome.failures.iter().map(|f| f.failure.message.clone()).collect();
            found.sort();
            found.dedup();
            all.push(found);
        }
    }
    assert!(all.windows(2).all(|w| w[0] == w[1]), "{all:?}");
    all.swap_remove(0)
}

#[track_caller]
fn holds(text: &str) {
    assert_eq!(failures(text), [""; 0]);
}

const CLASS: &str =
    "interface I { Unit wait(Rat least, Rat most); Unit block(Rat least, Rat most); Int now(); Int seen(); Unit note(Int n); Unit tick(); }
    class C implements I {
        Int seen = 0;
        Unit wait(Rat least, Rat most) { await duration(least, most); seen = truncate(timeValue(now())); }
        Unit block(Rat least, Rat most) { duration(least, most); seen = truncate(timeValue(now())); }
        Int now() { return truncate(timeValue(now())); }
        Int seen() { return seen; }
        Unit note(Int n) { seen = seen * 10 + n; }
        Unit tick() { await duration(1, 1); }
    }";

#[test]
fn a_single_task_waits_for_as_long_as_it_may() {
    holds(&with_main(
        "",
        "Time t = now(); duration(1/2, 5); assert timeDifference(t, now()) == 5; await duration(2, 3); assert now() == Time(8);",
    ));
    holds(&with_main(
        "",
        "duration(3, 1); assert now() == Time(3); duration(-2, -1); assert now() == Time(3);",
    ));
    holds(&with_main(
        "",
        "duration(2); assert now() == Time(2); await duration(2) & duration(1, 4); assert now() == Time(6);",
    ));
}

#[test]
fn the_clock_stops_at_the_first_last_moment_and_wakes_all_that_may_go_on_then() {
    // The example of the manual: (4, 6) and (3, 5) meet at 5.
    holds(&with_main(
        CLASS,
        "I a = new C(); I b = new C(); a!wait(4, 6); b!wait(3, 5); duration(7, 7);
         Int x = a.seen(); Int y = b.seen(); assert x == 5; assert y == 5; assert now() == Time(7);",
    ));
    // With (6, 7) there are two moments.
    holds(&with_main(
        CLASS,
        "I a = new C(); I b = new C(); a!wait(6, 7); b!wait(3, 5); duration(9, 9); Int x = a.seen(); Int y = b.seen(); assert x == 7; assert y == 5;",
    ));
}

#[test]
fn time_does_not_pass_as_long_as_a_task_can_move() {
    holds(&with_main(
        CLASS,
        "I a = new C(); I b = new C(); b!wait(0, 0); Fut<Int> f = a!now(); duration(4, 4); Int n = f.get; assert n == 0;",
    ));
}

#[test]
fn a_duration_blocks_the_cog_and_its_await_does_not() {
    let wait = |how: &str| {
        with_main(
            CLASS,
            &format!("I a = new C(); Fut<Unit> f = a!{how}(2, 2); Int n = await a!now(); f.get; assert n == 0;"),
        )
    };
    holds(&wait("wait"));
    assert_eq!(failures(&wait("block")).len(), 1, "the question may come while the cog is blocked");
}

#[test]
fn who_may_go_on_at_the_same_moment_goes_on_in_any_order() {
    let text = "interface I { Unit note(Int n, Rat least, Rat most); Int seen(); }
        class C implements I { Int seen = 0; Unit note(Int n, Rat least, Rat most) { await duration(least, most); seen = seen * 10 + n; } Int seen() { return seen; } }";
    let main =
        |second: &str| format!("I a = new C(); a!note(1, 1, 2); a!note(2, {second}); duration(9, 9); Int n = a.seen(); assert n == 12;");
    assert_eq!(failures(&with_main(text, &main("2, 2"))).len(), 1);
    holds(&with_main(text, &main("3, 3")));
}

#[test]
fn a_guard_waits_for_time_and_for_all_else() {
    let text = "interface I { Unit wait(); Unit set(); Int seen(); }
        class C implements I { Bool ok = False; Int seen = 0; Unit wait() { await duration(2, 2) & ok; seen = truncate(timeValue(now())); }
            Unit set() { await duration(3, 3); ok = True; } Int seen() { return seen; } }";
    holds(&with_main(
        text,
        "I a = new C(); a!wait(); a!set(); duration(9, 9); Int n = a.seen(); assert n == 3;",
    ));
    let late = text.replace("duration(2, 2) & ok", "duration(5, 5) & ok");
    holds(&with_main(
        &late,
        "I a = new C(); a!wait(); a!set(); duration(9, 9); Int n = a.seen(); assert n == 5;",
    ));
    let future = "Fut<Unit> f = a!tick(); await duration(1/2, 1/2) & f?; assert now() == Time(1);";
    holds(&with_main(CLASS, &format!("I a = new C(); {future}")));
}

#[test]
fn a_deadline_comes_nearer() {
    let text = "interface I { Unit m(); Int a(); Int b(); Int c(); }
        class C implements I { Int a = 0; Int b = 0; Int c = 0;
            Unit m() { a = truncate(durationValue(deadline())); await duration(2, 2); b = truncate(durationValue(deadline())); duration(30, 30);
                c = truncate(durationValue(deadline())); }
            Int a() { return a; } Int b() { return b; } Int c() { return c; } }";
    holds(&with_main(
        text,
        "I o = new C(); [Deadline: Duration(10)] await o!m(); Int a = o.a(); Int b = o.b(); Int c = o.c();
         assert a == 10; assert b == 8; assert c == 0; assert isDurationInfinite(deadline());",
    ));
}

#[test]
fn a_deadline_that_is_missed_is_a_failure_if_wanted() {
    let text = with_main(
        CLASS,
        "I a = new C(); [Deadline: Duration(3)] a!wait(3, 3); [Deadline: Duration(3)] a!wait(4, 4); duration(9, 9);",
    );
    let failures = |missed_deadlines: bool| {
        let options = Options::default().settings(Settings {
            missed_deadlines,
            ..Settings::default()
        });
        let outcome = explore(&model(&text, &options), "optimal");
        outcome.failures.iter().map(|f| f.failure.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(failures(false), [""; 0]);
    assert_eq!(failures(true), ["deadline missed: C 0.wait(4, 4) has not ended"]);
}

#[test]
fn a_model_that_never_asks_for_the_time_comes_back_to_its_states() {
    let text = "interface I { Unit tick(); } class C implements I { Unit tick() { while (True) { await duration(1, 2); } } }
        { I a = new C(); a!tick(); }";
    let machine = unchecked(&format!("module M; {text}"), &Options::default());
    let stateful = Algorithm::parse("stateful").expect("known");
    let mut search = stateful_search(&machine, &SearchOptions::new(stateful), StatefulOptions::default()).expect("fits every model");
    while search.advance(10_000) == Status::Running {}
    assert_eq!(search.outcome().verdict, Verdict::Complete);
}

#[test]
fn a_task_that_nobody_wakes_is_a_deadlock_once_time_cannot_help() {
    let text = with_main("", "Bool b = False; Fut<Int> f; duration(1, 1); await duration(1, 1) & b;");
    let outcome = explore(&model(&text, &Options::default()), "optimal");
    assert_eq!(outcome.failures.len(), 1);
    assert_eq!(outcome.failures[0].failure.kind, FailureKind::Deadlock);
    assert_eq!(
        run(&unchecked(&text, &Options::default())).1.map(|f| f.kind),
        Some(FailureKind::Deadlock)
    );
}

#[test]
fn a_guard_cannot_ask_for_the_time() {
    let refused = |main: &str| mazurka_abs::model::open_text("m.abs", &with_main("", main), &Options::default()).is_err();
    assert!(refused("duration(1, 1); await timeValue(now()) > 3;"));
    assert!(refused("duration(1, 1); await deadline() == InfDuration;"));
    assert!(!refused("await timeValue(now()) == 0;"), "time stands still");
}

#[test]
fn durations_are_numbers_and_stand_where_a_task_may_wait() {
    let refused = |text: &str| mazurka_abs::model::open_text("m.abs", &format!("module M; {text}"), &Options::default()).is_err();
    assert!(refused("{ duration(True, 1); }"));
    assert!(refused("{ await duration(1, 1.5); }"));
    assert!(refused("{ duration(); }"));
    assert!(refused("class C { { duration(1, 1); } } { new C(); }"));
    assert!(refused("class C { [Atomic] Unit m() { duration(1, 1); } } { new C(); }"));
}
