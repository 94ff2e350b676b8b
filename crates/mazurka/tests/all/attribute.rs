//! `#[mazurka::test]` on tests that pass, each of which would fail if the attribute did not do what it says.

use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::sync::{Arc, Mutex};
use mazurka::thread;

#[mazurka::test]
fn deposits_are_not_lost() {
    let balance = Arc::new(Mutex::new(0));
    let deposits = [1, 2].map(|amount| {
        let balance = Arc::clone(&balance);
        thread::spawn(move || *balance.lock().unwrap() += amount)
    });
    deposits.into_iter().for_each(|d| d.join().unwrap());
    assert_eq!(*balance.lock().unwrap(), 3);
}

/// Two increments that are not atomic: one of them is lost in some interleaving.
pub fn lost_update() {
    let hits = Arc::new(AtomicU32::new(0));
    let threads = [(); 2].map(|()| {
        let hits = Arc::clone(&hits);
        thread::spawn(move || hits.store(hits.load(SeqCst) + 1, SeqCst))
    });
    threads.into_iter().for_each(|t| t.join().unwrap());
    assert_eq!(hits.load(SeqCst), 2, "a hit was lost");
}

#[mazurka::test]
#[should_panic(expected = "a hit was lost")]
fn a_panic_is_one_of_the_test() {
    lost_update();
}

#[mazurka::test]
#[should_panic(expected = "the test returned an error: \"the second came first\"")]
fn an_error_is_a_failure() -> Result<(), &'static str> {
    let first = Arc::new(AtomicU32::new(0));
    thread::scope(|scope| {
        for n in [1, 2] {
            let first = &first;
            scope.spawn(move || first.compare_exchange(0, n, SeqCst, SeqCst));
        }
    });
    if first.load(SeqCst) == 2 {
        Err("the second came first")
    } else {
        Ok(())
    }
}

#[mazurka::test(executions = 1)]
fn a_limit_of_the_author_is_no_failure() {
    lost_update_later();
}

#[mazurka::test(executions = 1, complete)]
#[should_panic(expected = "incomplete: ")]
fn complete_makes_it_one() {
    lost_update_later();
}

/// Several executions, of which the first is fine.
fn lost_update_later() {
    let hits = Arc::new(AtomicU32::new(0));
    let threads = [(); 2].map(|()| {
        let hits = Arc::clone(&hits);
        thread::spawn(move || hits.fetch_add(1, SeqCst))
    });
    threads.into_iter().for_each(|t| drop(t.join()));
}

#[mazurka::test(seconds = 2.5, depth = 1_000, algorithm = "source", ignore_deadlocks, allow_panics, keep_going)]
fn every_option_is_understood() {
    thread::spawn(thread::park);
    assert!(thread::spawn(|| panic!("expected")).join().is_err());
}

#[mazurka::test(preemptions = 1)]
fn a_bound_is_no_failure() {
    lost_update_later();
}

#[mazurka::test(preemptions = 0, complete)]
#[should_panic(expected = "incomplete: all executions without preemptions are covered")]
fn complete_with_a_bound_makes_it_one() {
    lost_update();
}

#[mazurka::test(seed = 3, random = 20)]
fn random_executions_are_no_failure() {
    lost_update_later();
}

#[mazurka::test(pct = 200)]
#[should_panic(expected = "a hit was lost")]
fn random_executions_find_what_they_find() {
    let hits = Arc::new(AtomicU32::new(0));
    let threads = [(); 2].map(|()| {
        let hits = Arc::clone(&hits);
        thread::spawn(move || hits.store(hits.load(SeqCst) + 1, SeqCst))
    });
    threads.into_iter().for_each(|t| drop(t.join()));
    assert_eq!(hits.load(SeqCst), 2, "a hit was lost");
}

#[mazurka::test]
#[should_panic(expected = "ended the process")]
fn what_ends_the_process_fails_one_test_only() {
    std::process::abort();
}

mod inner {
    #[mazurka::test(crate = ::mazurka)]
    pub(crate) fn a_test_may_be_in_a_module() {}
}
