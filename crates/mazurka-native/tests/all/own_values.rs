//! What belongs to a place or to a thread: atomics without names, thread-locals, clocks, threads of a scope.

use mazurka_native::sync::Arc;
use mazurka_native::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka_native::sync::mpsc::channel;
use mazurka_native::time::{Duration, Instant};
use mazurka_native::{Check, check, thread, thread_local};
use std::cell::{Cell, RefCell};

#[test]
fn an_atomic_is_as_large_as_its_value_and_known_by_its_place() {
    assert_eq!(size_of::<AtomicBool>(), 1);
    let executions = Check::new().run(|| {
        // One after the other in the same place of a stack, as two objects: their values have nothing to do with each other.
        for begin in [0_usize, 7] {
            let counter = AtomicUsize::new(begin);
            thread::scope(|scope| {
                scope.spawn(|| counter.fetch_add(1, SeqCst));
                scope.spawn(|| counter.fetch_add(1, SeqCst));
            });
            assert_eq!(counter.load(SeqCst), begin + 2);
        }
        // The memory of one is freed and used for another.
        for _ in 0..2 {
            let word = Box::new(AtomicUsize::new(5));
            // SAFETY: the word is alive, and used as an atomic only.
            let same = unsafe { AtomicUsize::from_ptr(word.as_ptr()) };
            thread::scope(|scope| {
                scope.spawn(|| same.fetch_sub(1, SeqCst));
                scope.spawn(|| word.fetch_sub(1, SeqCst));
            });
            assert_eq!(word.load(SeqCst), 3);
        }
    });
    assert_eq!(executions.executions(), 16, "{}", executions.report());
}

thread_local! {
    static OWN: Cell<u32> = const { Cell::new(1) };
    static DROPPED: RefCell<Option<OnDrop>> = RefCell::new(None);
}

/// Says that it was dropped.
struct OnDrop(Arc<AtomicUsize>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

#[test]
fn every_thread_has_its_own_values() {
    check(|| {
        let dropped = Arc::new(AtomicUsize::new(0));
        let threads = [2, 3].map(|n| {
            let dropped = Arc::clone(&dropped);
            thread::spawn(move || {
                assert_eq!(OWN.replace(n), 1);
                DROPPED.set(Some(OnDrop(dropped)));
                thread::current();
                assert_eq!(OWN.get(), n);
            })
        });
        assert_eq!(OWN.get(), 1);
        threads.into_iter().for_each(|t| t.join().unwrap());
        assert_eq!(dropped.load(SeqCst), 2, "values are dropped before a thread is joined");
        assert_eq!(OWN.get(), 1);
    });
    OWN.set(4);
    assert_eq!(std::thread::spawn(|| OWN.get()).join().unwrap(), 1);
    assert_eq!(OWN.get(), 4);
}

#[test]
fn a_thread_of_a_scope_starts_others_in_it() {
    let executions = Check::new().run(|| {
        let counter = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                let counter = &counter;
                let named = thread::Builder::new().name("outer".to_owned());
                let start = named.spawn_scoped(scope, move || {
                    counter.fetch_add(1, SeqCst);
                    scope.spawn(move || counter.fetch_add(1, SeqCst));
                });
                start.unwrap();
            }
        });
        assert_eq!(counter.load(SeqCst), 4);
    });
    // Two outer and two inner increments, each inner one after its outer one.
    assert_eq!(executions.executions(), 6, "{}", executions.report());
}

#[test]
fn clocks_show_what_a_thread_has_slept() {
    check(|| {
        let begin = Instant::now();
        thread::sleep(Duration::from_secs(3600));
        let slept = begin.elapsed();
        assert!(slept >= Duration::from_secs(3600) && slept < Duration::from_secs(3601));
        let late = thread::spawn(move || begin.elapsed()).join().unwrap();
        assert!(late >= slept);
        let (_sender, receiver) = channel::<()>();
        let deadline = Instant::now() + Duration::from_millis(5);
        while receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_err() {
            if Instant::now() >= deadline {
                return;
            }
        }
        unreachable!("nobody sends");
    });
    let begin = Instant::now();
    assert!(begin.elapsed() < Duration::from_secs(3600));
}
