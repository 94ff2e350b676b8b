//! Tests as they are written for shuttle.

extern crate mazurka_shuttle as shuttle;

use shuttle::rand::{Rng, thread_rng};
use shuttle::scheduler::{DfsScheduler, PctScheduler};
use shuttle::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use shuttle::sync::{Arc, Condvar, Mutex, RwLock, mpsc};
use shuttle::{Config, PortfolioRunner, Runner, check_dfs, check_pct, check_random, future, replay, thread};

fn lost_update() {
    let lock = Arc::new(Mutex::new(0_u64));
    let other = lock.clone();
    let thread = thread::spawn(move || {
        let before = *other.lock().unwrap();
        *other.lock().unwrap() = before + 1;
    });
    let before = *lock.lock().unwrap();
    *lock.lock().unwrap() = before + 1;
    thread.join().unwrap();
    assert_eq!(2, *lock.lock().unwrap(), "an update was lost");
}

#[test]
#[should_panic(expected = "an update was lost")]
fn a_lost_update_is_found_whatever_the_scheduler() {
    check_random(lost_update, 100);
}

#[test]
#[should_panic(expected = "an update was lost")]
fn a_failing_schedule_runs_again() {
    let failed = std::panic::catch_unwind(|| check_pct(lost_update, 100, 3)).unwrap_err();
    let report = failed
        .downcast_ref::<String>()
        .unwrap()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let schedule = report.split("replay(…, \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    replay(lost_update, &schedule);
}

#[test]
#[should_panic(expected = "wait for ever")]
fn a_deadlock_is_found() {
    check_dfs(
        || {
            let locks = Arc::new((Mutex::new(()), Mutex::new(())));
            let other = locks.clone();
            let thread = thread::spawn(move || {
                let _one = other.0.lock().unwrap();
                let _two = other.1.lock().unwrap();
            });
            let two = locks.1.lock().unwrap();
            let one = locks.0.lock().unwrap();
            drop((one, two));
            thread.join().unwrap();
        },
        None,
    );
}

#[test]
fn every_trace_is_run_once() {
    let writers = || {
        let x = Arc::new(AtomicUsize::new(0));
        let threads: Vec<_> = (0..4)
            .map(|n| {
                let x = x.clone();
                thread::spawn(move || x.store(n, SeqCst))
            })
            .collect();
        threads.into_iter().for_each(|t| t.join().unwrap());
    };
    assert_eq!(Runner::new(DfsScheduler::new(None, false), Config::new()).run(writers), 24);
    assert_eq!(Runner::new(PctScheduler::new(3, 10), Config::new()).run(writers), 10);
    let mut all = PortfolioRunner::new(true, Config::new());
    all.add(PctScheduler::new(3, 100));
    all.run(writers);
}

#[test]
fn conditions_channels_and_readers() {
    check_random(
        || {
            let pair = Arc::new((Mutex::new(false), Condvar::new()));
            let other = pair.clone();
            thread::spawn(move || {
                *other.0.lock().unwrap() = true;
                other.1.notify_one();
            });
            let mut set = pair.0.lock().unwrap();
            while !*set {
                set = pair.1.wait(set).unwrap();
            }
            let (sender, receiver) = mpsc::channel();
            thread::spawn(move || sender.send(1).unwrap());
            assert_eq!(receiver.recv(), Ok(1));
            let lock = RwLock::new(1);
            assert_eq!(*lock.read().unwrap() + *lock.read().unwrap(), 2);
        },
        1_000,
    );
}

#[test]
fn tasks_are_checked_too() {
    check_dfs(
        || {
            let task = future::spawn(async {
                future::yield_now().await;
                3
            });
            assert_eq!(future::block_on(task).unwrap(), 3);
        },
        None,
    );
}

#[test]
#[should_panic(expected = "tails and 2")]
fn random_values_are_choices() {
    check_dfs(
        || {
            let (heads, n) = (thread_rng().r#gen::<bool>(), thread_rng().gen_range(0..3_u8));
            assert!(heads || n != 2, "tails and 2");
        },
        None,
    );
}

shuttle::lazy_static! {
    static ref HITS: AtomicUsize = AtomicUsize::new(0);
}

#[test]
fn statics_are_made_anew() {
    check_dfs(
        || {
            let thread = thread::spawn(|| HITS.fetch_add(1, SeqCst));
            HITS.fetch_add(1, SeqCst);
            thread.join().unwrap();
            assert_eq!(HITS.load(SeqCst), 2);
        },
        None,
    );
}
