//! Random small models with fields, awaits, gets, synchronous calls, choices and assertions: every sound algorithm reaches the same final
//! states, failures and deadlocks as brute force, at both granularities and with both meanings of `await`.
//!
//! `SEEDS=5000 cargo test -p mazurka-abs random_programs` looks at more of them.

use crate::run::common::{Random, at_end, unchecked};
use crate::run::laws::obeyed;
use crate::run::wild_programs;
use mazurka_abs::model::Options;
use mazurka_abs::run::state::Run;
use mazurka_abs::run::{AwaitSemantics, Machine, Naming, Settings};
use mazurka_core::laws::Effort;
use mazurka_core::{
    Algorithm, Dependency, Ending, Limit, Observer, Options as SearchOptions, Outcome, Program, StatefulOptions, Status, Transition,
    stateful_search,
};
use std::cell::RefCell;
use std::collections::BTreeSet;

const METHODS: u64 = 3;

/// A program whose methods call only methods with higher numbers, so that every execution ends.
pub fn program(seed: u64) -> String {
    let mut r = Random(seed);
    let mut methods = String::new();
    for method in 0..METHODS {
        let mut body = String::new();
        let statements = 1 + r.below(3);
        for s in 0..statements {
            body.push_str(&statement(&mut r, method, s));
        }
        methods.push_str(&format!("  Int m{method}(I a, I b) {{\n{body}    return x;\n  }}\n"));
    }
    let heads: String = (0..METHODS).map(|m| format!("Int m{m}(I a, I b); ")).collect();
    let second = r.pick(&["new C()", "new C()", "new local C()", "a"]);
    let mut main = format!("  I a = new C();\n  I b = {second};\n");
    for call in 0..1 + r.below(3) {
        let receiver = r.pick(&["a", "b"]);
        let other = if receiver == "a" { "b" } else { "a" };
        let method = r.below(METHODS);
        if r.below(4) == 0 {
            main.push_str(&format!(
                "  Fut<Int> f{call} = {receiver}!m{method}({receiver}, {other});\n  Int r{call} = f{call}.get;\n"
            ));
        } else {
            main.push_str(&format!("  {receiver}!m{method}({receiver}, {other});\n"));
        }
    }
    format!(
        "module R;\ninterface I {{ {heads}}}\nclass C implements I {{\n  Int x = 0;\n  Int y = 0;\n  Fut<Int> g;\n{methods}}}\n{{\n{main}}}\n"
    )
}

fn statement(r: &mut Random, method: u64, number: u64) -> String {
    let field = r.pick(&["x", "y"]);
    let other = r.pick(&["x", "y"]);
    let callee = method + 1 + r.below(METHODS - method).min(METHODS - 1 - method.min(METHODS - 1));
    let target = r.pick(&["a", "b"]);
    let can_call = callee < METHODS;
    match r.below(12) {
        0 => format!("    {field} = {};\n", 1 + r.below(2)),
        1 => format!("    {field} = {other} + 1;\n"),
        2 => format!("    if ({field} > 0) {{ {other} = 2; }}\n"),
        3 => format!("    await {field} < {};\n", 1 + r.below(2)),
        4 => format!("    await {field} >= {};\n", r.below(2)),
        5 => "    suspend;\n".to_owned(),
        6 => format!("    assert {field} < {};\n", 2 + r.below(2)),
        7 if can_call => format!("    {target}!m{callee}(a, b);\n"),
        8 if can_call => {
            format!("    Fut<Int> f{number} = {target}!m{callee}(a, b);\n    await f{number}?;\n    {field} = f{number}.get;\n")
        }
        9 if can_call => format!("    Fut<Int> f{number} = {target}!m{callee}(a, b);\n    {field} = f{number}.get;\n"),
        10 if can_call => format!("    {field} = {target}.m{callee}(a, b);\n"),
        11 if can_call => format!("    this.g = {target}!m{callee}(a, b);\n    await {field} >= 0;\n    await this.g?;\n"),
        _ => format!("    Int c{number} = random(2);\n    {field} = c{number};\n"),
    }
}

/// What must not depend on the algorithm.
#[derive(Default)]
struct Seen {
    endings: BTreeSet<(u128, Vec<String>)>,
}

struct Collect<'a> {
    machine: &'a Machine,
    seen: &'a RefCell<Seen>,
}

impl Observer<Run> for Collect<'_> {
    fn execution(&mut self, _: &[Transition], run: &Run, ending: Ending) {
        if matches!(ending, Ending::Finished | Ending::Deadlock) {
            let failures = at_end(self.machine, run).into_iter().map(|f| f.message).collect();
            self.seen.borrow_mut().endings.insert((self.machine.fingerprint(run), failures));
        }
    }
}

fn search(machine: &Machine, algorithm: Algorithm) -> (Outcome, Seen) {
    let seen = RefCell::new(Seen::default());
    let mut options = SearchOptions::new(algorithm);
    options.keep_going = true;
    options.limits.executions = Some(3_000);
    let observer = Collect { machine, seen: &seen };
    let mut search = mazurka_core::search(machine, &options, observer).unwrap_or_else(|e| panic!("{e}"));
    while search.advance(1_000_000) == Status::Running {}
    let outcome = search.outcome();
    drop(search);
    (outcome, seen.into_inner())
}

fn failures(outcome: &Outcome) -> BTreeSet<String> {
    outcome
        .failures
        .iter()
        .map(|f| format!("{:?} {}", f.failure.kind, f.failure.message))
        .collect()
}

/// Compares every algorithm on the programs of some seeds; how many were compared, had deadlocks, failed.
fn compare(program: fn(u64) -> String, names: Naming, seeds: std::ops::Range<u64>) -> (u32, u32, u32) {
    let (mut compared, mut deadlocks, mut failing) = (0, 0, 0);
    for seed in seeds {
        let text = program(seed);
        for dependency in [Dependency::Actor, Dependency::Field] {
            for await_semantics in [AwaitSemantics::Formal, AwaitSemantics::Release] {
                let options = Options::default().settings(Settings {
                    dependency,
                    await_semantics,
                    names,
                    ..Settings::default()
                });
                let machine = unchecked(&text, &options);
                let naive = Algorithm::parse("naive").unwrap_or_else(|e| panic!("{e}"));
                let (expected, states) = search(&machine, naive);
                if expected.limit == Some(Limit::Executions) {
                    continue;
                }
                compared += 1;
                if names == Naming::Forget {
                    same_without_forgetting(&text, options.settings, &expected, &machine);
                }
                deadlocks += u32::from(expected.counts.deadlocks > 0);
                failing += u32::from(!expected.failures.is_empty());
                for algorithm in Algorithm::all() {
                    let about = algorithm.about();
                    if !about.sound || algorithm.fits(machine.features()).is_err() {
                        continue;
                    }
                    let (outcome, found) = search(&machine, algorithm);
                    let what = || format!("{} seed {seed} {dependency} {await_semantics:?}\n{text}", about.name);
                    // Observers do not promise the final values of fields, which may be part of a message.
                    if about.name.contains("observers") {
                        let kinds = |outcome: &Outcome| outcome.failure_counts.map(|count| count > 0);
                        assert_eq!(kinds(&outcome), kinds(&expected), "failures: {}", what());
                        continue;
                    }
                    assert_eq!(found.endings, states.endings, "endings: {}", what());
                    assert_eq!(failures(&outcome), failures(&expected), "failures: {}", what());
                    if about.name == "optimal" {
                        assert_eq!(outcome.counts.blocked, 0, "blocked: {}", what());
                    }
                }
            }
        }
    }
    (compared, deadlocks, failing)
}

/// Which names tasks have changes nothing that people see.
fn same_without_forgetting(text: &str, settings: Settings, expected: &Outcome, machine: &Machine) {
    let names = Naming::Grow;
    let growing = unchecked(text, &Options::default().settings(Settings { names, ..settings }));
    let naive = Algorithm::parse("naive").unwrap_or_else(|e| panic!("{e}"));
    let (other, _) = search(&growing, naive);
    assert_eq!(failures(&other), failures(expected), "{text}");
    assert_eq!(other.counts.executions, expected.counts.executions, "{text}");
    let mut options = SearchOptions::new(Algorithm::parse("stateful").unwrap_or_else(|e| panic!("{e}")));
    options.keep_going = true;
    let mut search = stateful_search(machine, &options, StatefulOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    while search.advance(1_000_000) == Status::Running {}
    assert_eq!(failures(&search.outcome()), failures(expected), "stateful: {text}");
}

/// A program whose loops call and wait, and whose methods may end with a call of their own object.
fn looping(seed: u64) -> String {
    let mut r = Random(seed ^ 0x5eed);
    let call = |r: &mut Random, callee: u64| {
        let target = r.pick(&["a", "b", "this"]);
        match r.below(5) {
            0 => format!("x = {target}.m{callee}(a, b);"),
            1 => format!("await {target}!m{callee}(a, b);"),
            2 => format!("Fut<Int> f = {target}!m{callee}(a, b); await f?;"),
            3 => format!("Fut<Int> f = {target}!m{callee}(a, b); y = f.get;"),
            _ => format!("{target}!m{callee}(a, b);"),
        }
    };
    let mut methods = String::new();
    for method in 0..2 {
        let mut body = String::new();
        if method == 0 {
            let (times, first, second) = (2 + r.below(2), call(&mut r, 1), call(&mut r, 1));
            let both = if r.below(3) == 0 { second } else { String::new() };
            let last = r.pick(&["", "this!m1(a, b);", "b!m1(a, b);"]);
            body.push_str(&format!(
                "Int i = 0; while (i < {times}) {{ {{ {first} }} {{ {both} }} i = i + 1; }} {last}"
            ));
        } else {
            let field = r.pick(&["x", "y"]);
            body.push_str(&match r.below(5) {
                0 => format!("{field} = {field} + 1;"),
                1 => format!("if ({field} == 1) {{ throw E; }} {field} = {field} + 1;"),
                2 => format!("{field} = {field} + 1; assert {field} < 3;"),
                3 => format!("await {field} >= 0; {field} = {field} + 1;"),
                _ => "C c = null; I o = new C(); x = x + 1;".replace("C c = null; ", ""),
            });
        }
        methods.push_str(&format!("  Int m{method}(I a, I b) {{ {body} return x; }}\n"));
    }
    let main = match r.below(3) {
        0 => "a!m0(a, b);",
        1 => "a!m0(a, b); b!m1(a, b);",
        _ => "Int i = 0; while (i < 2) { Int k = await a!m1(a, b); i = i + 1; } await b!m0(a, b);",
    };
    format!(
        "module R; exception E;\ninterface I {{ Int m0(I a, I b); Int m1(I a, I b); }}\nclass C implements I {{\n  Int x = 0;\n  Int y = 0;\n{methods}}}\n{{ I a = new C(); I b = new C(); {main} }}\n"
    )
}

#[test]
fn names_that_are_given_again_change_nothing() {
    let (compared, _, failing) = compare(looping, Naming::Forget, seeds(60));
    assert!(compared > 60, "only {compared} programs are small enough");
    assert!(failing > 15, "{failing} failing");
}

#[test]
fn models_that_give_names_again_obey_the_laws() {
    let settings = Settings {
        names: Naming::Forget,
        ..Settings::default()
    };
    let effort = Effort::default().walks(2).steps(60).seed(11);
    for seed in seeds(60) {
        let text = looping(seed);
        obeyed(&text, &Options::default().settings(settings), &effort).unwrap_or_else(|broken| panic!("seed {seed}, {broken}"));
    }
}

fn seeds(few: u64) -> std::ops::Range<u64> {
    0..std::env::var("SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

#[test]
fn every_algorithm_agrees_with_brute_force() {
    let (compared, deadlocks, failing) = compare(program, Naming::Grow, seeds(150));
    assert!(compared > 300, "only {compared} programs are small enough");
    assert!(deadlocks > 20 && failing > 50, "{deadlocks} deadlocks, {failing} failing");
}

#[test]
fn every_algorithm_agrees_with_brute_force_on_wild_models() {
    let (compared, deadlocks, failing) = compare(wild_programs::program, Naming::Grow, seeds(40));
    assert!(compared > 60, "only {compared} programs are small enough");
    assert!(deadlocks > 10 && failing > 40, "{deadlocks} deadlocks, {failing} failing");
}
