//! Options of a model: parameters, properties, the choice of the main block, choices of the checker.

use crate::run::common::{explore, model, run, with_main};
use mazurka_abs::model::{Options, open_text, open_texts};

fn set(name: &str, value: &str) -> Options {
    Options::default().parameters(vec![(name.to_owned(), value.to_owned())])
}

fn refused(text: &str, options: &Options) -> String {
    match open_text("model.abs", text, options) {
        Ok(_) => panic!("must be refused"),
        Err((sources, diagnostics)) => diagnostics.render(&sources, false),
    }
}

const COUNT: &str = "def Int n() = 5; def List<Int> l() = Nil;";

#[test]
fn a_function_without_parameters_is_a_parameter_of_the_model() {
    let text = with_main(COUNT, "println(toString(Pair(n(), l())));");
    assert_eq!(run(&model(&text, &Options::default())).0, "Pair(5,list[])\n");
    assert_eq!(run(&model(&text, &set("n", "7 * 6"))).0, "Pair(42,list[])\n");
    assert_eq!(run(&model(&text, &set("l", "list[1, n()]"))).0, "Pair(5,list[1,5])\n");
}

#[test]
fn wrong_parameters_are_refused() {
    let text = with_main(COUNT, "println(toString(n()));");
    insta::assert_snapshot!(refused(&text, &set("m", "7")));
    insta::assert_snapshot!(refused(&text, &set("n", "True")));
    insta::assert_snapshot!(refused(&text, &set("n", "7 +")));
}

const RACE: &str = "interface I { Int inc(Int by); } class C implements I { Int x = 0; Int inc(Int by) { x = x * 2 + by; return x; } }";
const RACE_MAIN: &str = "I o = new C(); Fut<Int> f = o!inc(1); Fut<Int> g = o!inc(2); Int a = f.get; Int b = g.get;";

fn property(text: &str) -> Options {
    Options::default().property(Some(text.to_owned()))
}

#[test]
fn a_property_is_checked_at_the_end_of_every_execution() {
    let text = with_main(RACE, RACE_MAIN);
    let holds = explore(&model(&text, &property("a + b == 5 || a + b == 7")), "optimal");
    assert!(holds.failures.is_empty());
    let fails = explore(&model(&text, &property("a < b")), "optimal");
    assert_eq!(fails.failures.len(), 1);
    let message = &fails.failures[0].failure.message;
    assert!(
        message.starts_with("property `a < b` does not hold at the end:") && message.ends_with("a = 5, b = 2"),
        "{message}"
    );
}

#[test]
fn wrong_properties_are_refused() {
    let text = with_main(RACE, RACE_MAIN);
    insta::assert_snapshot!(refused(&text, &property("a < c")));
    insta::assert_snapshot!(refused(&text, &property("a + b")));
}

#[test]
fn one_of_several_main_blocks_runs() {
    let text = "module A; { println(\"a\"); } module B; { println(\"b\"); }";
    let with = |main: Option<&str>| Options::default().main(main.map(str::to_owned));
    assert_eq!(run(&model(text, &with(Some("A")))).0, "a\n");
    assert_eq!(run(&model(text, &with(None))).0, "b\n");
    insta::assert_snapshot!(refused(text, &with(Some("C"))));
    insta::assert_snapshot!(refused("module M; def Int f() = 1;", &Options::default()));
}

#[test]
fn a_model_without_a_main_block_is_checked_all_the_same() {
    insta::assert_snapshot!(refused("module M; def Int f() = True; def Bool g() = h();", &Options::default()));
}

#[test]
fn the_choice_among_several_main_blocks_is_mentioned() {
    let text = "module A; { println(\"a\"); } module B; { println(\"b\"); }";
    let Ok(opened) = open_text("model.abs", text, &Options::default()) else {
        panic!("must be accepted")
    };
    insta::assert_snapshot!(opened.diagnostics.render(&opened.machine.sources, false));
}

#[test]
fn a_model_may_have_several_files() {
    let texts = [
        ("lib.abs", "module Lib; export *; def Int twice(Int n) = 2 * n; { skip; }"),
        ("main.abs", "module Main; import * from Lib; { println(toString(twice(4))); }"),
    ];
    let opened = open_texts(texts, &Options::default()).unwrap_or_else(|(sources, d)| panic!("{}", d.render(&sources, false)));
    assert_eq!(run(&opened.machine).0, "8\n");
}

#[test]
fn random_is_a_choice_of_the_checker() {
    let main = "Int a = random(3); Int b = random(2) + random(2); Int c = random(1);";
    let machine = model(&with_main("", main), &property("a >= 0 && a < 3 && b < 3 && c == 0"));
    for algorithm in ["naive", "optimal", "source"] {
        let outcome = explore(&machine, algorithm);
        assert!(outcome.failures.is_empty());
        assert_eq!(
            (outcome.counts.executions, outcome.distinct_final_states),
            (12, Some(9)),
            "{algorithm}"
        );
    }
}

#[test]
fn a_choice_of_too_many_numbers_is_refused() {
    let machine = model(&with_main("", "Int a = random(1000000000000);"), &Options::default());
    let failure = run(&machine).1.expect("a failure");
    assert!(failure.message.contains("more than 1000000 random numbers"), "{}", failure.message);
}

#[test]
fn random_may_stand_deep_inside_functions() {
    let functions =
        "def Int roll() = 1 + random(2); def List<Int> throw_dice(Int n) = when n == 0 then Nil else Cons(roll(), throw_dice(n - 1));";
    let machine = model(&with_main(functions, "List<Int> l = throw_dice(3);"), &property("length(l) == 3"));
    let outcome = explore(&machine, "optimal");
    assert_eq!((outcome.counts.executions, outcome.distinct_final_states), (8, Some(8)));
}
