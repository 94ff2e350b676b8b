//! `random` inside anonymous functions, initialisers, guards and functions that call themselves.

use crate::run::common::{explore, model, unchecked, with_main};
use mazurka_abs::model::{Options, open_text};
use mazurka_abs::run::state::{Run, Stopped};
use mazurka_abs::run::{Machine, Settings};
use mazurka_core::{Effects, FailureKind, Footprint, Pending, Process, Program, Transition};

fn step(machine: &Machine, run: &mut Run, process: u32) -> Effects {
    let mut effects = Effects::default();
    machine.step(run, process, 0, &mut effects);
    effects
}

fn enabled(machine: &Machine, run: &Run, process: u32) -> bool {
    let mut pending: Vec<Pending> = Vec::new();
    machine.pending(run, &mut pending);
    pending.iter().any(|p| p.transition.process == Process(process) && p.enabled)
}

#[test]
fn a_choice_in_an_anonymous_function_keeps_the_cog() {
    let classes = "
        interface I { Unit choose(); Unit set(Int n); }
        class C implements I {
            Int x = 0;
            Unit choose() { List<Int> l = map((Int k) => random(2))(list[1, 2]); x = x * 2 + head(l); }
            Unit set(Int n) { x = n; }
        }";
    let machine = model(&with_main(classes, "I a = new C(); a!choose(); a!set(1);"), &Options::default());
    let mut run = machine.start();
    step(&machine, &mut run, 0);
    assert!(enabled(&machine, &run, 2));
    step(&machine, &mut run, 1);
    assert!(
        !enabled(&machine, &run, 2),
        "the other task has to wait until the numbers are chosen"
    );
    for algorithm in ["naive", "source", "optimal"] {
        assert_eq!(explore(&machine, algorithm).distinct_final_states, Some(3), "{algorithm}");
    }
}

#[test]
fn a_function_that_is_passed_on_without_choices_keeps_nothing() {
    let classes = "
        interface I { Unit choose(); Unit sum(); }
        class C implements I {
            Int x = 0;
            Unit choose() { x = random(2); }
            Unit sum() { x = foldr((Int a, Int b) => a + b)(list[1, 2], 0); }
        }";
    let machine = model(&with_main(classes, "I a = new C(); a!choose(); a!sum();"), &Options::default());
    let mut run = machine.start();
    step(&machine, &mut run, 0);
    let control = run.cogs.get(1).control;
    let writes = |process: u32| {
        let transition = Transition {
            process: Process(process),
            choice: 0,
        };
        let mut footprint = Footprint::new();
        machine.footprint(&run, transition, &mut footprint);
        footprint.accesses().iter().any(|a| a.location == control && a.maybe)
    };
    assert_eq!([writes(1), writes(2)], [true, false]);
}

#[test]
fn others_run_while_a_number_is_chosen() {
    let class = |choice: &str| {
        format!(
            "interface I {{ Unit wait(I o); Int number(); }}
            class D {{ Int y = random(2); }}
            class C implements I {{
                Unit wait(I o) {{ Fut<Int> f = o!number(); {choice} await f?; }}
                Int number() {{ return 1; }}
            }}"
        )
    };
    for choice in [
        "Int n = random(2);",
        "List<Int> l = map((Int k) => random(2))(list[1]);",
        "new D();",
    ] {
        let text = with_main(&class(choice), "I a = new C(); I b = new C(); a!wait(b);");
        let machine = model(&text, &Options::default());
        let mut run = machine.start();
        // The future is resolved before the number is chosen.
        for process in [0, 1, 2, 1] {
            step(&machine, &mut run, process);
        }
        let stopped = &run.live[0].task.stopped;
        assert!(
            matches!(stopped, Stopped::Look(_)),
            "{choice} It must look at the future: {stopped:?}"
        );
        step(&machine, &mut run, 1);
        assert!(run.live.is_empty(), "{choice} It goes on at once");
    }
}

#[test]
fn a_state_may_come_back_after_a_choice() {
    let six = "def Int six() = when random(6) == 5 then 6 else six();";
    let even = "def Bool even(Int n) = when random(2) == 0 then True else odd(n);";
    let odd = "def Bool odd(Int n) = when random(2) == 0 then False else even(n);";
    let late = "def Int late(Int n) = when n == 0 then random(2) else late(n - 1);";
    let sum = "def Int sum(Int n) = when n == 0 then 0 else random(2) + sum(n - 1);";
    let terminates = |functions: &str, main: &str| {
        let machine = unchecked(&with_main(functions, main), &Options::default());
        machine.features().terminating
    };
    assert!(!terminates(six, "Int n = six();"));
    assert!(!terminates(&format!("{even}\n{odd}"), "Bool b = even(1);"));
    assert!(terminates(late, "Int n = late(3);"), "nothing is chosen on the way round");
    assert!(terminates(sum, "Int n = sum(3);"), "the stack grows");
    let again = "Int n = 1; while (n == 1) { n = head(map((Int k) => random(2))(list[1])); }";
    assert!(!terminates("", again));
    assert!(
        terminates("", &again.replace("random(2)", "k - 1")),
        "there is no scheduling point in the loop"
    );
}

#[test]
fn there_is_no_choice_in_a_guard_a_recover_block_or_a_property() {
    let refused = |declarations: &str, main: &str, property: Option<&str>| {
        let options = Options::default().property(property.map(str::to_owned));
        let (_, diagnostics) =
            open_text("choice.abs", &with_main(declarations, main), &options).expect_err("a choice that nothing can try");
        diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("\n")
    };
    let lucky = "def Bool lucky(Int n) = random(n) == 0;";
    let class = "class C { recover { _ => if (lucky(2)) skip; } }";
    for (declarations, main, property, place) in [
        ("", "await random(3) == 0;", None, "a guard"),
        (lucky, "await lucky(3);", None, "a guard"),
        (
            "",
            "await length(filter((Int n) => n == random(2))(list[1])) == 0;",
            None,
            "a guard",
        ),
        (&format!("{lucky} {class}"), "", None, "a recover block"),
        (lucky, "", Some("lucky(2)"), "a property"),
    ] {
        let said = refused(declarations, main, property);
        assert!(said.contains(&format!("`random` cannot be used in {place}")), "{said}");
    }
}

#[test]
fn a_recover_block_does_not_wait_through_what_it_calls() {
    let model = |recover: &str, method: &str| {
        format!(
            "module M; interface J {{ Unit w(); }}
             class D implements J {{ Unit w() {{ skip; }} }}
             class E implements J {{ Int q = random(2); Unit w() {{ skip; }} }}
             interface I {{ Int a(); }}
             class C(J o) implements I {{
               Int s = 0;
               Int a() {{ return truncate(1/s); }}
               recover {{ DivisionByZeroException => {recover} }}
               Unit h() {{ {method} }}
             }}
             {{ J o = new D(); I i = new C(o); Fut<Int> f = i!a(); Int v = f.get; }}"
        )
    };
    let refused = |recover: &str, method: &str| open_text("m.abs", &model(recover, method), &Options::default()).is_err();
    assert!(!refused("this.h();", "s = 1;"), "what does not wait is fine");
    assert!(!refused("o!w();", "skip;"));
    for (recover, method) in [
        ("this.h();", "suspend;"),
        ("this.h();", "await s == 1;"),
        ("this.h();", "Int n = random(2);"),
        ("o.w();", "skip;"),
        ("{ J e = new E(); }", "skip;"),
        ("{ J e = new local E(); }", "skip;"),
    ] {
        assert!(refused(recover, method), "{recover} {method}");
    }
}

#[test]
fn a_guard_that_was_given_up_leaves_nothing_behind() {
    let declarations = "
        def Int count(Int n) = 1 + count(n + 1);
        interface I { Unit endless(); Unit patient(); Unit set(); }
        class C implements I {
            Int x = 0;
            Unit endless() { await count(x) == 0; }
            Unit patient() { await x == 1; }
            Unit set() { x = 1; }
        }";
    let options = Options::default().settings(Settings {
        step_budget: 1_000,
        ..Settings::default()
    });
    let main = "I a = new C(); a!endless(); a!patient(); a!set();";
    let machine = unchecked(&with_main(declarations, main), &options);
    let mut run = machine.start();
    step(&machine, &mut run, 0);
    let failure = step(&machine, &mut run, 1).failure;
    assert_eq!(failure.map(|f| f.kind), Some(FailureKind::Limit));
    assert_eq!(step(&machine, &mut run, 2).failure, None);
    assert!(!enabled(&machine, &run, 2));
    step(&machine, &mut run, 3);
    assert!(enabled(&machine, &run, 2));
}
