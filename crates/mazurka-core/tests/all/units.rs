//! Workers that share nothing find what one finds, whoever dies and whatever is delivered twice.

use crate::support::{Rng, Script, random_script};
use mazurka_core::saved::Misfit;
use mazurka_core::units::{Hub, Runner, Taken, Task};
use mazurka_core::*;
use std::collections::BTreeSet;

fn options() -> Options {
    Options::new(Algorithm::parse("optimal").unwrap())
        .keep_going(true)
        .final_states(true)
}

fn alone(script: &Script, options: &Options) -> Outcome {
    let mut search = search(script, options, Unobserved).unwrap();
    while search.advance(1 << 20) == Status::Running {}
    search.outcome()
}

/// What must not depend on who runs what.
fn result(outcome: &Outcome) -> impl PartialEq + std::fmt::Debug + use<> {
    let Counts {
        executions,
        blocked,
        deadlocks,
        max_depth,
        ..
    } = outcome.counts;
    let failures: BTreeSet<String> = outcome.failures.iter().map(|f| f.failure.message.clone()).collect();
    (
        outcome.verdict,
        outcome.limit,
        [executions, blocked, deadlocks, max_depth],
        outcome.distinct_final_states,
        failures,
        outcome.failure_counts,
    )
}

/// Runs a search in units, in random order, with units that are lost, run twice or answered too late; also a number that stands for its traces.
fn in_units(script: &Script, options: &Options, rng: &mut Rng, trouble: bool) -> (Outcome, u64) {
    let mut hub = Hub::of(script, options).unwrap();
    let mut runners: Vec<Runner<'_>> = (0..3).map(|_| Runner::of(script, options).unwrap()).collect();
    let mut under_way: Vec<Task> = Vec::new();
    let mut answers: Vec<Vec<u8>> = Vec::new();
    while !hub.is_done() {
        if rng.below(2) == 0
            && let Some(task) = hub.hand_out(1 + rng.below(4))
        {
            under_way.push(task);
        }
        if !under_way.is_empty() {
            let at = rng.below(under_way.len());
            let task = match trouble && rng.below(3) == 0 {
                // It will be run once more.
                true => under_way[at].clone(),
                false => under_way.swap_remove(at),
            };
            let most = 1 + rng.below(4) as u64;
            let runner = &mut runners[rng.below(3)];
            let answer = runner.run(&task.bytes, &mut |slice| slice.executions >= most);
            answers.push(answer.expect("it is a unit"));
        }
        if !answers.is_empty() && rng.below(3) > 0 {
            let at = rng.below(answers.len());
            let answer = answers.swap_remove(at);
            hub.take(&answer).expect("it is a result");
            assert_eq!(hub.take(&answer), Ok(Taken::Again));
        }
        if trouble && rng.below(20) == 0 {
            hub.call_back();
            under_way.retain(|_| rng.below(2) == 0);
        }
    }
    (hub.outcome(), hub.traces())
}

#[test]
fn workers_that_share_nothing_find_what_one_finds() {
    let mut rng = Rng(31);
    let programs = std::env::var("PROGRAMS").map_or(400, |n| n.parse().unwrap());
    let mut large = 0;
    for n in 0..programs {
        let script = random_script(&mut rng, n % 2 == 0, n % 3 == 0);
        let order = if n % 4 < 2 { Order::Fifo } else { Order::Random(n) };
        let mut options = options().order(order);
        if n % 9 == 0 {
            options.limits = Limits::default().depth(4);
        }
        let expected = alone(&script, &options);
        // A unit of a few executions costs much more than these.
        if expected.counts.executions > 400 {
            continue;
        }
        let (found, traces) = in_units(&script, &options, &mut rng, false);
        assert_eq!(result(&found), result(&expected), "{order:?} on {script:?}");
        let (found, again) = in_units(&script, &options, &mut rng, true);
        assert_eq!(result(&found), result(&expected), "{order:?}, with trouble, on {script:?}");
        assert!(traces == again || n % 9 == 0, "other traces of {script:?}");
        large += u32::from(expected.counts.executions > 20);
    }
    assert!(large > 20, "{large}");
}

#[test]
fn the_first_failure_ends_it() {
    let mut rng = Rng(5);
    let options = options().keep_going(false);
    let mut failed = 0;
    for _ in 0..60 {
        let script = random_script(&mut rng, true, true);
        let expected = alone(&script, &options).verdict;
        let found = in_units(&script, &options, &mut rng, true).0;
        assert_eq!(found.verdict, expected, "{script:?}");
        failed += u32::from(expected == Verdict::Violation);
    }
    assert!(failed > 5, "{failed}");
}

#[test]
fn what_is_no_message_is_refused_and_never_panics() {
    let mut rng = Rng(3);
    let script = random_script(&mut rng, true, true);
    let (mut hub, mut runner) = (Hub::of(&script, &options()).unwrap(), Runner::of(&script, &options()).unwrap());
    let mut messages = Vec::new();
    while let Some(task) = hub.hand_out(3) {
        let answer = runner.run(&task.bytes, &mut |_| true).unwrap();
        messages.push((task.bytes, answer.clone()));
        hub.take(&answer).unwrap();
    }
    for (unit, answer) in messages.iter().take(12) {
        for at in 0..unit.len() {
            let mut garbled = unit.clone();
            garbled[at] ^= 1 << (at % 8);
            let _ = runner.run(&garbled, &mut |slice| slice.executions >= 3);
            assert!(
                runner.run(&unit[..at], &mut |_| true).is_err() || at == unit.len(),
                "{at} of {}",
                unit.len()
            );
        }
        let mut hub = Hub::of(&script, &options()).unwrap();
        hub.hand_out(1);
        for at in 0..answer.len() {
            let mut garbled = answer.clone();
            garbled[at] ^= 1 << (at % 8);
            let _ = Hub::of(&script, &options()).map(|mut hub| {
                hub.hand_out(1);
                let _: Result<Taken, Misfit> = hub.take(&garbled);
            });
        }
    }
}
