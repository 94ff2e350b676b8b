//! What is found, and how it is shown.

use mazurka_native::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka_native::sync::{Arc, Mutex};
use mazurka_native::{Check, thread};
use std::cell::Cell;
use std::rc::Rc;

fn lost_update() {
    let hits = Arc::new(AtomicU32::new(0));
    let handles: Vec<_> = (0..2)
        .map(|_| {
            let hits = Arc::clone(&hits);
            thread::spawn(move || hits.store(hits.load(SeqCst) + 1, SeqCst))
        })
        .collect();
    handles.into_iter().for_each(|h| h.join().unwrap());
    assert_eq!(hits.load(SeqCst), 2, "a hit was lost");
}

#[test]
fn a_lost_update_is_shown_with_its_race() {
    insta::assert_snapshot!(Check::new().run(lost_update).report());
}

#[test]
fn a_counterexample_is_run_again() {
    let shown = Check::new().replay(lost_update, "0.1 0.0 0.0 0.1 0 0 0");
    assert!(shown.contains("in the other order this failure does not happen"), "{shown}");
}

#[test]
#[should_panic(expected = "the schedule does not fit the code: step 2, of thread 0.7")]
fn a_schedule_of_other_code_is_refused() {
    Check::new().replay(lost_update, "0.0 0.7");
}

fn transfers() {
    let accounts = Arc::new([Mutex::new(10), Mutex::new(20)]);
    let transfer = |from: usize, to: usize| {
        let accounts = Arc::clone(&accounts);
        let builder = thread::Builder::new().name(format!("from {from} to {to}"));
        let work = move || {
            let mut source = accounts[from].lock().unwrap();
            let mut target = accounts[to].lock().unwrap();
            *source -= 1;
            *target += 1;
        };
        builder.spawn(work).unwrap()
    };
    let (one, two) = (transfer(0, 1), transfer(1, 0));
    one.join().unwrap();
    two.join().unwrap();
}

#[test]
fn a_deadlock_is_shown_with_its_cycle() {
    insta::assert_snapshot!(Check::new().run(transfers).report());
}

#[test]
fn every_failure_is_found() {
    let checked = Check::new().keep_going().run(|| {
        let x = Arc::new(AtomicU32::new(0));
        let y = Arc::clone(&x);
        let other = thread::spawn(move || {
            y.store(1, SeqCst);
            y.store(2, SeqCst);
        });
        match x.load(SeqCst) {
            1 => panic!("one"),
            2 => panic!("two"),
            _ => {}
        }
        other.join().unwrap();
    });
    let mut messages: Vec<&str> = checked.failures().map(|f| f.message.as_str()).collect();
    messages.sort_unstable();
    assert_eq!(messages, ["one", "two"]);
}

#[test]
fn a_panic_of_a_thread_is_a_failure_unless_it_is_allowed() {
    let poisoned = || {
        let shared = Arc::new(Mutex::new(0));
        let other = Arc::clone(&shared);
        let handle = thread::spawn(move || {
            let _guard = other.lock().unwrap();
            panic!("halfway");
        });
        assert_eq!(*handle.join().unwrap_err().downcast::<&str>().unwrap(), "halfway");
        assert!(shared.lock().is_err(), "it is poisoned");
    };
    let checked = Check::new().run(poisoned);
    let failure = checked.failures().next().unwrap();
    assert_eq!(failure.message, "thread 1: halfway");
    Check::new().allow_panics().assert_ok(poisoned);
}

/// The lock is given back when the thread is unwound: others may have it before or after.
#[test]
fn others_go_on_after_a_panic() {
    let checked = Check::new().allow_panics().run(|| {
        let shared = Arc::new(Mutex::new(0));
        let other = Arc::clone(&shared);
        let handle = thread::spawn(move || {
            let _guard = other.lock().unwrap();
            panic!("halfway");
        });
        drop(shared.lock());
        handle.join().unwrap_err();
    });
    assert_eq!(
        checked.report(),
        "complete: 2 executions, nothing failed, under sequential consistency"
    );
}

#[test]
fn a_panic_before_the_first_step_is_reported() {
    let checked = Check::new().run(|| panic!("at once"));
    assert_eq!(checked.failures().next().unwrap().message, "at once");
}

#[test]
fn code_that_does_something_else_each_time_gets_no_verdict() {
    let runs = Rc::new(Cell::new(0));
    let checked = Check::new().run(move || {
        runs.set(runs.get() + 1);
        let (x, y) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        let other = Arc::clone(&x);
        thread::spawn(move || other.store(1, SeqCst));
        let which = if runs.get() % 2 == 0 { &x } else { &y };
        which.load(SeqCst);
        x.store(2, SeqCst);
    });
    let failure = checked.failures().next().expect("it is noticed");
    assert_eq!(failure.kind.name(), "nondeterminism", "{failure:?}");
}

#[test]
fn limits_make_a_check_incomplete() {
    let endless = || loop {
        thread::spawn(|| {}).join().unwrap();
    };
    let checked = Check::new().max_depth(50).run(endless);
    assert_eq!(
        checked.report(),
        "incomplete: max-depth was reached; 0 executions covered, nothing failed so far"
    );
    let writers = || {
        let x = Arc::new(AtomicU32::new(0));
        for i in 0..5 {
            let x = Arc::clone(&x);
            thread::spawn(move || x.store(i, SeqCst));
        }
    };
    let checked = Check::new().max_executions(10).run(writers);
    assert!(checked.report().starts_with("incomplete: max-executions"), "{}", checked.report());
}

#[test]
#[should_panic(expected = "`stateful` cannot be used for threads; expected one of optimal, source")]
fn algorithms_that_need_states_are_refused() {
    let _ = Check::new().algorithm("stateful");
}

#[test]
#[should_panic(expected = "a check cannot run within another one")]
fn checks_do_not_nest() {
    Check::new().assert_ok(|| mazurka_native::check(|| {}));
}

/// A capture is there once: the second execution would see what the first has left.
#[test]
fn what_was_made_outside_of_a_check_cannot_be_used_in_it() {
    let outside = Arc::new(Mutex::new(vec![1]));
    let checked = Check::new().run(move || outside.lock().unwrap().push(2));
    let failure = checked.failures().next().unwrap();
    assert!(
        failure.message.starts_with("this Mutex was made outside of the check"),
        "{failure:?}"
    );
}

static USED: Mutex<Vec<u32>> = Mutex::new(Vec::new());

#[test]
#[cfg(target_os = "linux")]
fn statics_that_were_used_outside_are_refused() {
    USED.lock().unwrap().push(1);
    let checked = Check::new().run(|| USED.lock().unwrap().push(2));
    let failure = checked.failures().next().unwrap();
    assert!(failure.message.starts_with("this static Mutex was used outside"), "{failure:?}");
    assert_eq!(*USED.lock().unwrap(), [1]);
}

#[test]
fn a_failure_inside_of_a_scope_is_that_failure() {
    let checked = Check::new().run(|| {
        let shared = Mutex::new(0);
        thread::scope(|s| {
            s.spawn(|| *shared.lock().unwrap_or_else(|e| e.into_inner()) = 1);
            let guard = shared.lock().unwrap();
            assert_eq!(*guard, 1, "too early");
        });
    });
    let failure = checked.failures().next().unwrap();
    assert!(failure.message.contains("too early"), "{failure:?}");
}

#[test]
fn orderings_that_make_no_sense_are_refused() {
    let checked = Check::new().run(|| {
        AtomicU32::new(0).load(mazurka_native::sync::atomic::Ordering::Release);
    });
    assert!(checked.failures().next().is_some());
}
