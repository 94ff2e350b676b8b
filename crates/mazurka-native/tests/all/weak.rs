//! Checks under a memory model.

use mazurka_native::cell::UnsafeCell;
use mazurka_native::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use mazurka_native::sync::atomic::{AtomicBool, AtomicUsize, fence};
use mazurka_native::sync::{Arc, Condvar, Mutex, mpsc};
use mazurka_native::{Check, Checked, thread};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Plain data that threads share.
#[derive(Default)]
pub struct Data(UnsafeCell<usize>);

// SAFETY: unordered accesses are for the check to find.
unsafe impl Sync for Data {}
// SAFETY: as above.
unsafe impl Send for Data {}

impl Data {
    #[track_caller]
    pub fn get(&self) -> usize {
        // SAFETY: one thread of the operating system runs all of a check.
        self.0.with(|data| unsafe { *data })
    }

    #[track_caller]
    pub fn set(&self, value: usize) {
        // SAFETY: as above.
        self.0.with_mut(|data| unsafe { *data = value });
    }
}

fn run(model: &str, f: impl Fn() + 'static) -> Checked {
    Check::new().model(model).run(f)
}

/// The numbers that executions end with, and how many graphs there are.
fn outcomes(model: &str, f: impl Fn() -> usize + 'static) -> (BTreeSet<usize>, u64) {
    let seen = Rc::new(std::cell::RefCell::new(BTreeSet::new()));
    let all = Rc::clone(&seen);
    let checked = run(model, move || {
        let outcome = f();
        all.borrow_mut().insert(outcome);
    });
    assert!(checked.failures().next().is_none(), "{}", checked.report());
    let seen = seen.borrow().clone();
    (seen, checked.executions())
}

/// Two threads, each of which stores and then loads what the other one stores.
fn store_buffering(store: Ordering, load: Ordering, between: Option<Ordering>) -> usize {
    let flags = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let threads: Vec<_> = (0..2)
        .map(|me| {
            let flags = Arc::clone(&flags);
            thread::spawn(move || {
                flags[me].store(1, store);
                if let Some(order) = between {
                    fence(order);
                }
                flags[1 - me].load(load)
            })
        })
        .collect();
    threads.into_iter().fold(0, |all, thread| 2 * all + thread.join().unwrap())
}

#[test]
fn stores_are_buffered() {
    assert_eq!(
        outcomes("rc11", || store_buffering(Relaxed, Relaxed, None)),
        ([0, 1, 2, 3].into(), 4)
    );
    assert_eq!(
        outcomes("tso", || store_buffering(Release, Acquire, None)),
        ([0, 1, 2, 3].into(), 4)
    );
    assert_eq!(outcomes("rc11", || store_buffering(SeqCst, SeqCst, None)), ([1, 2, 3].into(), 3));
    assert_eq!(
        outcomes("rc11", || store_buffering(Relaxed, Relaxed, Some(SeqCst))),
        ([1, 2, 3].into(), 3)
    );
    assert_eq!(
        outcomes("rc11", || store_buffering(Relaxed, Relaxed, Some(AcqRel))),
        ([0, 1, 2, 3].into(), 4)
    );
    assert_eq!(outcomes("sc", || store_buffering(Relaxed, Relaxed, None)), ([1, 2, 3].into(), 3));
}

/// A message, and a flag that says that it is there.
fn message_passing(store: Ordering, load: Ordering) {
    let cell = Arc::new((Data::default(), AtomicBool::new(false)));
    let other = Arc::clone(&cell);
    let writer = thread::spawn(move || {
        other.0.set(42);
        other.1.store(true, store);
    });
    if cell.1.load(load) {
        assert_eq!(cell.0.get(), 42);
    }
    writer.join().unwrap();
}

#[test]
fn a_message_needs_release_and_acquire() {
    let checked = run("rc11", || message_passing(Release, Acquire));
    assert_eq!(
        checked.report(),
        "complete: 2 execution graphs, nothing failed, under rc11 (RC11, the memory model of Rust and C++20 without load buffering)"
    );
    for (store, load) in [(Relaxed, Acquire), (Release, Relaxed), (Relaxed, Relaxed)] {
        let checked = run("rc11", move || message_passing(store, load));
        assert!(checked.report().contains("data race"), "{}", checked.report());
    }
    insta::assert_snapshot!(run("rc11", || message_passing(Relaxed, Acquire)).report());
}

/// What comes after a race depends on the order in which threads are run, so nothing is looked at there; what a later store would have changed still is.
#[test]
fn races_do_not_end_a_check_that_keeps_going() {
    let checked = Check::new().model("rc11").keep_going().run(|| {
        let all = Arc::new((Data::default(), AtomicUsize::new(0), AtomicUsize::new(0)));
        let other = Arc::clone(&all);
        let thread = thread::spawn(move || {
            other.0.set(1);
            other.1.store(1, Relaxed);
            other.2.store(other.0.get(), Relaxed);
        });
        if all.1.load(Relaxed) == 1 {
            all.0.set(2);
            all.2.store(3, Relaxed);
        }
        all.2.load(Relaxed);
        thread.join().unwrap();
    });
    assert!(checked.report().contains("data race"), "{}", checked.report());
}

/// The exchange comes to be before the addition only by revisiting it.
#[test]
fn races_after_a_read_modify_write_are_found() {
    for model in ["sc", "tso", "rc11"] {
        let checked = run(model, || {
            let all = Arc::new((Data::default(), AtomicUsize::new(0)));
            let other = Arc::clone(&all);
            let thread = thread::spawn(move || {
                other.0.set(1);
                other.1.fetch_add(1, AcqRel);
            });
            let _ = all.1.compare_exchange(0, 2, Relaxed, SeqCst);
            all.0.get();
            thread.join().unwrap();
        });
        assert!(checked.report().contains("data race"), "{}", checked.report());
    }
}

#[test]
fn stale_values_are_read() {
    let stale = || {
        let cell = Arc::new((AtomicUsize::new(0), AtomicBool::new(false)));
        let other = Arc::clone(&cell);
        let writer = thread::spawn(move || {
            other.0.store(42, Relaxed);
            other.1.store(true, Relaxed);
        });
        if cell.1.load(Acquire) {
            assert_eq!(cell.0.load(Relaxed), 42);
        }
        writer.join().unwrap();
    };
    insta::assert_snapshot!(run("rc11", stale).report());
    assert!(run("tso", stale).failures().next().is_none());
}

#[test]
fn locks_have_one_order() {
    for threads in 1..=4 {
        let (_, graphs) = outcomes("rc11", move || {
            let total = Arc::new(Mutex::new(0));
            let all: Vec<_> = (0..threads)
                .map(|_| {
                    let total = Arc::clone(&total);
                    thread::spawn(move || *total.lock().unwrap() += 1)
                })
                .collect();
            all.into_iter().for_each(|t| t.join().unwrap());
            let sum = *total.lock().unwrap();
            assert_eq!(sum, threads);
            sum
        });
        assert_eq!(graphs, (1..=threads).product::<usize>() as u64);
    }
}

#[test]
fn increments_are_counted() {
    for threads in 1..=4 {
        let (_, graphs) = outcomes("rc11", move || {
            let total = Arc::new(AtomicUsize::new(0));
            let all: Vec<_> = (0..threads)
                .map(|_| {
                    let total = Arc::clone(&total);
                    thread::spawn(move || total.fetch_add(1, Relaxed))
                })
                .collect();
            all.into_iter().for_each(|t| {
                t.join().unwrap();
            });
            let sum = total.load(Relaxed);
            assert_eq!(sum, threads);
            sum
        });
        assert_eq!(graphs, (1..=threads).product::<usize>() as u64);
    }
}

#[test]
fn condition_variables_channels_and_tokens_synchronise() {
    let data = |signal: fn(&(Mutex<bool>, Condvar)), wait: fn(&(Mutex<bool>, Condvar))| {
        move || {
            let all = Arc::new((Data::default(), (Mutex::new(false), Condvar::new())));
            let other = Arc::clone(&all);
            let writer = thread::spawn(move || {
                other.0.set(42);
                signal(&other.1);
            });
            wait(&all.1);
            assert_eq!(all.0.get(), 42);
            writer.join().unwrap();
        }
    };
    let checked = run(
        "rc11",
        data(
            |(lock, condvar)| {
                *lock.lock().unwrap() = true;
                condvar.notify_one();
            },
            |(lock, condvar)| drop(condvar.wait_while(lock.lock().unwrap(), |ready| !*ready).unwrap()),
        ),
    );
    assert!(checked.failures().next().is_none(), "{}", checked.report());
    let checked = run("rc11", || {
        let (sender, receiver) = mpsc::channel();
        let cell = Arc::new(Data::default());
        let other = Arc::clone(&cell);
        let writer = thread::spawn(move || {
            other.set(42);
            sender.send(7).unwrap();
        });
        assert_eq!(receiver.recv(), Ok(7));
        assert_eq!(cell.get(), 42);
        writer.join().unwrap();
    });
    assert!(checked.failures().next().is_none(), "{}", checked.report());
    let checked = run("rc11", || {
        let cell = Arc::new(Data::default());
        let (other, reader) = (Arc::clone(&cell), thread::current());
        let writer = thread::spawn(move || {
            other.set(42);
            reader.unpark();
        });
        thread::park();
        assert_eq!(cell.get(), 42);
        writer.join().unwrap();
    });
    assert!(checked.failures().next().is_none(), "{}", checked.report());
}

#[test]
fn what_waits_for_ever_is_a_deadlock() {
    let checked = run("rc11", || {
        let locks = Arc::new((Mutex::new(()), Mutex::new(())));
        let other = Arc::clone(&locks);
        let thread = thread::spawn(move || {
            let _first = other.1.lock().unwrap();
            let _second = other.0.lock().unwrap();
        });
        {
            let _first = locks.0.lock().unwrap();
            let _second = locks.1.lock().unwrap();
        }
        thread.join().unwrap();
    });
    assert!(checked.report().contains("deadlock"), "{}", checked.report());
    // A loop that waits for a flag that nobody sets.
    let checked = run("rc11", || {
        let flag = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&flag);
        let thread = thread::spawn(move || other.store(false, Release));
        while !flag.load(Acquire) {
            thread::yield_now();
        }
        thread.join().unwrap();
    });
    assert!(checked.report().contains("deadlock"), "{}", checked.report());
}

#[test]
fn what_a_model_cannot_have_is_refused() {
    let said = |f: fn()| {
        let panic = std::panic::catch_unwind(f).unwrap_err();
        panic.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    let expected = "there is no memory model `c11`; expected one of sc, tso, rc11";
    assert_eq!(said(|| drop(Check::new().model("c11"))), expected);
    let expected =
        "the memory model `rc11` cannot be combined with a bound on preemptions or delays: its executions are graphs, not interleavings";
    assert_eq!(said(|| drop(Check::new().model("rc11").preemptions(2).run(|| ()))), expected);
    let expected = "the memory model `rc11` cannot be combined with another algorithm: its executions are graphs, not interleavings";
    assert_eq!(said(|| drop(Check::new().model("rc11").algorithm("source").run(|| ()))), expected);
    let refused = said(|| drop(Check::new().model("rc11").run(|| assert!(mazurka_native::choose(3) < 3))));
    assert!(
        refused.starts_with("`choose` cannot be checked under a memory model yet: "),
        "{refused}"
    );
}

#[test]
fn orderings_that_rust_forbids_are_failures_at_their_place() {
    let checked = run("rc11", || assert!(AtomicBool::new(false).load(Release)));
    assert!(checked.report().contains("no such thing as a release load"), "{}", checked.report());
    let checked = run("rc11", || fence(Relaxed));
    assert!(
        checked.report().contains("no such thing as a relaxed fence"),
        "{}",
        checked.report()
    );
}

#[test]
fn limits_end_a_check_as_incomplete() {
    let checked = Check::new()
        .model("rc11")
        .max_executions(2)
        .run(|| assert!(store_buffering(Relaxed, Relaxed, None) < 4));
    assert!(
        checked
            .report()
            .starts_with("incomplete: max-executions was reached; 2 execution graphs"),
        "{}",
        checked.report()
    );
    let checked = Check::new()
        .model("rc11")
        .max_depth(3)
        .run(|| assert!(store_buffering(Relaxed, Relaxed, None) < 4));
    assert!(
        checked.report().starts_with("incomplete: max-depth was reached"),
        "{}",
        checked.report()
    );
}

#[test]
fn the_weakest_orderings_are_found() {
    let weakened = Check::new().model("rc11").weakest_orderings(|| message_passing(SeqCst, SeqCst));
    let short: Vec<String> = weakened.iter().map(|w| format!("{} → {}", w.from, w.to)).collect();
    assert_eq!(short, ["SeqCst → Release", "SeqCst → Acquire"]);
}

/// Whether an `Arc` was the last one is decided by the graph, and orders what the others did before.
#[test]
fn the_last_reference_has_heard_of_all_others() {
    let (seen, _) = outcomes("rc11", || {
        let value = Arc::new(AtomicUsize::new(0));
        let other = Arc::clone(&value);
        let thread = thread::spawn(move || other.store(1, Relaxed));
        let seen = match Arc::try_unwrap(value) {
            Ok(value) => 2 + value.load(Relaxed),
            Err(value) => value.load(Relaxed),
        };
        thread.join().unwrap();
        seen
    });
    assert_eq!(seen, [0, 1, 3].into());
}

/// The deque of Chase and Lev as GenMC tests it (`tests/correct/data-structures/chase-lev`): five items are pushed, three popped, two pushed, and one is stolen. The
/// number of executions under sequential consistency is that of its file `expected.sc.mo.in`.
#[test]
fn the_deque_of_genmc_has_as_many_graphs() {
    const LENGTH: usize = 10;
    #[derive(Default)]
    struct Deque {
        bottom: AtomicUsize,
        top: AtomicUsize,
        buffer: [AtomicUsize; LENGTH],
    }
    let deque = || {
        let deque = Arc::new(Deque::default());
        let (owner, thief) = (Arc::clone(&deque), deque);
        let push = |deque: &Deque, value: usize| {
            let (bottom, top) = (deque.bottom.load(Relaxed), deque.top.load(Acquire));
            if bottom - top < LENGTH {
                deque.buffer[bottom % LENGTH].store(value, Relaxed);
                deque.bottom.store(bottom + 1, Release);
            }
        };
        let pop = |deque: &Deque| {
            let bottom = deque.bottom.load(Relaxed);
            deque.bottom.store(bottom - 1, Relaxed);
            fence(SeqCst);
            let top = deque.top.load(Relaxed);
            if bottom <= top {
                deque.bottom.store(bottom, Relaxed);
                return;
            }
            deque.buffer[(bottom - 1) % LENGTH].load(Relaxed);
            if bottom - top == 1 {
                let _ = deque.top.compare_exchange(top, top + 1, AcqRel, Acquire);
                deque.bottom.store(bottom, Relaxed);
            }
        };
        thread::spawn(move || {
            (1..=5).for_each(|value| push(&owner, value));
            (0..3).for_each(|_| pop(&owner));
            (6..=7).for_each(|value| push(&owner, value));
        });
        thread::spawn(move || {
            let top = thief.top.load(Relaxed);
            fence(SeqCst);
            if thief.bottom.load(Acquire) > top {
                thief.buffer[top % LENGTH].load(Relaxed);
                let _ = thief.top.compare_exchange(top, top + 1, Release, Relaxed);
            }
        });
    };
    let checked = run("sc", deque);
    assert!(checked.failures().next().is_none(), "{}", checked.report());
    assert_eq!(checked.executions(), 59);
}
