//! Whether generated suites notice errors: mutants of five classes, each with the suites of all methods of the original.
//!
//! `cargo test -p mazurka-symbolic --test all mutants -- --nocapture` prints the table of the book.

use crate::common::{explored, solver, tests};
use mazurka_abs::model::{Opened, Options, open_texts};
use mazurka_abs::run::{AwaitSemantics, DeadlockPolicy, Machine, Settings};
use mazurka_core::Algorithm;
use mazurka_symbolic::coverage::Criterion;
use mazurka_symbolic::rerun::rerun;
use mazurka_symbolic::write::{Given, json, read};
use mazurka_symbolic::{Bounds, Target};

/// A class, its methods, and the mutants that survive, with the reason.
struct Subject {
    name: &'static str,
    text: &'static str,
    methods: &'static [&'static str],
    survivors: &'static [(&'static str, &'static str)],
}

const SUBJECTS: [Subject; 5] = [
    Subject {
        name: "bounded stack",
        text: include_str!("../../../../benchmarks/mutants/stack.abs"),
        methods: &["StackImpl.push", "StackImpl.pop", "StackImpl.size"],
        survivors: &[
            (
                "line 18: swapped with the next",
                "equivalent: the two fields have nothing to do with each other",
            ),
            ("line 19: swapped with the next", "equivalent: nor have the field and the variable"),
            ("line 28: swapped with the next", "equivalent: as line 18"),
        ],
    },
    Subject {
        name: "account with overdraft",
        text: include_str!("../../../../benchmarks/mutants/account.abs"),
        methods: &["AccountImpl.withdraw", "AccountImpl.deposit"],
        survivors: &[
            ("line 38: `>` becomes `>=`", "equivalent: a deposit of nothing changes nothing"),
            (
                "line 14: swapped with the next",
                "equivalent: the two fields have nothing to do with each other",
            ),
        ],
    },
    Subject {
        name: "mail server",
        text: include_str!("../../../../benchmarks/mutants/mail.abs"),
        methods: &["ServerImpl.send", "ServerImpl.receive"],
        survivors: &[],
    },
    Subject {
        name: "binary search tree",
        text: include_str!("../../../../benchmarks/mutants/tree.abs"),
        methods: &["IndexImpl.insert", "IndexImpl.contains"],
        survivors: &[
            (
                "line 9: `<` becomes `<=`",
                "equivalent: `add` is called for keys only that its way through the tree does not meet",
            ),
            (
                "line 29: swapped with the next",
                "equivalent: the two fields have nothing to do with each other",
            ),
        ],
    },
    Subject {
        name: "reader-writer lock",
        text: include_str!("../../../../benchmarks/mutants/lock.abs"),
        methods: &["LockImpl.startRead", "LockImpl.endRead", "LockImpl.startWrite", "LockImpl.endWrite"],
        survivors: &[],
    },
];

/// A model in which calls may wait for ever: who they wait for is not there.
fn opened(text: &str) -> Option<Opened> {
    let settings = Settings {
        deadlock: DeadlockPolicy::Ignore,
        await_semantics: AwaitSemantics::Release,
        ..Settings::default()
    };
    let options = Options::default().settings(settings).main("TestsMain".to_owned());
    open_texts([("model.abs", text), ("tests", "module TestsMain; {}")], &options).ok()
}

/// Small errors, each of which is made wherever its text stands.
const ERRORS: [(&str, &str); 16] = [
    (" < ", " <= "),
    (" < ", " > "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" > ", " < "),
    (" == ", " != "),
    (" != ", " == "),
    (" && ", " || "),
    (" + 1", " + 2"),
    (" - 1", " - 0"),
    (" > 0", " > 1"),
    (" = True;", " = False;"),
    (" = False;", " = True;"),
    ("if (", "if (!"),
    ("await !", "await "),
    (" - amount", " + amount"),
];

/// The mutants of a text: small errors, dropped `await`s, and pairs of statements in the other order.
fn mutants(text: &str) -> Vec<(String, String)> {
    let code = text.find("class").unwrap_or(0).min(text.find("def ").unwrap_or(usize::MAX));
    let mut found = Vec::new();
    for (from, to) in ERRORS {
        for (at, _) in text.match_indices(from).filter(|(at, _)| *at > code && in_code(text, *at)) {
            let mut mutant = text.to_owned();
            if from == "if (" {
                let end = text[at..].find(") {").map_or(at, |end| at + end);
                mutant.replace_range(at..end, &format!("if (!({})", &text[at + from.len()..end]));
            } else {
                mutant.replace_range(at..at + from.len(), to);
            }
            found.push((
                format!("line {}: `{}` becomes `{}`", line(text, at), from.trim(), to.trim()),
                mutant,
            ));
        }
    }
    let lines: Vec<&str> = text.lines().collect();
    for (nth, this) in lines.iter().enumerate() {
        let statement =
            |line: &str| line.starts_with("    ") && line.ends_with(';') && !line.trim().starts_with("return") && !line.contains("=>");
        let mut other = lines.clone();
        if statement(this) && this.trim().starts_with("await ") {
            other.remove(nth);
            found.push((format!("line {}: no `await`", nth + 1), other.join("\n")));
        } else if statement(this) && lines.get(nth + 1).is_some_and(|next| statement(next)) {
            other.swap(nth, nth + 1);
            found.push((format!("line {}: swapped with the next", nth + 1), other.join("\n")));
        }
    }
    found
}

/// Whether a place is in a method or a function: initial values of fields are inputs.
fn in_code(text: &str, at: usize) -> bool {
    let line = text.lines().nth(line(text, at) - 1).unwrap_or_default();
    line.starts_with("    ") || line.contains("=>")
}

fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[test]
fn suites_kill_at_least_nine_of_ten_mutants() {
    let Some(solver) = solver() else { return };
    let optimal = Algorithm::parse("optimal").expect("it is known");
    let (mut all, mut all_killed) = (0, 0);
    println!("| class | tests | mutants | killed |\n|---|--:|--:|--:|");
    for subject in SUBJECTS {
        let mut suites = Vec::new();
        for method in subject.methods {
            let mut target = Target::method(opened(subject.text).expect("it is right"), method).expect("there is such a method");
            solver.borrow_mut().forget().expect("the solver lives");
            let bounds = Bounds {
                size: 2,
                objects: 2,
                ..Bounds::default()
            };
            let found = explored(&mut target, &solver, bounds);
            let suite = tests(&mut target, &found, Criterion::Paths);
            suites.push(json(&target, &suite, &bounds, "model.abs", &[]).to_string());
        }
        let fails = |machine: &mut Machine, test: &Given| rerun(machine, test, optimal, 10_000).expect("it runs").failure.is_some();
        // What fails in the original class says nothing about its mutants.
        let mut original = opened(subject.text).expect("it is right").machine;
        let mut with_passing = |suite: String| {
            let tests = read(&suite, &original).expect("the suite fits");
            let passing: Vec<bool> = tests.iter().map(|test| !fails(&mut original, test)).collect();
            (suite, passing)
        };
        let suites: Vec<(String, Vec<bool>)> = suites.into_iter().map(&mut with_passing).collect();
        let killed = |text: &str| {
            let mut machine = opened(text)?.machine;
            let noticed = suites.iter().any(|(suite, passes)| {
                let tests = read(suite, &machine).expect("the suite fits");
                tests.iter().zip(passes).any(|(test, passes)| *passes && fails(&mut machine, test))
            });
            Some(noticed)
        };
        assert_eq!(killed(subject.text), Some(false), "{}: the original passes", subject.name);
        let (mut count, mut dead, mut survivors) = (0, 0, Vec::new());
        for (name, text) in mutants(subject.text) {
            let Some(noticed) = killed(&text) else { continue };
            count += 1;
            dead += usize::from(noticed);
            if !noticed {
                survivors.push(name);
            }
        }
        let known: Vec<&str> = subject.survivors.iter().map(|(name, _)| *name).collect();
        assert_eq!(survivors, known, "{}", subject.name);
        let number = suites.iter().flat_map(|(_, passing)| passing).filter(|passes| **passes).count();
        println!("| {} | {number} | {count} | {dead} |", subject.name);
        (all, all_killed) = (all + count, all_killed + dead);
    }
    println!("{all_killed} of {all}");
    assert!(all_killed * 10 >= all * 9, "{all_killed} of {all}");
}
