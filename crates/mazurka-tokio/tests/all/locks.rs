//! Locks, permits, notifications, barriers: exact counts, deadlocks, lost wake-ups.

use crate::{executions, report};
use std::sync::Arc;
use tokio::spawn;
use tokio::sync::{Barrier, Mutex, Notify, OnceCell, RwLock, Semaphore};

#[test]
fn tasks_take_a_lock_in_every_order() {
    for (n, orders) in [(2, 2), (3, 6), (4, 24)] {
        assert_eq!(
            executions(move || async move {
                let sum = Arc::new(Mutex::new(0));
                let tasks: Vec<_> = (0..n)
                    .map(|_| {
                        let sum = Arc::clone(&sum);
                        spawn(async move { *sum.lock().await += 1 })
                    })
                    .collect();
                for task in tasks {
                    task.await.unwrap();
                }
                assert_eq!(*sum.lock().await, n);
            }),
            orders
        );
    }
}

#[test]
fn locks_in_different_orders_are_a_deadlock_with_its_cycle() {
    let report = report(|| async {
        let locks = Arc::new((Mutex::new(()), Mutex::new(())));
        let other = Arc::clone(&locks);
        let task = spawn(async move {
            let _second = other.1.lock().await;
            let _first = other.0.lock().await;
        });
        let _first = locks.0.lock().await;
        let _second = locks.1.lock().await;
        drop((_first, _second));
        task.await.unwrap();
    });
    assert!(report.contains("deadlock"), "{report}");
    assert!(report.contains("the release of Mutex 0"), "{report}");
    assert!(report.contains("the release of Mutex 1"), "{report}");
}

#[test]
fn readers_commute_and_writers_do_not() {
    let with = |readers: usize, writers: usize| {
        executions(move || async move {
            let lock = Arc::new(RwLock::new(0));
            let mut tasks = Vec::new();
            for _ in 0..readers {
                let lock = Arc::clone(&lock);
                tasks.push(spawn(async move { assert!(*lock.read().await <= 2) }));
            }
            for _ in 0..writers {
                let lock = Arc::clone(&lock);
                tasks.push(spawn(async move { *lock.write().await += 1 }));
            }
            for task in tasks {
                task.await.unwrap();
            }
        })
    };
    assert_eq!(with(4, 0), 1);
    assert_eq!(with(0, 3), 6);
    assert_eq!(with(2, 1), 4);
}

#[test]
fn a_writer_that_waits_keeps_a_second_read_out() {
    let report = report(|| async {
        let lock = Arc::new(RwLock::new(0));
        let other = Arc::clone(&lock);
        let task = spawn(async move { *other.write().await += 1 });
        let first = lock.read().await;
        let second = lock.read().await;
        drop((first, second));
        task.await.unwrap();
    });
    assert!(report.contains("deadlock"), "{report}");
    assert!(report.contains("queue up for RwLock 0"), "{report}");
}

#[test]
fn a_writer_that_waits_fails_those_who_try_to_read() {
    executions(|| async {
        let lock = Arc::new(RwLock::new(0));
        let other = Arc::clone(&lock);
        let read = lock.read().await;
        let task = spawn(async move { *other.write().await += 1 });
        // The other one waits already, or not yet.
        drop(lock.try_read());
        assert!(lock.try_write().is_err());
        drop(read);
        task.await.unwrap();
        let write = lock.try_write().unwrap();
        let read = write.downgrade();
        assert_eq!(*read, 1);
        assert!(lock.try_read().is_ok());
    });
}

#[test]
fn permits_are_given_in_turn_to_who_wants_many() {
    let report = report(|| async {
        let permits = Arc::new(Semaphore::new(2));
        let other = Arc::clone(&permits);
        let task = spawn(async move { drop(other.acquire_many(2).await.unwrap()) });
        let first = permits.acquire().await.unwrap();
        // There is one left, but it may be kept for who wants two.
        let second = permits.acquire().await.unwrap();
        drop((first, second));
        task.await.unwrap();
    });
    assert!(report.contains("deadlock"), "{report}");
    assert!(report.contains("a permit of Semaphore 0"), "{report}");
}

#[test]
fn permits_come_back_and_end() {
    assert_eq!(
        executions(|| async {
            let permits = Arc::new(Semaphore::new(1));
            let tasks = [0, 1].map(|_| {
                let permits = Arc::clone(&permits);
                spawn(async move { drop(permits.acquire_owned().await.unwrap()) })
            });
            for task in tasks {
                task.await.unwrap();
            }
            assert_eq!(permits.available_permits(), 1);
            permits.acquire().await.unwrap().forget();
            assert!(permits.try_acquire().is_err());
            permits.close();
            assert!(permits.acquire().await.is_err());
        }),
        2
    );
}

#[test]
fn a_notification_is_kept_for_who_comes_later() {
    assert_eq!(
        executions(|| async {
            let notify = Arc::new(Notify::new());
            let other = Arc::clone(&notify);
            spawn(async move { other.notify_one() });
            notify.notified().await;
        }),
        1
    );
}

#[test]
fn a_notification_of_all_is_lost_on_who_comes_later() {
    let report = report(|| async {
        let notify = Arc::new(Notify::new());
        let other = Arc::clone(&notify);
        spawn(async move { other.notify_waiters() });
        notify.notified().await;
    });
    assert!(report.contains("a notification of Notify 0"), "{report}");
    assert!(report.contains("the last `notify all of Notify 0`, by task 1"), "{report}");
    assert!(report.contains("came before it waited"), "{report}");
}

#[test]
fn a_future_that_was_made_before_is_notified_with_all() {
    executions(|| async {
        let notify = Arc::new(Notify::new());
        let waiting = notify.notified();
        let other = Arc::clone(&notify);
        spawn(async move { other.notify_waiters() });
        waiting.await;
    });
}

#[test]
fn two_notifications_are_one_if_nobody_waits() {
    let report = report(|| async {
        let notify = Arc::new(Notify::new());
        let other = Arc::clone(&notify);
        spawn(async move {
            other.notify_one();
            other.notify_one();
        });
        notify.notified().await;
        notify.notified().await;
    });
    assert!(report.contains("came before it waited"), "{report}");
}

#[test]
fn who_has_its_place_and_is_dropped_passes_the_notification_on() {
    executions(|| async {
        let notify = Arc::new(Notify::new());
        let mut first = Box::pin(notify.notified());
        assert!(!first.as_mut().enable());
        notify.notify_one();
        drop(first);
        notify.notified().await;
    });
    executions(|| async {
        let notify = Arc::new(Notify::new());
        let (mut first, mut second) = (Box::pin(notify.notified()), Box::pin(notify.notified()));
        first.as_mut().enable();
        second.as_mut().enable();
        notify.notify_one();
        notify.notify_one();
        second.await;
        first.await;
    });
}

#[test]
fn those_who_meet_have_one_execution() {
    let meet = |n: usize, tasks: usize| {
        executions(move || async move {
            let barrier = Arc::new(Barrier::new(n));
            let tasks: Vec<_> = (0..tasks)
                .map(|_| {
                    let barrier = Arc::clone(&barrier);
                    spawn(async move {
                        barrier.wait().await;
                    })
                })
                .collect();
            for task in tasks {
                task.await.unwrap();
            }
        })
    };
    assert_eq!(meet(3, 3), 1);
    assert!(meet(2, 4) > 1);
    executions(|| async {
        let barrier = Arc::new(Barrier::new(2));
        let other = Arc::clone(&barrier);
        let task = spawn(async move { other.wait().await.is_leader() });
        let leads = barrier.wait().await.is_leader();
        assert_ne!(leads, task.await.unwrap());
    });
}

#[test]
fn a_value_is_made_once() {
    executions(|| async {
        let cell = Arc::new(OnceCell::new());
        let tasks = [1, 2].map(|n| {
            let cell = Arc::clone(&cell);
            spawn(async move { *cell.get_or_init(|| async move { n }).await })
        });
        let mut values = Vec::new();
        for task in tasks {
            values.push(task.await.unwrap());
        }
        assert_eq!(values[0], values[1]);
        assert!(cell.set(3).is_err());
    });
}

#[test]
fn statics_begin_with_their_first_values() {
    static LOCK: Mutex<u32> = Mutex::const_new(0);
    static SHARED: RwLock<u32> = RwLock::const_new(0);
    static CELL: OnceCell<u32> = OnceCell::const_new();
    executions(|| async {
        let tasks = [0, 1].map(|n| {
            spawn(async move {
                *LOCK.lock().await += 1;
                *SHARED.write().await += 1;
                *CELL.get_or_init(|| async move { n }).await
            })
        });
        let mut values = Vec::new();
        for task in tasks {
            values.push(task.await.unwrap());
        }
        assert_eq!(values[0], values[1]);
        assert_eq!((*LOCK.lock().await, *SHARED.read().await), (2, 2));
    });
}
