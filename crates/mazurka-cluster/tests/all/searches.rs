//! A search by workers that come, go and die.

use crate::for_every_engine;
use crate::server::Server;
use mazurka_cluster::{Engine, Job, Loads, Submitted, Trouble, Until, VERSION, work};
use mazurka_core::units::{Hub, Runner};
use mazurka_core::{Algorithm, Counts, Options, Outcome, Search, Status, Unobserved, search};
use mazurka_litmus::{Machine, family};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

for_every_engine!(
    three_workers_find_what_one_finds,
    a_worker_that_dies_is_not_missed,
    workers_of_another_version_refuse
);

fn machine(name: &str, n: i64) -> Machine {
    let family = family(name).expect("it is a family");
    family.machine(&[("n".to_owned(), n)]).expect("it has a size")
}

fn options() -> Options {
    Options::new(Algorithm::parse("optimal").unwrap()).keep_going(true)
}

fn alone(machine: &Machine) -> Outcome {
    let mut search = search(machine, &options(), Unobserved).unwrap();
    while search.advance(1 << 20) == Status::Running {}
    search.outcome()
}

fn same(found: &Outcome, expected: &Outcome) {
    let of = |outcome: &Outcome| {
        let Counts {
            executions,
            blocked,
            deadlocks,
            max_depth,
            ..
        } = outcome.counts;
        (outcome.verdict, [executions, blocked, deadlocks, max_depth], outcome.failure_counts)
    };
    assert_eq!(of(found), of(expected));
}

fn job(version: &str) -> Job {
    Job {
        version: version.to_owned(),
        arguments: ["lastzero", "9"].map(str::to_owned).to_vec(),
        files: Vec::new(),
        digest: 0,
    }
}

struct Loading;

impl Loads for Loading {
    fn with_runner(&mut self, job: &Job, use_it: &mut dyn FnMut(Runner<'_>)) -> Result<(), String> {
        let machine = machine(&job.arguments[0], job.arguments[1].parse().map_err(|_| "no size")?);
        use_it(Runner::of(&machine, &options()).map_err(|e| e.to_string())?);
        Ok(())
    }
}

/// Advances a search to its end; what went wrong, if anything did.
fn finish<E: Engine>(mut search: Submitted<'_, E>) -> Result<Outcome, String> {
    while search.advance(1) == Status::Running {}
    match search.workers().trouble() {
        Some(trouble) => Err(trouble),
        None => Ok(search.outcome()),
    }
}

/// Runs a search with so many workers on threads; the first of them stops after its first result, if it is to.
fn with_workers<E: Engine + Send>(engine: &mut dyn FnMut() -> E, workers: usize, name: &str, n: i64) -> Outcome {
    let machine = machine(name, n);
    let mut what = job(VERSION);
    what.arguments = vec![name.to_owned(), n.to_string()];
    let search = Submitted::new(Hub::of(&machine, &options()).unwrap(), engine(), "j", &what, None).unwrap();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for number in 0..workers {
            let (mut engine, over) = (engine(), &over);
            scope.spawn(move || {
                let until = Until {
                    stopped: &|| over.load(Ordering::Relaxed),
                    idle: None,
                };
                work(&mut engine, &format!("w{number}"), &mut Loading, &until).expect("the engine is there");
            });
        }
        let outcome = finish(search);
        over.store(true, Ordering::Relaxed);
        outcome.expect("no trouble")
    })
}

fn three_workers_find_what_one_finds<E: Engine + Send>(engine: &mut dyn FnMut() -> E) {
    for (name, n) in [("lastzero", 9), ("philosophers", 8), ("fib", 3)] {
        same(&with_workers(engine, 3, name, n), &alone(&machine(name, n)));
    }
}

fn a_worker_that_dies_is_not_missed<E: Engine + Send>(engine: &mut dyn FnMut() -> E) {
    let machine = machine("lastzero", 8);
    let mut what = job(VERSION);
    what.arguments[1] = "8".to_owned();
    let mut search = Submitted::new(Hub::of(&machine, &options()).unwrap(), engine(), "k", &what, None).unwrap();
    search.advance(1);
    // One takes a unit and is never heard of again; another one commits a result and does not acknowledge the unit.
    let mut dead = engine();
    drop(dead.take(Duration::from_secs(5)).unwrap().expect("a unit"));
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (mut engine, over) = (engine(), &over);
        scope.spawn(move || {
            let until = Until {
                stopped: &|| over.load(Ordering::Relaxed),
                idle: None,
            };
            work(&mut engine, "w", &mut Loading, &until).expect("the engine is there");
        });
        let outcome = finish(search);
        over.store(true, Ordering::Relaxed);
        same(&outcome.expect("no trouble"), &alone(&machine));
    });
}

fn workers_of_another_version_refuse<E: Engine + Send>(engine: &mut dyn FnMut() -> E) {
    let machine = machine("lastzero", 5);
    let search = Submitted::new(Hub::of(&machine, &options()).unwrap(), engine(), "v", &job("0.0.1"), None).unwrap();
    std::thread::scope(|scope| {
        let mut engine = engine();
        scope.spawn(move || {
            let until = Until {
                stopped: &|| false,
                idle: Some(Duration::from_millis(1500)),
            };
            work(&mut engine, "w", &mut Loading, &until)
        });
        let trouble = finish(search).expect_err("it is of another version");
        assert!(trouble.contains("the search is of 0.0.1"), "{trouble}");
    });
}

#[test]
fn a_server_that_is_killed_and_started_again_loses_nothing() {
    let Some(mut server) = Server::start() else { return };
    let machine = machine("lastzero", 10);
    let mut what = job(VERSION);
    what.arguments[1] = "10".to_owned();
    let mut search = Submitted::new(Hub::of(&machine, &options()).unwrap(), server.connect(), "s", &what, None).unwrap();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for number in 0..2 {
            let (mut engine, over) = (server.connect(), &over);
            scope.spawn(move || {
                let until = Until {
                    stopped: &|| over.load(Ordering::Relaxed),
                    idle: None,
                };
                work(&mut engine, &format!("w{number}"), &mut Loading, &until)
            });
        }
        for _ in 0..3 {
            search.advance(1);
        }
        server.kill_and_restart();
        let outcome = finish(search);
        over.store(true, Ordering::Relaxed);
        same(&outcome.expect("no trouble"), &alone(&machine));
    });
}

#[test]
fn a_worker_of_another_version_can_tell_and_disturbs_nobody() {
    let Some(server) = Server::start() else { return };
    let (mut own, mut other) = (server.connect(), server.connect().as_version("0.0.1"));
    assert_eq!(other.other_version().unwrap(), None, "nobody has submitted anything");
    own.offer("a", 1, b"unit").unwrap();
    assert_eq!(other.other_version().unwrap().as_deref(), Some(VERSION));
    assert_eq!(own.other_version().unwrap(), None);
    assert!(other.take(Duration::from_millis(100)).unwrap().is_none());
    assert!(own.take(Duration::from_secs(5)).unwrap().is_some());
}

#[test]
fn nobody_there_is_one_clear_line() {
    let trouble = mazurka_cluster::Nats::connect("nats://me:secret@127.0.0.1:1", None)
        .err()
        .expect("nobody listens there");
    assert!(matches!(&trouble, Trouble::Unreachable(_)));
    let said = trouble.to_string();
    assert!(said.starts_with("cannot reach the cluster at `nats://127.0.0.1:1`: "), "{said}");
    assert!(!said.contains('\n') && !said.contains("secret"), "{said}");
}
