//! A bounded search covers every execution within its bound, and is complete exactly if the bound cut nothing.

use crate::support::{Collect, Rng, Script, Seen, Step, canonical, random_script};
use mazurka_core::*;
use std::collections::BTreeSet;

/// Searches within a bound.
fn bounded(script: &Script, bound: Bound, replay: bool, order: Order) -> (Seen, Outcome) {
    let mut seen = Seen::default();
    let options = Options::new(Algorithm::parse("optimal").unwrap())
        .bound(bound)
        .order(order)
        .replay(replay)
        .keep_going(true)
        .deadlock_is_error(false);
    let outcome = {
        let mut search = search(script, &options, Collect(script, &mut seen)).unwrap();
        while search.advance(1 << 20) == Status::Running {}
        search.outcome()
    };
    (seen, outcome)
}

/// What can be reached with at most so many departures, by running every schedule.
#[derive(Default)]
struct Truth {
    traces: BTreeSet<String>,
    finals: BTreeSet<u128>,
    /// Whether some schedule has more.
    more: bool,
}

fn every_schedule(script: &Script, bound: Bound, schedule: &mut Vec<Transition>, used: u32, truth: &mut Truth) {
    let (mut state, mut effects) = (script.start(), Effects::default());
    for t in schedule.iter() {
        effects.clear();
        script.step(&mut state, *t, &mut effects);
    }
    let mut pending = Vec::new();
    script.pending(&state, &mut pending);
    let enabled: Vec<Transition> = pending.iter().filter(|p| p.enabled).map(|p| p.transition).collect();
    if enabled.is_empty() {
        truth.traces.insert(canonical(script, schedule));
        truth.finals.insert(script.fingerprint(&state));
    }
    for t in &enabled {
        let cost = match bound.counted {
            Departure::Preemption => schedule
                .last()
                .is_some_and(|l| l.process != t.process && enabled.iter().any(|e| e.process == l.process))
                as u32,
            Departure::Delay => {
                let n = script.processes.len() as u32;
                let first = schedule.last().map_or(0, |l| l.process.0);
                let passed = (0..n).map(|i| Process((first + i) % n)).take_while(|p| *p != t.process);
                passed.filter(|p| enabled.iter().any(|e| e.process == *p)).count() as u32
            }
        };
        if used + cost > bound.last {
            truth.more = true;
            continue;
        }
        schedule.push(*t);
        every_schedule(script, bound, schedule, used + cost, truth);
        schedule.pop();
    }
}

fn compare(script: &Script, bound: Bound, seed: u64) {
    let mut truth = Truth::default();
    every_schedule(script, bound, &mut Vec::new(), 0, &mut truth);
    let order = if seed.is_multiple_of(2) { Order::Fifo } else { Order::Random(seed) };
    let (seen, outcome) = bounded(script, bound, seed.is_multiple_of(3), order);
    assert!(truth.finals.is_subset(&seen.finals), "final states: {seed} {bound} {script:?}");
    assert!(truth.traces.is_subset(&seen.traces), "traces: {seed} {bound} {script:?}");
    if !truth.more {
        assert_eq!(seen.traces, truth.traces);
    }
    if outcome.verdict == Verdict::Complete {
        let (all, _) = crate::support::explore(script, "naive", Order::Fifo, false);
        assert_eq!(seen.traces, all.traces, "complete: {seed} {bound} {script:?}");
    } else {
        let limit = if bound.counted == Departure::Delay {
            Limit::Delays
        } else {
            Limit::Preemptions
        };
        assert_eq!((outcome.verdict, outcome.limit), (Verdict::Incomplete, Some(limit)));
        assert!(truth.more);
    }
}

#[test]
fn random_programs_are_covered_within_every_bound() {
    let programs = std::env::var("PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    for seed in 0..programs {
        let mut rng = Rng(seed);
        let script = random_script(&mut rng, seed % 4 > 0, seed % 3 == 0);
        for most in 0..3 {
            let bound = Bound::preemptions(most);
            compare(&script, bound, seed);
            compare(&script, Bound::delays(most), seed);
            if seed.is_multiple_of(5) {
                compare(&script, bound.deepening(), seed);
                compare(&script, Bound::delays(most).deepening(), seed);
            }
        }
    }
}

/// `p0` reads x and then writes what it read plus one, and so does `p1`: one preemption loses an update.
fn increments() -> Script {
    let read = Step {
        reads: vec![0],
        ..Step::default()
    };
    let write = |v| Step {
        writes: vec![(0, v)],
        ..Step::default()
    };
    Script {
        processes: vec![vec![read.clone(), write(1)], vec![read, write(2)]],
    }
}

#[test]
fn the_verdict_says_what_the_bound_left_out() {
    let script = increments();
    let (_, none) = bounded(&script, Bound::preemptions(0), false, Order::Fifo);
    assert_eq!((none.verdict, none.counts.executions), (Verdict::Incomplete, 2));
    assert_eq!(none.bounded.map(|b| b.reached), Some(0));
    let (_, enough) = bounded(&script, Bound::preemptions(4), false, Order::Fifo);
    assert_eq!((enough.verdict, enough.limit), (Verdict::Complete, None));
    let (_, deepening) = bounded(&script, Bound::preemptions(9).deepening(), false, Order::Fifo);
    assert_eq!(deepening.verdict, Verdict::Complete);
    assert!(
        deepening.bounded.is_some_and(|b| b.reached < 4 && b.cut == 0),
        "it ends as soon as nothing is cut"
    );
}

#[test]
fn with_naive_every_schedule_within_the_bound_is_run() {
    let script = increments();
    let executions = |most| {
        let options = Options::new(Algorithm::parse("naive").unwrap()).bound(Bound::preemptions(most));
        let mut search = search(&script, &options, Unobserved).unwrap();
        while search.advance(1 << 20) == Status::Running {}
        search.outcome().counts.executions
    };
    assert_eq!([0, 1, 2, 3].map(executions), [2, 4, 6, 6]);
}

#[test]
fn one_process_needs_no_preemption() {
    let step = Step {
        writes: vec![(0, 1)],
        ..Step::default()
    };
    let script = Script {
        processes: vec![vec![step.clone(), step]],
    };
    for bound in [Bound::preemptions(0), Bound::delays(0)] {
        assert_eq!(bounded(&script, bound, false, Order::Fifo).1.verdict, Verdict::Complete);
    }
}
