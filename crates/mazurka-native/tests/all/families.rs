//! Known programs as threads: exactly as many executions as there are traces.

use mazurka_native::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use mazurka_native::sync::mpsc::channel;
use mazurka_native::sync::{Arc, Mutex, RwLock};
use mazurka_native::{Check, thread};

/// Executions and deadlocks.
fn counts(f: impl Fn() + Clone + 'static) -> (u64, u64) {
    let mut known = None;
    for algorithm in ["optimal", "source"] {
        let checked = Check::new().algorithm(algorithm).ignore_deadlocks().run(f.clone());
        let counts = &checked.outcome().counts;
        assert_eq!(checked.failures().next(), None);
        assert!(counts.blocked == 0 || algorithm != "optimal");
        let now = (counts.executions, counts.deadlocks);
        assert_eq!(*known.get_or_insert(now), now, "{algorithm}");
    }
    known.unwrap()
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

#[test]
fn writers_are_ordered_in_every_way() {
    for n in 1..=6 {
        let writers = move || {
            let x = Arc::new(AtomicUsize::new(0));
            for i in 0..n {
                let x = Arc::clone(&x);
                thread::spawn(move || x.store(i, SeqCst));
            }
        };
        assert_eq!(counts(writers), (factorial(n as u64), 0));
    }
}

#[test]
fn readers_see_one_writer_or_not() {
    for n in 1..=6 {
        let readers = move || {
            let x = Arc::new(AtomicUsize::new(0));
            for i in 0..=n {
                let x = Arc::clone(&x);
                thread::spawn(move || {
                    if i == 0 {
                        x.store(1, SeqCst);
                    } else {
                        x.load(SeqCst);
                    }
                });
            }
        };
        assert_eq!(counts(readers), (1 << n, 0));
    }
}

#[test]
fn last_zero() {
    for n in 1..=6_usize {
        let last_zero = move || {
            let array: Arc<Vec<AtomicUsize>> = Arc::new((0..=n).map(|_| AtomicUsize::new(0)).collect());
            let reader = Arc::clone(&array);
            thread::spawn(move || {
                let mut i = n;
                while reader[i].load(SeqCst) != 0 {
                    i -= 1;
                }
            });
            for j in 1..=n {
                let array = Arc::clone(&array);
                thread::spawn(move || array[j].store(array[j - 1].load(SeqCst) + 1, SeqCst));
            }
        };
        assert_eq!(counts(last_zero), ((n as u64 + 3) * (1 << n) / 4, 0));
    }
}

#[test]
fn a_counter_behind_a_lock() {
    for n in 1..=5 {
        let counter = move || {
            let count = Arc::new(Mutex::new(0));
            let threads: Vec<_> = (0..n)
                .map(|_| {
                    let count = Arc::clone(&count);
                    thread::spawn(move || *count.lock().unwrap() += 1)
                })
                .collect();
            threads.into_iter().for_each(|t| t.join().unwrap());
            assert_eq!(*count.lock().unwrap(), n);
        };
        assert_eq!(counts(counter), (factorial(n), 0));
    }
}

#[test]
fn readers_of_a_lock_do_not_exclude_each_other() {
    for n in 1..=5 {
        let readers = move || {
            let value = Arc::new(RwLock::new(7));
            for _ in 0..n {
                let value = Arc::clone(&value);
                thread::spawn(move || assert_eq!(*value.read().unwrap(), 7));
            }
        };
        assert_eq!(counts(readers), (1, 0));
    }
}

#[test]
fn senders_are_ordered_and_the_receiver_takes_what_comes() {
    for n in 1..=6 {
        let registry = move || {
            let (sender, receiver) = channel();
            for i in 0..n {
                let sender = sender.clone();
                thread::spawn(move || sender.send(i).unwrap());
            }
            drop(sender);
            assert_eq!(receiver.iter().sum::<u64>(), n * (n - 1) / 2);
        };
        assert_eq!(counts(registry), (factorial(n), 0));
    }
}

#[test]
fn a_producer_and_a_consumer_have_one_execution() {
    let production = || {
        let (sender, receiver) = channel();
        let producer = thread::spawn(move || (0..6).for_each(|i| sender.send(i).unwrap()));
        assert_eq!(receiver.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        producer.join().unwrap();
    };
    assert_eq!(counts(production), (1, 0));
}

#[test]
fn philosophers_starve_in_one_way() {
    for n in 2..=6 {
        let philosophers = move || {
            let forks: Arc<Vec<Mutex<()>>> = Arc::new((0..n).map(|_| Mutex::new(())).collect());
            for i in 0..n {
                let forks = Arc::clone(&forks);
                thread::spawn(move || {
                    let _left = forks[i].lock().unwrap();
                    let _right = forks[(i + 1) % n].lock().unwrap();
                });
            }
        };
        assert_eq!(counts(philosophers), ((1 << n) - 1, 1));
    }
}

#[test]
fn a_spin_waits_for_news() {
    let spin = || {
        let flag = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&flag);
        let waiter = thread::spawn(move || {
            while !seen.load(SeqCst) {
                thread::yield_now();
            }
        });
        flag.store(true, SeqCst);
        waiter.join().unwrap();
    };
    let (executions, deadlocks) = counts(spin);
    // It sees the flag at once, or after as many looks as a loop may take before it is taken for a spin.
    assert_eq!((executions, deadlocks), (6, 0));
}
