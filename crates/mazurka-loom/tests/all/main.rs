//! Tests as they are written for loom.

use mazurka_loom as loom;

use loom::cell::UnsafeCell;
use loom::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use loom::sync::atomic::{AtomicBool, AtomicUsize};
use loom::sync::{Arc, Condvar, Mutex, Notify};
use loom::thread;
use std::rc::Rc;

#[test]
#[should_panic(expected = "a deposit was lost")]
fn a_lost_update_is_found() {
    loom::model(|| {
        let sum = Arc::new(AtomicUsize::new(0));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let sum = sum.clone();
                thread::spawn(move || {
                    let before = sum.load(Acquire);
                    sum.store(before + 1, Release);
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(2, sum.load(Relaxed), "a deposit was lost");
    });
}

/// A value that is passed on by a flag.
fn publication(set: loom::sync::atomic::Ordering) {
    struct Slot(UnsafeCell<u32>, AtomicBool);
    // SAFETY: the flag says who may use the value.
    unsafe impl Sync for Slot {}
    loom::model(move || {
        let slot = Arc::new(Slot(UnsafeCell::new(0), AtomicBool::new(false)));
        let theirs = slot.clone();
        thread::spawn(move || {
            // SAFETY: nobody reads before the flag is set.
            theirs.0.with_mut(|value| unsafe { *value = 1 });
            theirs.1.store(true, set);
        });
        while !slot.1.load(Acquire) {
            thread::yield_now();
        }
        // SAFETY: the flag is set.
        assert_eq!(1, slot.0.with(|value| unsafe { *value }));
    });
}

#[test]
fn a_released_value_is_passed_on() {
    publication(Release);
}

#[test]
#[should_panic(expected = "data race")]
fn a_relaxed_flag_passes_nothing_on() {
    publication(Relaxed);
}

#[test]
#[should_panic(expected = "this Arc is never dropped")]
fn a_leak_is_found() {
    loom::model(|| std::mem::forget(Arc::new(())));
}

#[test]
#[should_panic(expected = "this tracked value is never dropped")]
fn a_tracked_value_that_is_not_dropped_is_found() {
    loom::model(|| std::mem::forget(loom::alloc::Track::new(())));
}

#[test]
fn what_threads_take_need_not_be_send() {
    loom::model(|| {
        let mutex = Rc::new(Mutex::new(0));
        let theirs = mutex.clone();
        let thread = thread::spawn(move || *theirs.lock().unwrap() += 1);
        *mutex.lock().unwrap() += 1;
        thread.join().unwrap();
        assert_eq!(*mutex.lock().unwrap(), 2);
    });
}

#[test]
#[should_panic(expected = "deadlock")]
fn a_notification_that_comes_too_early_is_lost_with_a_condition_variable() {
    loom::model(|| {
        let pair = Arc::new((Mutex::new(()), Condvar::new()));
        let theirs = pair.clone();
        let thread = thread::spawn(move || theirs.1.notify_one());
        drop(pair.1.wait(pair.0.lock().unwrap()));
        thread.join().unwrap();
    });
}

#[test]
fn a_notification_that_comes_too_early_is_kept_by_notify() {
    loom::model(|| {
        let notify = Arc::new(Notify::new());
        let theirs = notify.clone();
        let thread = thread::spawn(move || theirs.notify());
        notify.wait();
        thread.join().unwrap();
    });
}

#[test]
fn statics_and_thread_locals_begin_anew() {
    loom::lazy_static! {
        static ref HITS: AtomicUsize = AtomicUsize::new(0);
    }
    loom::thread_local! {
        static OWN: std::cell::Cell<u32> = std::cell::Cell::new(7);
    }
    loom::model(|| {
        let hit = || {
            HITS.fetch_add(1, Relaxed);
            OWN.with(|own| assert_eq!(own.replace(8), 7));
        };
        let thread = thread::spawn(hit);
        hit();
        thread.join().unwrap();
        assert_eq!(HITS.load(Relaxed), 2);
    });
}

#[test]
fn futures_are_woken() {
    loom::model(|| {
        let shared = Arc::new((loom::future::AtomicWaker::new(), AtomicBool::new(false)));
        let theirs = shared.clone();
        let thread = thread::spawn(move || {
            theirs.1.store(true, Release);
            theirs.0.wake();
        });
        loom::future::block_on(std::future::poll_fn(|context| {
            shared.0.register_by_ref(context.waker());
            if shared.1.load(Acquire) {
                std::task::Poll::Ready(())
            } else {
                std::task::Poll::Pending
            }
        }));
        thread.join().unwrap();
    });
}
