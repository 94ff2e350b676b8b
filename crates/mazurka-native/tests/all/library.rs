//! What the library offers, in a check and outside of one.

use mazurka_native::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka_native::sync::mpsc::{RecvTimeoutError, TryRecvError, TrySendError, channel, sync_channel};
use mazurka_native::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock};
use mazurka_native::{Check, check, choose, hint, thread};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

/// Everything that `f` ever returns in a check.
fn outcomes<T: Ord + 'static>(f: impl Fn() -> T + 'static) -> BTreeSet<T> {
    let found: Rc<RefCell<BTreeSet<T>>> = Rc::default();
    let collected = Rc::clone(&found);
    check(move || {
        let outcome = f();
        collected.borrow_mut().insert(outcome);
    });
    found.take()
}

#[test]
fn a_scope_lends_what_is_outside_of_it() {
    let sums = outcomes(|| {
        let sum = Mutex::new(0);
        thread::scope(|s| {
            for i in 1..=3 {
                let sum = &sum;
                s.spawn(move || *sum.lock().unwrap() += i);
            }
        });
        sum.into_inner().unwrap()
    });
    assert_eq!(sums, [6].into());
}

#[test]
fn threads_give_their_results_to_who_joins_them() {
    check(|| {
        let handle = thread::Builder::new().name("worker".to_owned()).spawn(|| 42).unwrap();
        assert_eq!(handle.thread().name(), Some("worker"));
        assert_eq!(handle.join().unwrap(), 42);
        assert_ne!(thread::current().id(), thread::spawn(|| thread::current().id()).join().unwrap());
    });
}

#[test]
fn parking_takes_a_token_that_does_not_add_up() {
    check(|| {
        let main = thread::current();
        let other = thread::spawn(move || {
            main.unpark();
            main.unpark();
        });
        thread::park();
        other.join().unwrap();
        thread::park_timeout(Duration::from_secs(1));
    });
    let deadlock = Check::new().run(|| {
        let main = thread::current();
        thread::spawn(move || {
            main.unpark();
            main.unpark();
        })
        .join()
        .unwrap();
        thread::park();
        thread::park();
    });
    assert_eq!(deadlock.outcome().counts.deadlocks, 1);
}

#[test]
fn a_condition_is_waited_for() {
    check(|| {
        let shared = Arc::new((Mutex::new(false), Condvar::new()));
        let setter = Arc::clone(&shared);
        let other = thread::spawn(move || {
            *setter.0.lock().unwrap() = true;
            setter.1.notify_one();
        });
        let guard = shared.1.wait_while(shared.0.lock().unwrap(), |ready| !*ready).unwrap();
        assert!(*guard);
        drop(guard);
        other.join().unwrap();
    });
}

#[test]
fn a_notification_that_comes_before_the_wait_is_lost() {
    let lost = Check::new().run(|| {
        let shared = Arc::new((Mutex::new(()), Condvar::new()));
        let notifier = Arc::clone(&shared);
        thread::spawn(move || notifier.1.notify_one());
        let guard = shared.0.lock().unwrap();
        drop(shared.1.wait(guard).unwrap());
    });
    assert_eq!(lost.outcome().counts.deadlocks, 1);
    let report = lost.report();
    assert!(report.contains("for a notification of Condvar 0"), "{report}");
}

#[test]
fn a_wait_with_a_timeout_ends_either_way() {
    let ends = outcomes(|| {
        let shared = Arc::new((Mutex::new(()), Condvar::new()));
        let notifier = Arc::clone(&shared);
        let other = thread::spawn(move || {
            drop(notifier.0.lock().unwrap());
            notifier.1.notify_all();
        });
        let guard = shared.0.lock().unwrap();
        let timed_out = shared.1.wait_timeout(guard, Duration::from_secs(1)).unwrap().1.timed_out();
        other.join().unwrap();
        timed_out
    });
    assert_eq!(ends, [false, true].into());
}

#[test]
fn locks_are_tried() {
    let tries = outcomes(|| {
        let (mutex, rwlock) = (Arc::new(Mutex::new(())), Arc::new(RwLock::new(())));
        let (m, w) = (Arc::clone(&mutex), Arc::clone(&rwlock));
        let other = thread::spawn(move || {
            let _m = m.lock().unwrap();
            let _w = w.read().unwrap();
        });
        let locked = mutex.try_lock().is_ok();
        let written = rwlock.try_write().is_ok();
        let read = rwlock.try_read().is_ok();
        other.join().unwrap();
        (locked, written, read)
    });
    assert_eq!(
        tries,
        [(true, true, true), (false, true, true), (false, false, true), (true, false, true)].into()
    );
}

#[test]
fn channels_end_when_their_other_ends_are_gone() {
    check(|| {
        let (sender, receiver) = channel();
        drop(receiver);
        assert!(sender.send(1).is_err());
        let (sender, receiver) = channel::<u8>();
        assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
        drop(sender);
        assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
        assert_eq!(
            receiver.recv_timeout(Duration::ZERO).unwrap_err() as u8,
            receiver.recv_timeout(Duration::ZERO).unwrap_err() as u8
        );
        assert!(receiver.recv().is_err());
    });
    let ends = outcomes(|| {
        let (sender, receiver) = channel();
        let other = thread::spawn(move || sender.send(5).unwrap());
        let result = match receiver.recv_timeout(Duration::from_millis(1)) {
            Ok(n) => n,
            Err(RecvTimeoutError::Timeout) => 0,
            Err(RecvTimeoutError::Disconnected) => 1,
        };
        let _keep = receiver;
        other.join().unwrap();
        result
    });
    assert_eq!(ends, [0, 5].into());
}

#[test]
fn bounded_channels_make_senders_wait() {
    let lengths = outcomes(|| {
        let (sender, receiver) = sync_channel(1);
        let other = thread::spawn(move || {
            sender.send(1).unwrap();
            let full = matches!(sender.try_send(2), Err(TrySendError::Full(2)));
            sender.send(3).unwrap();
            full
        });
        let received: Vec<i32> = receiver.iter().collect();
        (other.join().unwrap(), received)
    });
    assert_eq!(lengths, [(true, vec![1, 3]), (false, vec![1, 2, 3])].into());
}

#[test]
fn channels_without_room_hand_over() {
    let seen = outcomes(|| {
        let taken = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = sync_channel(0);
        let flag = Arc::clone(&taken);
        let other = thread::spawn(move || {
            flag.store(true, SeqCst);
            receiver.recv().unwrap()
        });
        sender.send(7).unwrap();
        let seen = taken.load(SeqCst);
        (seen, other.join().unwrap())
    });
    assert_eq!(seen, [(true, 7)].into());
}

#[test]
fn who_reads_twice_may_wait_for_a_writer_for_ever() {
    let twice = |again: fn(&RwLock<()>)| {
        move || {
            let lock = Arc::new(RwLock::new(()));
            let theirs = Arc::clone(&lock);
            let writer = thread::spawn(move || drop(theirs.write()));
            let first = lock.read();
            again(&lock);
            drop(first);
            writer.join().unwrap();
        }
    };
    let checked = Check::new().run(twice(|lock| drop(lock.read())));
    let report = checked.report();
    assert!(report.contains("RwLock 0, for which a writer waits before it"), "{report}");
    // Its schedule is found again, though it has steps that are none in the first search.
    let line = report.lines().find(|line| line.contains("replay(")).unwrap_or_default();
    let schedule = line.split('"').nth(1).unwrap_or_default();
    let replayed = Check::new().replay(twice(|lock| drop(lock.read())), schedule);
    assert!(replayed.contains("wait to write-lock RwLock 0"), "{line}\n{replayed}");
    // Without the second time there is nothing to wait for, and writers take one step.
    let once = Check::new().run(twice(|_| ()));
    assert_eq!(
        once.report(),
        "complete: 2 executions, nothing failed, under sequential consistency"
    );
}

#[test]
fn a_writer_that_waits_keeps_those_out_who_try() {
    let tried = outcomes(|| {
        let lock = Arc::new(RwLock::new(0));
        let theirs = Arc::clone(&lock);
        let first = lock.read().unwrap();
        let writer = thread::spawn(move || *theirs.write().unwrap() = 1);
        let second = lock.try_read().is_ok();
        drop(first);
        writer.join().unwrap();
        second
    });
    assert_eq!(tried, [false, true].into());
}

#[test]
fn messages_are_handed_to_who_waits_for_them() {
    let ends = outcomes(|| {
        let (sender, receiver) = sync_channel(0);
        let other = thread::spawn(move || match sender.try_send(7) {
            Ok(()) => "handed",
            Err(TrySendError::Full(7)) => "nobody waits",
            Err(TrySendError::Disconnected(7)) => "nobody is there",
            Err(e) => panic!("{e}"),
        });
        let received = receiver.recv().ok();
        drop(receiver);
        (other.join().unwrap(), received)
    });
    // The sender is dropped when its thread ends, so nobody waits in vain.
    assert_eq!(ends, [("handed", Some(7)), ("nobody waits", None)].into());
    let ends = outcomes(|| {
        let (sender, receiver) = sync_channel(0);
        let other = thread::spawn(move || receiver.recv_timeout(Duration::from_secs(1)).ok());
        let sent = loop {
            match sender.try_send(7) {
                Ok(()) => break true,
                Err(TrySendError::Full(_)) => thread::yield_now(),
                Err(TrySendError::Disconnected(_)) => break false,
            }
        };
        (sent, other.join().unwrap())
    });
    assert_eq!(ends, [(true, Some(7)), (false, None)].into());
}

#[test]
fn whether_a_thread_has_ended_can_be_asked() {
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let theirs = Arc::clone(&x);
        let other = thread::spawn(move || theirs.store(1, SeqCst));
        let (before, ended, after) = (x.load(SeqCst), other.is_finished(), x.load(SeqCst));
        other.join().unwrap();
        (before, ended, after)
    });
    assert_eq!(
        seen,
        [(0, false, 0), (0, false, 1), (0, true, 1), (1, false, 1), (1, true, 1)].into()
    );
    // Waits for the end, instead of going round for ever.
    check(|| {
        thread::scope(|s| {
            let other = s.spawn(|| ());
            while !other.is_finished() {
                thread::yield_now();
            }
        });
    });
}

#[test]
fn weak_references_count() {
    let counts = outcomes(|| {
        let shared = Arc::new(0);
        let weak = Arc::downgrade(&shared);
        let other = thread::spawn(move || drop(shared));
        let count = weak.strong_count();
        other.join().unwrap();
        assert_eq!((weak.strong_count(), weak.weak_count()), (0, 0));
        count
    });
    assert_eq!(counts, [0, 1].into());
}

#[test]
fn what_is_done_once_is_done_before_anybody_goes_on() {
    check(|| {
        let once = Arc::new((Once::new(), AtomicUsize::new(0)));
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let once = Arc::clone(&once);
                thread::spawn(move || {
                    once.0.call_once(|| {
                        once.1.fetch_add(1, SeqCst);
                    });
                    assert_eq!(once.1.load(SeqCst), 1);
                })
            })
            .collect();
        threads.into_iter().for_each(|t| t.join().unwrap());
    });
}

static COUNTER: AtomicUsize = AtomicUsize::new(3);
static LOG: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| vec![format!("{}", COUNTER.fetch_add(1, SeqCst))]);
static FIRST: OnceLock<usize> = OnceLock::new();

#[test]
#[cfg(target_os = "linux")]
fn statics_begin_anew_in_every_execution_and_check() {
    for _ in 0..2 {
        statics_begin_anew();
    }
}

fn statics_begin_anew() {
    let ends = outcomes(|| {
        let other = thread::spawn(|| {
            LOG.lock().unwrap().push(1);
            FIRST.get_or_init(|| 1);
        });
        LOG.lock().unwrap().push(0);
        FIRST.get_or_init(|| 0);
        other.join().unwrap();
        assert_eq!(NAMES.as_slice(), ["3"]);
        assert_eq!(COUNTER.load(SeqCst), 4);
        (LOG.lock().unwrap().clone(), *FIRST.get().unwrap())
    });
    assert_eq!(ends, [(vec![0, 1], 0), (vec![0, 1], 1), (vec![1, 0], 0), (vec![1, 0], 1)].into());
}

#[test]
fn threads_meet_at_a_barrier() {
    let meeting = |asks: bool| {
        move || {
            let shared = Arc::new((Barrier::new(3), AtomicUsize::new(0)));
            let threads: Vec<_> = (0..3)
                .map(|_| {
                    let shared = Arc::clone(&shared);
                    thread::spawn(move || {
                        for _ in 0..2 {
                            let met = shared.0.wait();
                            if asks && met.is_leader() {
                                shared.1.fetch_add(1, SeqCst);
                            }
                        }
                    })
                })
                .collect();
            threads.into_iter().for_each(|t| t.join().unwrap());
            assert_eq!(shared.1.load(SeqCst), if asks { 2 } else { 0 });
        }
    };
    let checked = Check::new().run(meeting(false));
    assert_eq!(
        checked.report(),
        "complete: 1 execution, nothing failed, under sequential consistency"
    );
    // Who leads depends on who comes last.
    check(meeting(true));
}

/// With more threads than meet, who comes when makes a difference.
#[test]
fn more_threads_than_meet_at_a_barrier_go_in_pairs() {
    check(|| {
        let shared = Arc::new((Barrier::new(2), AtomicUsize::new(0)));
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    if shared.0.wait().is_leader() {
                        shared.1.fetch_add(1, SeqCst);
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|t| t.join().unwrap());
        assert_eq!(shared.1.load(SeqCst), 2);
    });
}

/// Who drops the last reference sends: both may.
#[test]
fn who_drops_last_makes_a_difference_if_that_is_a_step() {
    struct Teller(AtomicUsize, Arc<Mutex<Vec<thread::ThreadId>>>);
    impl Drop for Teller {
        fn drop(&mut self) {
            self.1.lock().unwrap().push(thread::current().id());
        }
    }
    let tellers = outcomes(|| {
        let log = Arc::default();
        let teller = Arc::new(Teller(AtomicUsize::new(0), Arc::clone(&log)));
        let other = Arc::clone(&teller);
        let thread = thread::spawn(move || {
            other.0.load(SeqCst);
            drop(other);
        });
        teller.0.load(SeqCst);
        drop(teller);
        thread.join().unwrap();
        let last = log.lock().unwrap()[0];
        last == thread::current().id()
    });
    assert_eq!(tellers, [false, true].into());
}

#[test]
fn all_choices_are_made() {
    assert_eq!(outcomes(|| (choose(2), choose(3))).len(), 6);
}

#[test]
fn an_endless_spin_is_reported_as_such() {
    let checked = Check::new().run(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let spinner = Arc::clone(&flag);
        thread::spawn(move || {
            while !spinner.load(SeqCst) {
                hint::spin_loop();
            }
        });
    });
    assert!(checked.report().contains("it spins for ever"), "{}", checked.report());
}

/// The same code as ever: real threads, real locks.
#[test]
fn outside_of_a_check_all_is_real() {
    let sum = Arc::new(Mutex::new(0));
    let (sender, receiver) = channel();
    thread::scope(|s| {
        for i in 0..4 {
            let (sum, sender) = (&sum, sender.clone());
            s.spawn(move || {
                *sum.lock().unwrap() += i;
                sender.send(i).unwrap();
            });
        }
    });
    drop(sender);
    assert_eq!(*sum.lock().unwrap(), 6);
    assert_eq!(receiver.iter().sum::<i32>(), 6);
    assert_eq!(choose(5), 0);
    let barrier = Barrier::new(1);
    assert!(barrier.wait().is_leader());
    let lock = RwLock::new(1);
    *lock.write().unwrap() += 1;
    assert_eq!(*lock.read().unwrap(), 2);
    let once = OnceLock::new();
    assert_eq!(*once.get_or_init(|| 3), 3);
    let handle = thread::spawn(|| 5);
    assert_eq!(handle.join().unwrap(), 5);
}

#[cfg(target_os = "linux")]
static LAZY: LazyLock<Mutex<Option<Box<u64>>>> = LazyLock::new(|| Mutex::new(Some(Box::new(7))));

/// What is inside of a static is made anew with it, and not by its bytes.
#[test]
#[cfg(target_os = "linux")]
fn statics_may_own_what_they_have_made() {
    for _ in 0..2 {
        check(|| {
            let other = thread::spawn(|| LAZY.lock().unwrap().take());
            let mine = LAZY.lock().unwrap().take();
            let theirs = other.join().unwrap();
            assert!(mine.is_some() != theirs.is_some());
        });
    }
}

/// A loop that gives up is no spin.
#[test]
fn loops_that_give_up_after_a_few_rounds_are_seen_to() {
    let gave_up = outcomes(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let poll = Arc::clone(&flag);
        let poller = thread::spawn(move || {
            for _ in 0..3 {
                if poll.load(SeqCst) {
                    return false;
                }
                thread::sleep(Duration::from_millis(1));
            }
            true
        });
        flag.store(true, SeqCst);
        poller.join().unwrap()
    });
    assert_eq!(gave_up, [false, true].into());
}

#[test]
fn a_loop_that_does_something_else_than_look_does_not_wait() {
    check(|| {
        let (x, queue) = (AtomicUsize::new(0), Mutex::new(vec![1, 2, 3, 4, 5, 6, 7]));
        for _ in 0..6 {
            x.load(SeqCst);
            queue.lock().unwrap().pop();
            thread::yield_now();
        }
    });
    let checked = Check::new().run(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&flag);
        let spinner = thread::spawn(move || {
            while !other.load(SeqCst) {
                hint::spin_loop();
            }
        });
        flag.store(true, SeqCst);
        spinner.join().unwrap();
    });
    assert!(
        checked.report().ends_with("were taken to go on until there is"),
        "{}",
        checked.report()
    );
}

#[test]
fn what_cannot_be_handed_over_is_given_back() {
    check(|| {
        let (sender, receiver) = sync_channel(0);
        let other = thread::spawn(move || drop(receiver));
        assert_eq!(sender.send(5).unwrap_err().0, 5);
        other.join().unwrap();
    });
}

#[test]
fn what_was_not_received_is_gone_with_the_receiver() {
    check(|| {
        let (sender, receiver) = channel();
        let (reply, answers) = channel::<u8>();
        let server = thread::spawn(move || drop(receiver));
        let _ = sender.send(reply);
        assert!(answers.recv().is_err());
        server.join().unwrap();
    });
}

#[test]
fn any_of_those_that_meet_may_lead() {
    let leaders = outcomes(|| {
        let barrier = Arc::new(Barrier::new(2));
        let other = Arc::clone(&barrier);
        let thread = thread::spawn(move || other.wait().is_leader());
        let leads = barrier.wait().is_leader();
        (leads, thread.join().unwrap())
    });
    assert!(leaders.is_superset(&[(true, false), (false, true)].into()), "{leaders:?}");
}

#[test]
fn references_are_counted_by_who_looks() {
    let counts = outcomes(|| {
        let one = Arc::new(0);
        let two = Arc::clone(&one);
        let other = thread::spawn(move || {
            let _three = Arc::clone(&two);
            thread::park_timeout(Duration::from_millis(1));
        });
        let count = Arc::strong_count(&one);
        other.join().unwrap();
        count
    });
    assert_eq!(counts, [1, 2, 3].into());
}

/// The first search finds out that references are counted; the second must not be held against it.
#[test]
fn beginning_again_is_not_doing_something_else() {
    check(|| {
        let x = AtomicUsize::new(0);
        let one = Arc::new(0);
        drop(Arc::clone(&one));
        x.load(SeqCst);
        assert_eq!(Arc::strong_count(&one), 1);
    });
}
