//! Persistent and source sets on real models: nothing is lost, and source sets are never worse.

use crate::support::{generator, load, messages, models, read, search};
use mazurka_core::{FailureKind, StatefulOptions, Verdict};
use mazurka_promela::{Promela, Scratch};
use std::collections::HashSet;

/// The verdict that the head of a model promises.
fn promised(text: &str) -> &str {
    let after = text.split_once("verdict: ").map_or("", |(_, after)| after);
    after.split_whitespace().next().unwrap_or("")
}

#[test]
fn every_model_gets_the_verdict_in_its_head() {
    for (name, path) in models() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let promela = load(&path);
        for algorithm in ["stateful", "stateful+persistent", "stateful+source"] {
            let (outcome, _) = search(&promela, algorithm, StatefulOptions::default(), |_| {});
            let kind = outcome.failures.first().map(|f| f.failure.kind);
            let verdict = match (outcome.verdict, kind) {
                (Verdict::Complete, None) => "complete",
                (Verdict::Violation, Some(FailureKind::Assertion)) => "assertion",
                (Verdict::Violation, Some(FailureKind::Deadlock)) => "deadlock",
                _ => "?",
            };
            // Where both can be had, which one is met first depends on the order of the search.
            let both = {
                let (all, _) = search(&promela, algorithm, StatefulOptions::default(), |o| o.keep_going = true);
                all.failure_counts.iter().filter(|n| **n > 0).count() > 1
            };
            assert!(
                verdict == promised(&text) || both && verdict != "complete",
                "{name} with {algorithm}: {verdict}"
            );
        }
    }
}

#[test]
fn source_sets_reach_no_more_states_than_persistent_sets_and_often_fewer() {
    let mut table = String::from("model | states none, persistent, source | transitions none, persistent, source\n");
    let mut strictly_fewer = 0;
    for (name, path) in models() {
        let promela = load(&path);
        let [none, persistent, source] = ["stateful", "stateful+persistent", "stateful+source"].map(|algorithm| {
            let (outcome, report) = search(&promela, algorithm, StatefulOptions::default(), |o| o.keep_going = true);
            (outcome, report)
        });
        for (outcome, report) in [&persistent, &source] {
            assert_eq!(messages(outcome), messages(&none.0), "{name}");
            assert_eq!(outcome.counts.executions, none.0.counts.executions, "{name}: end states");
            assert_eq!(report.unreached, none.1.unreached, "{name}");
        }
        let (n, p, s) = (&none.1, &persistent.1, &source.1);
        assert!(s.stored <= p.stored && p.stored <= n.stored, "{name}");
        assert!(s.transitions <= p.transitions && p.transitions <= n.transitions, "{name}");
        strictly_fewer += u32::from(s.stored < p.stored);
        table += &format!(
            "{name} | {} {} {} | {} {} {}\n",
            n.stored, p.stored, s.stored, n.transitions, p.transitions, s.transitions
        );
    }
    assert!(
        strictly_fewer >= 3,
        "source sets beat persistent sets on {strictly_fewer} models only"
    );
    insta::assert_snapshot!(table);
}

/// All states and transitions, with nothing clever.
fn by_brute_force(promela: &Promela) -> (u64, u64) {
    let machine = promela.machine();
    let (first, _) = machine.initial();
    let (mut seen, mut todo, mut transitions) = (HashSet::from([first.bytes().to_vec()]), vec![first], 1);
    while let Some(state) = todo.pop() {
        machine.successors(&state, &mut Scratch::default(), |_, next, _| {
            transitions += 1;
            if seen.insert(next.bytes().to_vec()) {
                todo.push(next.clone());
            }
        });
    }
    (seen.len() as u64, transitions)
}

#[test]
fn without_reduction_the_search_finds_what_brute_force_finds() {
    for seed in 1..=200 {
        let promela = read(&generator::model(seed));
        let (_, report) = search(&promela, "stateful", StatefulOptions::default(), |o| o.keep_going = true);
        assert_eq!((report.stored, report.transitions), by_brute_force(&promela), "seed {seed}");
    }
}

#[test]
fn reduction_loses_nothing_on_random_models() {
    let mut smaller = 0;
    for seed in 1..=600 {
        let text = generator::model(seed);
        let promela = read(&text);
        let all = |algorithm| {
            search(&promela, algorithm, StatefulOptions::default(), |o| {
                o.keep_going = true;
                o.limits.executions = Some(20_000);
            })
        };
        let (full, everything) = all("stateful");
        if full.limit.is_some() {
            continue;
        }
        let (persistent, by_persistent) = all("stateful+persistent");
        let (source, by_source) = all("stateful+source");
        for (outcome, report) in [(&persistent, &by_persistent), (&source, &by_source)] {
            assert_eq!(messages(outcome), messages(&full), "seed {seed}\n{text}");
            assert_eq!(outcome.counts.executions, full.counts.executions, "seed {seed}: end states\n{text}");
            assert_eq!(report.unreached, everything.unreached, "seed {seed}\n{text}");
        }
        assert!(by_source.stored <= by_persistent.stored, "seed {seed}");
        assert!(by_persistent.stored <= everything.stored, "seed {seed}");
        smaller += u32::from(by_source.stored < everything.stored);
    }
    assert!(smaller > 100, "only {smaller} models were reduced at all: the test says little");
}

#[test]
fn peterson_excludes_mutually_and_its_broken_variant_has_a_shortest_counterexample() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/promela");
    let good = load(&directory.join("peterson.pml"));
    let (outcome, report) = search(
        &good,
        "stateful+source",
        StatefulOptions::default().exact(true).shortest(false),
        |_| {},
    );
    assert_eq!(outcome.verdict, Verdict::Complete);
    assert_eq!(report.collision_probability, None);
    let broken = load(&directory.join("peterson-broken.pml"));
    let shortest = StatefulOptions::default().exact(false).shortest(true);
    let (outcome, _) = search(&broken, "stateful", shortest, |_| {});
    let (first, _) = search(&broken, "stateful", StatefulOptions::default(), |_| {});
    assert_eq!(outcome.failures[0].failure.kind, FailureKind::Assertion);
    // turn, want, wait and count for both, and the assertion of the one that counted last.
    assert_eq!(outcome.failures[0].schedule.len(), 9);
    assert!(first.failures[0].schedule.len() > 9);
}

#[test]
fn exact_storage_and_breadth_first_search_find_the_same_states() {
    for (name, path) in models() {
        let promela = load(&path);
        let (_, depth_first) = search(&promela, "stateful+source", StatefulOptions::default(), |o| o.keep_going = true);
        for (exact, shortest) in [(true, false), (false, true)] {
            let options = StatefulOptions::default().exact(exact).shortest(shortest);
            let (_, other) = search(&promela, "stateful+source", options, |o| o.keep_going = true);
            assert_eq!(
                (other.stored, other.transitions),
                (depth_first.stored, depth_first.transitions),
                "{name} {options:?}"
            );
        }
    }
}

#[test]
fn the_schedule_of_a_failure_can_be_replayed_step_by_step() {
    use mazurka_core::{Effects, Program};
    for (name, path) in models() {
        let promela = load(&path);
        for algorithm in ["stateful", "stateful+source"] {
            let (outcome, _) = search(&promela, algorithm, StatefulOptions::default(), |_| {});
            let Some(found) = outcome.failures.first() else { continue };
            let (mut run, mut effects) = (promela.start(), Effects::default());
            for (i, &transition) in found.schedule.iter().enumerate() {
                let mut pending = Vec::new();
                promela.pending(&run, &mut pending);
                assert!(pending.iter().any(|p| p.enabled && p.transition == transition), "{name}: step {i}");
                effects.clear();
                promela.step(&mut run, transition, &mut effects);
            }
            let failure = effects.failure.or_else(|| {
                let mut failures = Vec::new();
                promela.failures_at_end(&run, &mut failures);
                failures.pop()
            });
            assert_eq!(failure.as_ref(), Some(&found.failure), "{name}");
        }
    }
}

#[test]
fn statements_that_nobody_comes_to_are_told() {
    let model = read("byte x; active proctype p() { x = 1; if :: x == 2 -> x = 3; x = 4 :: else fi; assert(x == 1) }");
    let (_, report) = search(&model, "stateful", StatefulOptions::default(), |o| o.keep_going = true);
    let texts: Vec<&str> = report.unreached.iter().map(|u| &*u.0.text).collect();
    assert_eq!(texts, ["x = 3", "x = 4"]);
}
