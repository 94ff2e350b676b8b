//! Futures and tasks: wakers, joins, aborts, and the same outside of checks.

use mazurka_native::future::{self, AtomicWaker, block_on, spawn, yield_now};
use mazurka_native::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use mazurka_native::sync::{Arc, Mutex};
use mazurka_native::{Check, check};
use std::future::poll_fn;
use std::task::{Poll, Waker};
use std::time::Duration;

fn executions(f: impl Fn() + 'static) -> u64 {
    let checked = Check::new().run(f);
    assert_eq!(checked.failures().count(), 0, "{}", checked.report());
    checked.executions()
}

fn report(f: impl Fn() + 'static) -> String {
    let checked = Check::new().run(f);
    assert_eq!(checked.failures().count(), 1, "{}", checked.report());
    // Without the ends of lines.
    checked.report().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is set once, with the waker of who waits for it.
#[derive(Default)]
struct Slot(Mutex<(Option<u32>, Option<Waker>)>);

impl Slot {
    fn set(&self, value: u32) {
        let waker = {
            let mut slot = self.0.lock().unwrap();
            slot.0 = Some(value);
            slot.1.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }

    async fn get(&self) -> u32 {
        poll_fn(|context| {
            let mut slot = self.0.lock().unwrap();
            match slot.0 {
                Some(value) => Poll::Ready(value),
                None => {
                    slot.1 = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}

#[test]
fn tasks_that_share_nothing_have_one_execution() {
    assert_eq!(
        executions(|| {
            let tasks: Vec<_> = (0..4).map(|n| spawn(async move { n })).collect();
            let sum = block_on(async {
                let mut sum = 0;
                for task in tasks {
                    sum += task.await.unwrap();
                }
                sum
            });
            assert_eq!(sum, 6);
        }),
        1
    );
}

#[test]
fn tasks_interleave_where_they_share() {
    assert_eq!(
        executions(|| {
            let x = Arc::new(AtomicU32::new(0));
            let tasks: Vec<_> = (0..3)
                .map(|_| {
                    let x = Arc::clone(&x);
                    spawn(async move { x.fetch_add(1, SeqCst) })
                })
                .collect();
            block_on(async {
                for task in tasks {
                    task.await.unwrap();
                }
            });
            assert_eq!(x.load(SeqCst), 3);
        }),
        6
    );
}

#[test]
fn a_waker_that_is_kept_under_the_lock_is_not_lost() {
    let n = executions(|| {
        let slot = Arc::new(Slot::default());
        let other = Arc::clone(&slot);
        let task = spawn(async move { other.set(7) });
        assert_eq!(block_on(slot.get()), 7);
        block_on(task).unwrap();
    });
    // The value is there, or the waker is; and who was woken may take the lock before or after its task has ended, which is no race.
    assert_eq!(n, 2);
}

#[test]
fn a_waker_that_is_kept_after_the_look_is_lost() {
    let report = report(|| {
        let slot = Arc::new((AtomicBool::new(false), AtomicWaker::new()));
        let other = Arc::clone(&slot);
        let task = spawn(async move {
            other.0.store(true, SeqCst);
            other.1.wake();
        });
        block_on(poll_fn(|context| {
            if slot.0.load(SeqCst) {
                return Poll::Ready(());
            }
            slot.1.register(context.waker());
            Poll::Pending
        }));
        block_on(task).unwrap();
    });
    assert!(report.contains("deadlock"), "{report}");
    assert!(report.contains("somebody to wake it"), "{report}");
}

#[test]
fn a_look_after_the_waker_is_kept_finds_what_came_between() {
    executions(|| {
        let slot = Arc::new((AtomicBool::new(false), AtomicWaker::new()));
        let other = Arc::clone(&slot);
        let task = spawn(async move {
            other.0.store(true, SeqCst);
            other.1.wake();
        });
        block_on(poll_fn(|context| {
            slot.1.register(context.waker());
            if slot.0.load(SeqCst) { Poll::Ready(()) } else { Poll::Pending }
        }));
        block_on(task).unwrap();
    });
}

#[test]
fn a_waker_that_is_dropped_is_a_deadlock_that_says_so() {
    let report = report(|| {
        let slot: Arc<Mutex<Option<Waker>>> = Arc::new(Mutex::new(None));
        let other = Arc::clone(&slot);
        let task = spawn(async move { drop(other.lock().unwrap().take()) });
        block_on(poll_fn(|context| {
            *slot.lock().unwrap() = Some(context.waker().clone());
            Poll::<()>::Pending
        }));
        block_on(task).unwrap();
    });
    assert!(report.contains("deadlock"), "{report}");
    assert!(report.contains("somebody to wake it"), "{report}");
}

#[test]
fn a_wake_that_comes_before_the_wait_is_told() {
    let report = report(|| {
        let mut polls = 0;
        block_on(poll_fn(|context| {
            polls += 1;
            if polls == 1 {
                let waker = context.waker().clone();
                spawn(async move { waker.wake() });
            }
            // It should be ready when it is woken.
            if polls == 3 { Poll::Ready(()) } else { Poll::Pending }
        }));
    });
    assert!(report.contains("for somebody to wake it, but nobody has its waker"), "{report}");
    assert!(report.contains("the last `wake main`, by task 1"), "{report}");
    assert!(report.contains("came before it waited"), "{report}");
}

#[test]
fn a_task_is_aborted_where_it_waits_or_not_at_all() {
    let checked = Check::new().run(|| {
        let slot = Arc::new(Slot::default());
        let other = Arc::clone(&slot);
        let task = spawn(async move { other.get().await });
        task.abort();
        slot.set(1);
        match block_on(task) {
            Ok(value) => assert_eq!(value, 1),
            Err(e) => assert!(e.is_cancelled()),
        }
    });
    assert_eq!(checked.failures().count(), 0, "{}", checked.report());
    assert!(checked.executions() > 1);
}

#[test]
fn a_task_that_nobody_aborts_may_be_cancelled_on_request() {
    let body = || {
        let x = Arc::new(AtomicU32::new(0));
        let other = Arc::clone(&x);
        let task = spawn(async move {
            other.fetch_add(1, SeqCst);
            yield_now().await;
            other.fetch_add(1, SeqCst);
        });
        let cancelled = block_on(task).is_err();
        let x = x.load(SeqCst);
        assert!(x == 2 || cancelled && x <= 1);
        assert_ne!(x, 1, "cancelled between");
    };
    assert_eq!(executions(body), 1);
    let checked = Check::new().cancel_tasks().run(body);
    let report = checked.report();
    assert!(report.contains("be cancelled"), "{report}");
    assert!(report.contains("cancelled\n     between"), "{report}");
}

#[test]
fn a_loop_that_yields_waits_for_a_change() {
    executions(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let other = Arc::clone(&flag);
        let task = spawn(async move {
            while !other.load(SeqCst) {
                yield_now().await;
            }
        });
        flag.store(true, SeqCst);
        block_on(task).unwrap();
    });
}

#[test]
fn a_panic_of_a_task_is_its_result() {
    let checked = Check::new().allow_panics().run(|| {
        let task = spawn(async { panic!("no") });
        let error = block_on(task).unwrap_err();
        assert!(error.is_panic());
        assert_eq!(error.into_panic().downcast_ref(), Some(&"no"));
    });
    assert_eq!(
        checked.report(),
        "complete: 1 execution, nothing failed, under sequential consistency"
    );
    let report = report(|| {
        spawn(async { panic!("no") });
    });
    assert!(report.contains("task 1: no"), "{report}");
}

#[test]
fn a_handle_that_is_polled_after_its_end_panics() {
    let report = report(|| {
        let mut task = spawn(async {});
        block_on(&mut task).unwrap();
        let _ = block_on(&mut task);
    });
    assert!(report.contains("polled after its task had been joined"), "{report}");
}

#[test]
fn a_future_may_be_dropped_wherever_it_waits() {
    assert_eq!(
        executions(|| {
            let x = AtomicU32::new(0);
            let done = block_on(future::may_cancel(async {
                yield_now().await;
                x.store(1, SeqCst);
            }));
            assert_eq!(done.is_some(), x.load(SeqCst) == 1);
        }),
        2
    );
}

#[test]
fn sleeping_tasks_go_on_in_any_order_but_know_how_late_it_is() {
    let n = executions(|| {
        let x = Arc::new(AtomicU32::new(0));
        let other = Arc::clone(&x);
        let task = spawn(async move {
            future::sleep_until(Duration::from_secs(5)).await;
            assert!(future::now() >= Duration::from_secs(5));
            other.store(1, SeqCst);
        });
        x.load(SeqCst);
        block_on(task).unwrap();
    });
    assert_eq!(n, 2);
}

#[test]
fn outside_of_a_check_tasks_are_threads() {
    let slot = Arc::new(Slot::default());
    let other = Arc::clone(&slot);
    let task = spawn(async move { other.get().await });
    slot.set(3);
    assert_eq!(block_on(task).unwrap(), 3);

    let task = spawn(async move { Slot::default().get().await });
    task.abort();
    assert!(block_on(task).unwrap_err().is_cancelled());
    block_on(async {
        yield_now().await;
        future::sleep_until(future::now() + Duration::from_millis(1)).await;
    });
    assert_eq!(block_on(future::spawn_blocking(|| 4)).unwrap(), 4);
}

#[test]
fn a_task_that_waits_for_ever_is_a_deadlock_unless_it_is_a_daemon() {
    check(|| {
        future::spawn_daemon(async { Slot::default().get().await });
    });
    let report = report(|| {
        spawn(async { Slot::default().get().await });
    });
    assert!(report.contains("task 1"), "{report}");
    assert!(report.contains("deadlock"), "{report}");
}
