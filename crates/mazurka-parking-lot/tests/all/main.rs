//! Locks by the paths of parking_lot.

use mazurka_native::{Check, sync::Arc, thread};
use mazurka_parking_lot::{
    Condvar, Mutex, MutexGuard, Once, ReentrantMutex, RwLock, RwLockUpgradableReadGuard, RwLockWriteGuard, const_mutex,
};
use std::time::Duration;

fn executions(f: impl Fn() + 'static) -> u64 {
    let checked = Check::new().max_executions(20_000).run(f);
    assert_eq!(checked.failures().count(), 0, "{}", checked.report());
    assert!(checked.outcome().limit.is_none(), "{}", checked.report());
    checked.executions()
}

fn report(f: impl Fn() + 'static) -> String {
    let checked = Check::new().max_executions(20_000).run(f);
    assert_eq!(checked.failures().count(), 1, "{}", checked.report());
    checked.report().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn threads_take_a_lock_in_every_order() {
    let n = executions(|| {
        static SUM: Mutex<u32> = const_mutex(0);
        let threads: Vec<_> = (0..3).map(|_| thread::spawn(|| *SUM.lock() += 1)).collect();
        threads.into_iter().for_each(|t| t.join().unwrap());
        assert_eq!(SUM.try_lock().map(|sum| *sum), Some(3));
    });
    assert_eq!(n, 6);
}

#[test]
fn a_panic_does_not_poison() {
    let checked = Check::new().allow_panics().run(|| {
        let lock = Arc::new(Mutex::new(0));
        let other = Arc::clone(&lock);
        let thread = thread::spawn(move || {
            let _guard = other.lock();
            panic!("no");
        });
        assert!(thread.join().is_err());
        *lock.lock() += 1;
    });
    assert_eq!(checked.failures().count(), 0, "{}", checked.report());
}

#[test]
fn a_deadlock_has_its_cycle() {
    let report = report(|| {
        let locks = Arc::new((Mutex::new(()), Mutex::new(())));
        let other = Arc::clone(&locks);
        let thread = thread::spawn(move || {
            let _one = other.1.lock();
            let _two = other.0.lock();
        });
        let one = locks.0.lock();
        let two = locks.1.lock();
        drop((one, two));
        thread.join().unwrap();
    });
    assert!(report.contains("the release of Mutex 0"), "{report}");
}

#[test]
fn a_time_limit_may_be_over_for_who_has_to_wait() {
    let n = executions(|| {
        let lock = Arc::new(Mutex::new(0));
        let other = Arc::clone(&lock);
        let thread = thread::spawn(move || other.try_lock_for(Duration::from_secs(1)).is_some());
        let guard = lock.lock();
        drop(guard);
        thread.join().unwrap();
    });
    // Before, after, and in vain.
    assert_eq!(n, 3);
}

#[test]
fn a_condition_is_waited_for_and_a_lost_notification_is_told() {
    executions(|| {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let other = Arc::clone(&pair);
        let thread = thread::spawn(move || {
            *other.0.lock() = true;
            other.1.notify_one();
        });
        let mut set = pair.0.lock();
        pair.1.wait_while(&mut set, |set| !*set);
        drop(set);
        thread.join().unwrap();
        let mut set = pair.0.lock();
        assert!(pair.1.wait_for(&mut set, Duration::from_secs(1)).timed_out());
    });
    let report = report(|| {
        let pair = Arc::new((Mutex::new(()), Condvar::new()));
        let other = Arc::clone(&pair);
        thread::spawn(move || other.1.notify_one());
        let mut guard = pair.0.lock();
        pair.1.wait(&mut guard);
    });
    assert!(report.contains("came before it waited"), "{report}");
}

#[test]
fn readers_commute_and_a_second_read_may_wait_for_ever() {
    let n = executions(|| {
        let lock = Arc::new(RwLock::new(1));
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let lock = Arc::clone(&lock);
                thread::spawn(move || assert_eq!(*lock.read(), 1))
            })
            .collect();
        threads.into_iter().for_each(|t| t.join().unwrap());
    });
    assert_eq!(n, 1);
    let twice = |recursive: bool| {
        move || {
            let lock = Arc::new(RwLock::new(0));
            let other = Arc::clone(&lock);
            let thread = thread::spawn(move || *other.write() += 1);
            let first = lock.read();
            let second = if recursive { lock.read_recursive() } else { lock.read() };
            drop((first, second));
            thread.join().unwrap();
        }
    };
    assert!(report(twice(false)).contains("deadlock"));
    executions(twice(true));
}

#[test]
fn guards_change_what_they_allow() {
    executions(|| {
        let lock = Arc::new(RwLock::new((0, 0)));
        let other = Arc::clone(&lock);
        let thread = thread::spawn(move || other.read().0);
        let upgradable = lock.upgradable_read();
        let mut write = RwLockUpgradableReadGuard::upgrade(upgradable);
        write.0 = 1;
        let read = RwLockWriteGuard::downgrade(write);
        assert_eq!(read.0, 1);
        drop(read);
        *RwLockWriteGuard::map(lock.write(), |pair| &mut pair.1) = 2;
        thread.join().unwrap();
        let mutex = Mutex::new((1, 2));
        assert_eq!(*MutexGuard::map(mutex.lock(), |pair| &mut pair.1), 2);
    });
}

#[test]
fn a_lock_may_be_taken_again_by_its_holder_and_things_are_done_once() {
    let n = executions(|| {
        let lock = Arc::new(ReentrantMutex::new(()));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let lock = Arc::clone(&lock);
                thread::spawn(move || {
                    let _first = lock.lock();
                    let _second = lock.lock();
                })
            })
            .collect();
        threads.into_iter().for_each(|t| t.join().unwrap());
        let once = Once::new();
        once.call_once(|| ());
        assert!(once.state().done());
    });
    assert_eq!(n, 2);
}

#[test]
fn outside_of_a_check_locks_are_locks() {
    let sum = std::sync::Arc::new(Mutex::new(0));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let sum = std::sync::Arc::clone(&sum);
            std::thread::spawn(move || *sum.lock() += 1)
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
    assert_eq!(*sum.lock(), 4);
}
