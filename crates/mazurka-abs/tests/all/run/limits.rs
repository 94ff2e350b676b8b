//! What is too large for the tool: never a failure of the model, nothing that it can catch, and no reason to compute for ever.

use crate::run::common::{explore, run, unchecked, with_main};
use mazurka_abs::model::Options;
use mazurka_abs::run::Settings;
use mazurka_core::{FailureKind, Limit, Verdict};

const TREES: &str = "data Tree = Leaf | Node(Tree, Tree); data Nat = Zero | Succ(Nat);";
/// Trees with 2^200 leaves and two hundred nodes.
const LARGE: &str = "Tree t = Leaf; Tree u = Leaf; Int i = 0; while (i < 200) { t = Node(t, t); u = Node(u, u); i = i + 1; }";
/// A hundred thousand constructors inside of each other.
const DEEP: &str = "Nat n = Zero; Nat m = Zero; Int i = 0; while (i < 100000) { n = Succ(n); m = Succ(m); i = i + 1; }";

fn limit_of(main: &str) -> String {
    limit_within(Settings::default().step_budget, main)
}

fn limit_within(step_budget: u64, main: &str) -> String {
    let settings = Settings {
        step_budget,
        ..Settings::default()
    };
    let options = Options::default().settings(settings);
    let outcome = explore(&unchecked(&with_main(TREES, main), &options), "optimal");
    assert_eq!((outcome.verdict, outcome.limit), (Verdict::Incomplete, Some(Limit::Step)), "{main}");
    outcome.large_step.map(|step| step.message).unwrap_or_default()
}

#[test]
fn numbers_and_strings_that_would_fill_the_memory_are_a_limit() {
    for main in [
        "Int n = 3; while (True) { n = n * n; }",
        "Rat r = pow(3, 100000000);",
        "String s = \"abc\"; while (True) { s = s + s; }",
        "String s = \"abc\"; while (True) { s = `$s$ $s$`; }",
    ] {
        assert_eq!(
            limit_of(main),
            "M.main computes a number or text that is too large for this tool",
            "{main}"
        );
    }
}

#[test]
fn no_model_catches_a_limit_of_the_tool() {
    for main in [
        "try { Int n = 3; while (True) { n = n * n; } } catch { HeapOverflowException => skip; _ => skip; }",
        "try { String s = \"abc\"; while (True) { s = s + s; } } catch { _ => skip; } finally { skip; }",
        "try { Int i = 0; while (i >= 0) { i = i + 1; } } catch { _ => skip; }",
    ] {
        limit_of(main);
    }
}

#[test]
fn a_task_that_reaches_a_limit_has_no_exception_for_others_to_catch() {
    let classes = "interface I { Int f(); } class C implements I { Int f() { Int n = 3; while (True) { n = n * n; } return n; } recover { _ => skip; } }";
    let main = "I o = new C(); Fut<Int> f = o!f(); try { await f?; Int r = f.get; } catch { _ => skip; }";
    let outcome = explore(&unchecked(&with_main(classes, main), &Options::default()), "optimal");
    assert_eq!((outcome.verdict, outcome.limit), (Verdict::Incomplete, Some(Limit::Step)));
}

#[test]
fn a_recursion_that_is_too_deep_is_a_limit_of_the_function_that_calls_itself() {
    let functions = "def Int down(Int n) = 1 + down(n + 1); def Int start() = down(0);";
    let settings = Settings {
        step_budget: 10_000_000,
        ..Settings::default()
    };
    let options = Options::default().settings(settings);
    let outcome = explore(&unchecked(&with_main(functions, "Int i = start();"), &options), "optimal");
    assert_eq!((outcome.verdict, outcome.limit), (Verdict::Incomplete, Some(Limit::Step)));
    let step = outcome.large_step.expect("a step that is too large");
    assert_eq!(step.message, "M.down is called more than 1000000 deep");
}

#[test]
fn long_values_count_for_more_than_short_ones() {
    let long = "List<Int> l = Nil; Int i = 0; while (i < 10000) { l = Cons(i, l); i = i + 1; } i = 0;";
    for work in [
        "while (i < 1000000) { Int k = length(l); i = i + 1; }",
        "while (i < 1000000) { List<Int> k = reverse(l); i = i + 1; }",
        "while (i < 1000000) { l = concatenate(l, l); i = i + 1; }",
        "List<Int> k = reverse(reverse(l)); while (i < 1000000) { Bool b = k == l; i = i + 1; }",
        "while (i < 1000000) { String s = toString(l); i = i + 1; }",
        "Rat r = 1/3; while (i < 1000000) { r = r * r + 1/7; i = i + 1; }",
        "Int n = truncate(pow(3, 600000)); while (i < 1000000) { Bool b = n + i > n; i = i + 1; }",
        "Int n = truncate(pow(3, 600000)); while (i < 1000000) { String s = toString(n); i = i + 1; }",
    ] {
        let said = limit_within(500_000, &format!("{long} {work}"));
        assert!(said.contains("no scheduling point") || said.contains("too large"), "{work}: {said}");
    }
}

#[test]
fn values_that_share_their_parts_are_compared_part_by_part() {
    for claim in ["t == u", "!(t < u)", "t <= u", "max(t, u) == t", "t != Node(u, Leaf)"] {
        let failure = run(&unchecked(
            &with_main(TREES, &format!("{LARGE} assert {claim};")),
            &Options::default(),
        ))
        .1;
        assert_eq!(failure, None, "{claim}");
    }
}

#[test]
fn values_that_share_their_parts_may_be_kept_in_fields() {
    let classes = format!(
        "{TREES} interface I {{ Unit set(Tree t); }} class C implements I {{ Tree mine = Leaf; Unit set(Tree t) {{ mine = t; }} }}"
    );
    let main = format!("{LARGE} I a = new C(); I b = new C(); a!set(t); a!set(u); b!set(t);");
    let outcome = explore(&unchecked(&with_main(&classes, &main), &Options::default()), "optimal");
    assert_eq!((outcome.verdict, outcome.counts.executions), (Verdict::Complete, 2));
}

#[test]
fn the_text_of_a_value_that_is_too_long_is_a_limit() {
    limit_of(&format!("{LARGE} String s = toString(t);"));
    limit_of(&format!("{LARGE} println(`$t$`);"));
}

#[test]
fn values_nested_deeper_than_the_stack_have_a_text() {
    let main = format!("{DEEP} println(toString(strlen(toString(n))));");
    assert_eq!(run(&unchecked(&with_main(TREES, &main), &Options::default())).0, "600004\n");
}

#[test]
fn long_values_are_cut_in_messages() {
    for main in [format!("{DEEP} assert n != m;"), format!("{LARGE} assert t != u;")] {
        let failure = run(&unchecked(&with_main(TREES, &main), &Options::default())).1.expect("a failure");
        assert_eq!(failure.kind, FailureKind::Assertion);
        assert!(
            failure.message.len() < 10_000 && failure.message.contains('…'),
            "{}",
            failure.message.len()
        );
    }
    let number = run(&unchecked(
        &with_main("", "Int n = truncate(pow(3, 600000)); assert n == 1;"),
        &Options::default(),
    ));
    assert!(number.1.expect("a failure").message.ends_with("where n is …"));
}

#[test]
fn comparing_long_texts_and_numbers_takes_its_share_of_a_step() {
    let text = "String s = \"ab\"; String t = \"ab\"; Int k = 0; Int i = 0; while (i < 16) { s = s + s; t = t + t; i = i + 1; }";
    let number = "Int n = truncate(pow(3, 100000)); Int m = truncate(pow(3, 100000)); Int k = 0; Int i = 0;";
    for (begin, test) in [
        (text, "s == t"),
        (text, "s <= t"),
        (text, "max(s, t) == s"),
        (text, "Just(s) == Just(t)"),
        (number, "Just(n) == Just(m)"),
        (number, "Just(n) <= Just(m)"),
        (number, "-n == m"),
    ] {
        let message = limit_within(
            20_000,
            &format!("{begin} while (i < 10000) {{ if ({test}) {{ k = k + 1; }} i = i + 1; }}"),
        );
        assert!(message.contains("reached no scheduling point"), "{test}: {message}");
    }
}

#[test]
fn what_a_step_may_do_can_be_set() {
    let fib = "def Int fib(Int n) = if n < 2 then n else fib(n - 1) + fib(n - 2);";
    let verdict = |step_budget: u64, choices: u32, main: &str| {
        let settings = Settings {
            step_budget,
            choices,
            ..Settings::default()
        };
        let outcome = explore(&unchecked(&with_main(fib, main), &Options::default().settings(settings)), "optimal");
        (outcome.verdict, outcome.counts.executions)
    };
    assert_eq!(verdict(10_000, 9, "assert fib(20) == 6765;").0, Verdict::Incomplete);
    assert_eq!(verdict(50_000, 9, "assert fib(20) == 6765;"), (Verdict::Complete, 1));
    assert_eq!(verdict(100, 9, "Int n = random(10);").0, Verdict::Incomplete);
    assert_eq!(verdict(100, 10, "Int n = random(10);"), (Verdict::Complete, 10));
}
