//! Random small models with fields, awaits, gets, synchronous calls, choices and assertions: every sound algorithm reaches the same final
//! states, failures and deadlocks as brute force, at both granularities and with both meanings of `await`.
//!
//! `SEEDS=5000 cargo test -p mazurka-abs random_programs` looks at more of them.

use crate::run::common::{Random, at_end, unchecked};
use crate::run::wild_programs;
use mazurka_abs::model::Options;
use mazurka_abs::run::state::Run;
use mazurka_abs::run::{AwaitSemantics, Machine, Settings};
use mazurka_core::{Algorithm, Dependency, Ending, Limit, Observer, Options as SearchOptions, Outcome, Program, Status, Transition};
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
fn compare(program: fn(u64) -> String, seeds: std::ops::Range<u64>) -> (u32, u32, u32) {
    let (mut compared, mut deadlocks, mut failing) = (0, 0, 0);
    for seed in seeds {
        let text = program(seed);
        for dependency in [Dependency::Actor, Dependency::Field] {
            for await_semantics in [AwaitSemantics::Formal, AwaitSemantics::Release] {
                let options = Options::default().settings(Settings {
                    dependency,
                    await_semantics,
                    ..Settings::default()
                });
                let machine = unchecked(&text, &options);
                let naive = Algorithm::parse("naive").unwrap_or_else(|e| panic!("{e}"));
                let (expected, states) = search(&machine, naive);
                if expected.limit == Some(Limit::Executions) {
                    continue;
                }
                compared += 1;
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

fn seeds(few: u64) -> std::ops::Range<u64> {
    0..std::env::var("SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

#[test]
fn every_algorithm_agrees_with_brute_force() {
    let (compared, deadlocks, failing) = compare(program, seeds(150));
    assert!(compared > 300, "only {compared} programs are small enough");
    assert!(deadlocks > 20 && failing > 50, "{deadlocks} deadlocks, {failing} failing");
}

#[test]
fn every_algorithm_agrees_with_brute_force_on_wild_models() {
    let (compared, deadlocks, failing) = compare(wild_programs::program, seeds(40));
    assert!(compared > 60, "only {compared} programs are small enough");
    assert!(deadlocks > 10 && failing > 40, "{deadlocks} deadlocks, {failing} failing");
}
