//! Panics: caught or not, with destructors that take steps while they unwind a thread.

use mazurka_native::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka_native::sync::{Arc, Mutex, Once};
use mazurka_native::{Check, Checked, thread};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::TryLockError;

fn outcomes<T: Ord + 'static>(check: Check, f: impl Fn() -> T + 'static) -> BTreeSet<T> {
    let found: Rc<RefCell<BTreeSet<T>>> = Rc::default();
    let collected = Rc::clone(&found);
    check.assert_ok(move || {
        let outcome = f();
        collected.borrow_mut().insert(outcome);
    });
    found.take()
}

fn messages(checked: &Checked) -> Vec<&str> {
    checked.failures().map(|f| f.message.as_str()).collect()
}

#[test]
fn a_panic_that_is_caught_gives_locks_back() {
    Check::new().assert_ok(|| {
        let shared = Mutex::new(0);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let _guard = shared.lock().unwrap();
            panic!("halfway");
        }));
        assert!(caught.is_err());
        assert!(shared.lock().is_err());
    });
}

struct Store(Arc<AtomicU32>);

impl Drop for Store {
    fn drop(&mut self) {
        assert!(thread::panicking());
        self.0.store(1, SeqCst);
        self.0.store(2, SeqCst);
    }
}

/// Others run in the middle of it, and are not panicking.
#[test]
fn a_destructor_takes_steps_while_a_panic_unwinds_its_thread() {
    let found = outcomes(Check::new(), || {
        let x = Arc::new(AtomicU32::new(0));
        let store = Store(Arc::clone(&x));
        let unwound = thread::spawn(move || {
            let caught = catch_unwind(AssertUnwindSafe(move || {
                let _store = store;
                panic!("halfway");
            }));
            assert!(caught.is_err() && !thread::panicking());
        });
        assert!(!thread::panicking());
        let seen = x.load(SeqCst);
        assert!(!thread::panicking());
        unwound.join().unwrap();
        assert_eq!(x.load(SeqCst), 2);
        seen
    });
    assert_eq!(found, [0, 1, 2].into());
}

#[test]
fn several_threads_are_unwound_at_once() {
    let found = outcomes(Check::new().allow_panics(), || {
        let x = Arc::new(AtomicU32::new(0));
        let unwound: Vec<_> = (0..2)
            .map(|_| {
                let store = Store(Arc::clone(&x));
                thread::spawn(move || {
                    let _store = store;
                    panic!("halfway");
                })
            })
            .collect();
        let seen = (x.load(SeqCst), x.load(SeqCst));
        assert!(unwound.into_iter().all(|t| t.join().is_err()));
        seen
    });
    assert_eq!(found.len(), 7, "{found:?}");
    assert!(found.contains(&(2, 1)), "one is through, the other one begins");
}

/// A pool that waits for its threads when it goes out of scope, also if that is because of a panic.
struct Pool(Vec<thread::JoinHandle<()>>);

impl Drop for Pool {
    fn drop(&mut self) {
        for thread in self.0.drain(..) {
            thread.join().unwrap();
        }
    }
}

#[test]
fn a_destructor_joins_while_a_panic_unwinds_its_thread() {
    let checked = Check::new().run(|| {
        let x = Arc::new(AtomicU32::new(0));
        let y = Arc::clone(&x);
        let _pool = Pool(vec![thread::spawn(move || y.store(1, SeqCst))]);
        assert_eq!(x.load(SeqCst), 1, "too early");
    });
    assert_eq!(checked.failures().count(), 1);
    assert!(messages(&checked)[0].contains("too early"), "{:?}", messages(&checked));
}

#[test]
fn a_scope_is_opened_and_left_while_a_panic_unwinds_its_thread() {
    struct Scope(Arc<AtomicU32>);
    impl Drop for Scope {
        fn drop(&mut self) {
            let values = vec![5; 64];
            thread::scope(|s| {
                let sum = || self.0.store(values.iter().sum(), SeqCst);
                s.spawn(sum);
            });
        }
    }
    Check::new().assert_ok(|| {
        let x = Arc::new(AtomicU32::new(0));
        let scope = Scope(Arc::clone(&x));
        let caught = catch_unwind(AssertUnwindSafe(move || {
            let _scope = scope;
            panic!("halfway");
        }));
        assert!(caught.is_err());
        assert_eq!(x.load(SeqCst), 320);
    });
}

/// It waits for ever, but the panic is what is wrong.
#[test]
fn a_panic_is_reported_although_its_unwinding_never_ends() {
    struct Wait(Arc<Mutex<u32>>);
    impl Drop for Wait {
        fn drop(&mut self) {
            drop(self.0.lock());
        }
    }
    let body = || {
        let mutex = Arc::new(Mutex::new(0));
        let (wait, _guard) = (Wait(Arc::clone(&mutex)), mutex.lock());
        let _wait = wait;
        panic!("first of all");
    };
    let checked = Check::new().run(body);
    assert_eq!(messages(&checked), ["first of all", "a thread waits for ever"]);
    let checked = Check::new().ignore_deadlocks().run(body);
    assert_eq!(messages(&checked), ["first of all"]);
    Check::new().assert_ok(|| assert!(!thread::panicking()));
    assert!(!std::thread::panicking());
}

#[test]
fn a_panic_within_a_panic_is_a_failure() {
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("second");
        }
    }
    let checked = Check::new().run(|| {
        let _panics = Panics;
        panic!("first");
    });
    assert_eq!(messages(&checked)[0], "second (within a panic, which ends the process)");
    // Nothing is left of it.
    a_panic_that_is_caught_gives_locks_back();
}

/// The harness takes the hook away before it ends. It must not wait for a thread that was given up inside the hook.
#[test]
#[cfg(unix)]
fn a_test_program_ends_after_a_panic_within_a_panic() {
    let program = std::env::current_exe().expect("the program of the tests");
    let mut tests = std::process::Command::new(program)
        .args(["--exact", "panics::a_panic_within_a_panic_is_a_failure"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    for _ in 0..6_000 {
        if let Some(status) = tests.try_wait().expect("its end can be awaited") {
            assert!(status.success());
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    tests.kill().expect("it can be ended");
    panic!("it has not ended for a minute");
}

#[test]
fn a_result_that_panics_when_nobody_wants_it_is_a_failure() {
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("unwanted");
        }
    }
    let checked = Check::new().run(|| drop(thread::spawn(|| Panics)));
    assert!(messages(&checked)[0].contains("unwanted"), "{:?}", messages(&checked));
}

#[test]
fn references_are_dropped_while_a_panic_unwinds_their_thread() {
    Check::new().allow_panics().assert_ok(|| {
        let one = Arc::new(0);
        let other = Arc::clone(&one);
        let unwound = thread::spawn(move || {
            let _other = other;
            panic!("allowed");
        });
        assert!(unwound.join().is_err());
        assert_eq!(Arc::strong_count(&one), 1);
    });
}

#[test]
fn a_mutex_is_poisoned_when_it_is_unlocked() {
    for algorithm in ["naive", "optimal", "source", "optimal+observers"] {
        let found = outcomes(Check::new().allow_panics().algorithm(algorithm), || {
            let mutex = Arc::new(Mutex::new(0));
            let other = Arc::clone(&mutex);
            let unwound = thread::spawn(move || {
                let _guard = other.lock().unwrap();
                panic!("allowed");
            });
            let poisoned = mutex.is_poisoned();
            let locked = matches!(mutex.try_lock(), Err(TryLockError::WouldBlock));
            let later = mutex.is_poisoned();
            assert!(unwound.join().is_err());
            assert!(mutex.is_poisoned());
            (poisoned, locked, later)
        });
        let expected = [
            (false, false, false),
            (false, false, true),
            (false, true, false),
            (false, true, true),
            (true, false, true),
        ];
        assert_eq!(found, expected.into(), "{algorithm}");
    }
}

#[test]
fn what_panicked_once_is_poisoned() {
    Check::new().assert_ok(|| {
        let once = Once::new();
        assert!(catch_unwind(AssertUnwindSafe(|| once.call_once(|| panic!("halfway")))).is_err());
        assert!(!once.is_completed());
        assert!(catch_unwind(AssertUnwindSafe(|| once.call_once(|| {}))).is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| once.wait())).is_err());
        let mut poisoned = false;
        once.call_once_force(|state| poisoned = state.is_poisoned());
        assert!(poisoned && once.is_completed());
        once.wait();
    });
}
