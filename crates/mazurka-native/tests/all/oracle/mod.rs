//! Random programs against brute force: `naive` runs every interleaving; what others find must be the same, and each trace once.
//!
//! A trace is written down by the programs themselves: for every object, who did what with it in which order, where reads that follow each other
//! have none. That is all that the engine's notion of a trace comes to, but it is taken from what happened, not from footprints.

mod program;
mod record;

use mazurka_native::Check;
use program::{Threads, execute, is_exact, program, writers_may_matter};
use record::{Record, take_record};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::process::Command;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// The records of all executions, and whether all were run.
fn explore(threads: &Threads, algorithm: &str, most: u64) -> (Vec<Record>, bool, u64) {
    explore_by(threads, Check::new().algorithm(algorithm).max_executions(most), algorithm)
}

/// There is one record.
static TURN: Mutex<()> = Mutex::new(());

/// The same by any check.
fn explore_by(threads: &Threads, check: Check, algorithm: &str) -> (Vec<Record>, bool, u64) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let records: Rc<RefCell<Vec<Record>>> = Rc::default();
    let (collected, text) = (Rc::clone(&records), Arc::new(threads.clone()));
    take_record();
    let checked = check.ignore_deadlocks().keep_going().max_depth(200).run(move || {
        // What the execution before this one has left.
        collected.borrow_mut().push(take_record());
        execute(&text);
    });
    let mut records = std::mem::take(&mut *records.borrow_mut());
    records.push(take_record());
    records.remove(0);
    let outcome = checked.outcome();
    assert!(outcome.failures.is_empty(), "{algorithm}: {:?}\n{threads:?}", outcome.failures);
    let executions = (outcome.counts.executions + outcome.counts.blocked) as usize;
    if threads.iter().any(|t| writers_may_matter(t)) {
        // Those before the search began again count for nothing.
        records.drain(..records.len() - executions);
    }
    assert_eq!(records.len(), executions, "one start for each execution: {algorithm}\n{threads:?}");
    let records: Vec<Record> = records.into_iter().map(Record::sorted).collect();
    (records, outcome.limit.is_none(), outcome.counts.blocked)
}

/// How many random programs each test draws; `PROGRAMS=100000` draws more.
fn programs() -> u64 {
    std::env::var("PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(11_000)
}

/// Runs a long test in a process of its own, because the checks of one process take turns.
fn in_own_process(test: &str, body: impl FnOnce()) {
    const INNER: &str = "MAZURKA_ORACLE";
    if std::env::var_os(INNER).is_some() {
        return body();
    }
    let program = std::env::current_exe().expect("the path of this program");
    let inner = Command::new(program)
        .args(["--exact", test, "--nocapture"])
        .env(INNER, "1")
        .output()
        .expect("this program runs");
    let (out, errors) = (String::from_utf8_lossy(&inner.stdout), String::from_utf8_lossy(&inner.stderr));
    println!("{out}");
    assert!(inner.status.success() && out.contains("1 passed"), "{out}{errors}");
}

/// Compares the programs from this one on with brute force.
fn compare(first: u64) {
    let (mut compared, mut exact, mut traces) = (0, 0, 0);
    for seed in first..first + programs() {
        let threads = program(seed);
        // Most of the time would go to programs that turn out to be too large: whose threads do much are not begun.
        let (one, ..) = explore(&threads, "naive", 1);
        if one[0].orders() > 100_000.0 {
            continue;
        }
        let (all, complete, _) = explore(&threads, "naive", 600);
        if !complete {
            continue;
        }
        compared += 1;
        let distinct: BTreeSet<&Record> = all.iter().collect();
        traces += distinct.len();
        let outcomes: BTreeSet<_> = all.iter().map(|r| &r.seen).collect();
        for algorithm in ["optimal", "source", "optimal+observers"] {
            let (found, _, blocked) = explore(&threads, algorithm, 100_000);
            let met: BTreeSet<&Record> = found.iter().collect();
            let seen: BTreeSet<_> = found.iter().map(|r| &r.seen).collect();
            let what = || format!("seed {seed}, {algorithm}: {threads:#?}");
            match algorithm {
                "optimal" => {
                    assert_eq!(blocked, 0, "{}", what());
                    assert_eq!(met, distinct, "{}", what());
                    if threads.iter().all(|t| is_exact(t) && !writers_may_matter(t)) {
                        assert_eq!(found.len(), distinct.len(), "each trace once, {}", what());
                        exact += 1;
                    }
                }
                // Executions that are cut short are in it too.
                "source" => assert!(met.is_superset(&distinct), "{}", what()),
                _ => {
                    assert_eq!(blocked, 0, "{}", what());
                    assert_eq!(seen, outcomes, "{}", what());
                }
            }
        }
    }
    println!("{compared} programs compared, {exact} of them trace by trace, {traces} traces");
    assert!(compared > programs() / 3 && exact > programs() / 8, "{compared}, {exact}");
}

#[test]
fn random_programs_have_the_executions_that_brute_force_finds() {
    in_own_process("oracle::random_programs_have_the_executions_that_brute_force_finds", || compare(0));
}

#[test]
fn more_random_programs_have_the_executions_that_brute_force_finds() {
    let test = "oracle::more_random_programs_have_the_executions_that_brute_force_finds";
    in_own_process(test, || compare(1_000_000));
}

#[test]
fn bounded_checks_have_the_traces_of_all_schedules_within_the_bound() {
    let programs = programs() / 25;
    let (mut compared, mut left_out) = (0, 0);
    for seed in 2_000_000..2_000_000 + programs {
        let threads = program(seed);
        for most in 0..3 {
            let every = Check::new().algorithm("naive").preemptions(most).max_executions(600);
            let (all, complete, _) = explore_by(&threads, every, "naive within a bound");
            if !complete && all.len() >= 600 {
                continue;
            }
            let (found, all_found, _) = explore_by(&threads, Check::new().preemptions(most), "preemptions");
            let (all, found): (BTreeSet<Record>, BTreeSet<Record>) = (all.into_iter().collect(), found.into_iter().collect());
            let what = || format!("seed {seed}, {most} preemptions: {threads:#?}");
            assert!(found.is_superset(&all), "{}", what());
            assert!(!complete || all_found, "{}", what());
            let (deepened, ..) = explore_by(&threads, Check::new().preemptions_up_to(most), "preemptions in turn");
            assert!(deepened.into_iter().collect::<BTreeSet<Record>>().is_superset(&all), "{}", what());
            compared += 1;
            left_out += u64::from(!all_found);
        }
    }
    println!("{compared} comparisons, {left_out} with something left out");
    assert!(compared > programs && left_out > programs / 4, "{compared}, {left_out}");
}

#[test]
fn random_executions_are_executions() {
    for seed in 0..programs() / 50 {
        let threads = program(seed);
        let (all, complete, _) = explore(&threads, "naive", 600);
        if !complete {
            continue;
        }
        let all: BTreeSet<Record> = all.into_iter().collect();
        for (check, name) in [
            (Check::new().random(30), "random"),
            (Check::new().pct(30, 3), "pct"),
            (Check::new().pos(30), "pos"),
            (Check::new().urw(30).seed(seed), "urw"),
        ] {
            let (found, ..) = explore_by(&threads, check, name);
            assert_eq!(found.len(), 30, "{name}");
            let found: BTreeSet<Record> = found.into_iter().collect();
            assert!(found.is_subset(&all), "{name}, seed {seed}: {threads:#?}");
        }
    }
}

#[test]
fn what_the_search_is_told_of_random_programs_is_true() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let programs = programs() / 50;
    let mut states = 0;
    for seed in 2_000_000..2_000_000 + programs {
        let threads = program(seed);
        let text = Arc::new(threads.clone());
        let run = move || {
            take_record();
            execute(&text);
        };
        let walked = Check::new().max_depth(60).laws(run, 2, seed);
        states += walked.unwrap_or_else(|broken| panic!("seed {seed}: {broken}\n{threads:#?}"));
    }
    assert!(states > programs * 5, "{states}");
}
