//! Tasks: sets, aborts, cancellation on request.

use crate::{executions, report, run};
use mazurka_native::Check;
use mazurka_native::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use tokio::spawn;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::{JoinSet, spawn_blocking, yield_now};

#[test]
fn a_set_is_joined_in_every_order_of_ends() {
    static SEEN: Mutex<BTreeSet<Vec<u32>>> = Mutex::new(BTreeSet::new());
    assert_eq!(
        executions(|| async {
            let mut set = JoinSet::new();
            for n in 0..3 {
                set.spawn(async move { n });
            }
            let mut order = Vec::new();
            while let Some(n) = set.join_next().await {
                order.push(n.unwrap());
            }
            SEEN.lock().unwrap().insert(order);
        }),
        6
    );
    assert_eq!(SEEN.lock().unwrap().len(), 6);
}

#[test]
fn a_set_that_is_dropped_aborts_its_tasks() {
    executions(|| async {
        let (sender, receiver) = oneshot::channel::<()>();
        let mut set = JoinSet::new();
        set.spawn(async move {
            std::future::pending::<()>().await;
            drop(sender);
        });
        drop(set);
        assert!(receiver.await.is_err());
    });
    executions(|| async {
        let mut set: JoinSet<()> = JoinSet::new();
        set.spawn(std::future::pending());
        set.shutdown().await;
        assert!(set.is_empty());
    });
}

#[test]
fn an_aborted_task_gives_back_what_it_has() {
    executions(|| async {
        let permits = Arc::new(Semaphore::new(1));
        let other = Arc::clone(&permits);
        let task = spawn(async move {
            let _permit = other.acquire().await.unwrap();
            yield_now().await;
        });
        task.abort();
        let ended = task.await;
        assert!(ended.is_ok() || ended.unwrap_err().is_cancelled());
        assert_eq!(permits.available_permits(), 1);
    });
}

#[test]
fn tasks_may_be_cancelled_at_every_await_on_request() {
    let transfer = || async {
        let accounts = Arc::new([AtomicU32::new(1), AtomicU32::new(0)]);
        let theirs = Arc::clone(&accounts);
        let task = spawn(async move {
            theirs[0].fetch_sub(1, SeqCst);
            yield_now().await;
            theirs[1].fetch_add(1, SeqCst);
        });
        let _ = task.await;
        assert_eq!(accounts[0].load(SeqCst) + accounts[1].load(SeqCst), 1, "money is gone");
    };
    executions(transfer);
    let checked = Check::new().cancel_tasks().run(move || run(transfer()));
    assert!(checked.report().contains("be cancelled"), "{}", checked.report());
    assert!(checked.report().contains("money is gone"), "{}", checked.report());
}

#[test]
fn tasks_that_are_left_may_wait_for_ever_but_not_those_that_are_joined() {
    executions(|| async {
        spawn(std::future::pending::<()>());
    });
    let report = report(|| async {
        spawn(std::future::pending::<()>()).await.unwrap();
    });
    assert!(report.contains("the end of task 1"), "{report}");
}

#[test]
fn blocking_code_runs_beside_tasks() {
    assert_eq!(
        executions(|| async {
            let (sender, receiver) = oneshot::channel();
            let blocking = spawn_blocking(move || receiver.blocking_recv().unwrap());
            sender.send(4).unwrap();
            assert_eq!(blocking.await.unwrap(), 4);
        }),
        1
    );
}

tokio::task_local! {
    static NUMBER: u32;
}

#[test]
fn tasks_have_values_of_their_own() {
    executions(|| async {
        let tasks = [1, 2].map(|n| {
            spawn(NUMBER.scope(n, async move {
                yield_now().await;
                assert_eq!(NUMBER.get(), n);
            }))
        });
        for task in tasks {
            task.await.unwrap();
        }
        assert!(NUMBER.try_with(|_| ()).is_err());
    });
}
