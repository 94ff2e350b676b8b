//! Several workers find exactly what one finds, whatever they share and whenever.

use crate::support::{Rng, Script, Step, random_script};
use mazurka_core::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

const FEATURES: Features = Features::STATIC;

fn crew(script: &Script) -> Crew {
    let script = script.clone();
    Arc::new(move |seat: Seat<'_>| seat.work(script.clone()))
}

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

fn together(script: &Script, options: &Options, workers: usize, sharing: Sharing, slice: u64) -> Outcome {
    let mut search = parallel_search(&crew(script), FEATURES, options, workers, sharing).unwrap();
    while search.advance(slice) == Status::Running {}
    search.outcome()
}

/// What must not depend on the number of workers.
fn result(outcome: &Outcome) -> (Verdict, [u64; 4], Option<u64>, BTreeSet<String>) {
    let Counts {
        executions,
        blocked,
        deadlocks,
        max_depth,
        ..
    } = outcome.counts;
    let failures = outcome.failures.iter().map(|f| f.failure.message.clone()).collect();
    (
        outcome.verdict,
        [executions, blocked, deadlocks, max_depth],
        outcome.distinct_final_states,
        failures,
    )
}

#[test]
fn workers_find_what_one_finds() {
    let mut rng = Rng(11);
    let programs = std::env::var("PROGRAMS").map_or(600, |n| n.parse().unwrap());
    for n in 0..programs {
        let script = random_script(&mut rng, n % 2 == 0, n % 3 == 0);
        let order = if n % 4 < 2 { Order::Fifo } else { Order::Random(n) };
        let options = options().order(order).replay(n % 7 == 0);
        let expected = result(&alone(&script, &options));
        for (workers, slice) in [(1, 1 << 20), (2 + n as usize % 3, [3, 50, 1 << 20][n as usize % 3])] {
            let found = together(&script, &options, workers, Sharing::Always, slice);
            assert_eq!(result(&found), expected, "{workers} workers on {script:?}, {order:?}");
        }
    }
}

fn writers(n: usize) -> Script {
    let write = |v| Step {
        writes: vec![(0, v)],
        ..Step::default()
    };
    Script {
        processes: (0..n).map(|i| vec![write(i as i64)]).collect(),
    }
}

#[test]
fn workers_share_on_demand_what_takes_long() {
    for workers in [2, 4] {
        let outcome = together(&writers(8), &options(), workers, Sharing::OnDemand, 5_000);
        assert_eq!(result(&outcome), result(&alone(&writers(8), &options())), "{workers} workers");
        assert_eq!(outcome.counts.executions, 40_320);
    }
}

#[test]
fn limits_hold_for_all_workers_together() {
    let limited = |limits| together(&writers(8), &options().limits(limits), 3, Sharing::OnDemand, 1_000);
    let executions = limited(Limits::default().executions(1_234));
    assert_eq!(
        (executions.verdict, executions.limit, executions.counts.executions),
        (Verdict::Incomplete, Some(Limit::Executions), 1_234)
    );
    let enough = limited(Limits::default().executions(40_320));
    assert_eq!((enough.verdict, enough.limit), (Verdict::Complete, None));
    let depth = limited(Limits::default().depth(3));
    assert_eq!(
        (depth.verdict, depth.limit, depth.counts.executions),
        (Verdict::Incomplete, Some(Limit::Depth), 0)
    );
    let long = |limits| together(&writers(11), &options().limits(limits), 3, Sharing::OnDemand, 1_000);
    let time = long(Limits::default().time(Duration::ZERO));
    assert_eq!((time.verdict, time.limit), (Verdict::Incomplete, Some(Limit::Time)));
    let memory = long(Limits::default().memory(1));
    assert_eq!((memory.verdict, memory.limit), (Verdict::Incomplete, Some(Limit::Memory)));
}

#[test]
fn workers_pause_and_can_be_interrupted() {
    let mut search = parallel_search(&crew(&writers(9)), FEATURES, &options(), 2, Sharing::OnDemand).unwrap();
    assert_eq!(search.advance(2_000), Status::Running);
    let taken = search.progress().counts.steps;
    assert!((1_990..2_200).contains(&taken), "{taken}");
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(search.progress().counts.steps, taken, "who pauses takes no steps");
    assert_eq!(search.outcome().verdict, Verdict::Incomplete);
    search.interrupt();
    assert_eq!(search.advance(1), Status::Done);
    assert_eq!(
        (search.outcome().verdict, search.outcome().limit),
        (Verdict::Incomplete, Some(Limit::Interrupt))
    );
    // One that is dropped ends its workers.
    drop(parallel_search(&crew(&writers(9)), FEATURES, &options(), 2, Sharing::OnDemand).unwrap());
}

#[test]
fn the_first_failure_ends_the_search_of_all() {
    let mut script = writers(8);
    script.processes[3][0].panics = Some((0, 5));
    let outcome = together(&script, &options().keep_going(false), 2, Sharing::OnDemand, 1 << 20);
    assert_eq!((outcome.verdict, outcome.ended_by_failure), (Verdict::Violation, true));
    assert!(!outcome.failures.is_empty());
}

#[test]
#[should_panic(expected = "no program")]
fn an_error_on_a_thread_is_not_lost() {
    let crew: Crew = Arc::new(|_: Seat<'_>| panic!("no program"));
    let mut search = parallel_search(&crew, FEATURES, &options(), 2, Sharing::OnDemand).unwrap();
    while search.advance(100) == Status::Running {}
}

#[test]
fn what_is_not_proved_is_refused() {
    for algorithm in Algorithm::all() {
        let refused = parallel_search(&crew(&writers(2)), FEATURES, &Options::new(algorithm), 2, Sharing::OnDemand).is_err();
        assert_eq!(refused, algorithm.name() != "optimal", "{algorithm}");
    }
    assert!(parallel_search(&crew(&writers(2)), Features::default(), &options(), 2, Sharing::OnDemand).is_err());
}
