//! `select!`, `join!`, timeouts.

use crate::{executions, report};
use mazurka_native::sync::atomic::AtomicU32;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::{interval, sleep, timeout};
use tokio::{select, spawn};

/// All that a body returns.
fn outcomes<F: std::future::Future<Output = u32>>(body: impl Fn() -> F + 'static) -> Vec<u32> {
    let seen = Arc::new(Mutex::new(BTreeSet::new()));
    let all = Arc::clone(&seen);
    executions(move || {
        let (body, all) = (body(), Arc::clone(&all));
        async move {
            let outcome = body.await;
            all.lock().unwrap().insert(outcome);
        }
    });
    let seen = seen.lock().unwrap();
    seen.iter().copied().collect()
}

#[test]
fn any_branch_that_is_ready_may_be_taken() {
    let body = || async {
        let (one, first) = oneshot::channel();
        let (two, second) = oneshot::channel();
        one.send(1).unwrap();
        two.send(2).unwrap();
        select! {
            n = first => n.unwrap(),
            n = second => n.unwrap(),
        }
    };
    assert_eq!(outcomes(body), [1, 2]);
    let biased = || async {
        let (one, first) = oneshot::channel();
        let (two, second) = oneshot::channel();
        one.send(1).unwrap();
        two.send(2).unwrap();
        select! {
            biased;
            n = first => n.unwrap(),
            n = second => n.unwrap(),
        }
    };
    assert_eq!(outcomes(biased), [1]);
}

#[test]
fn branches_that_are_ready_at_once_are_taken_in_any_order() {
    assert_eq!(
        outcomes(|| async {
            select! {
                n = async { 1 } => n,
                n = async { 2 } => n,
                n = std::future::ready(3) => n,
            }
        }),
        [1, 2, 3]
    );
    assert_eq!(
        outcomes(|| async {
            select! {
                biased;
                n = std::future::pending::<u32>() => n,
                n = async { 2 } => n,
            }
        }),
        [2]
    );
}

#[test]
fn a_branch_before_one_that_is_ready_at_once_is_tried() {
    assert_eq!(
        outcomes(|| async {
            let (sender, mut receiver) = mpsc::unbounded_channel();
            let task = spawn(async move { sender.send(1).unwrap() });
            let n = select! {
                biased;
                Some(n) = receiver.recv() => n,
                n = async { 2 } => n,
            };
            task.await.unwrap();
            n
        }),
        [1, 2]
    );
}

#[test]
fn conditions_patterns_and_else() {
    assert_eq!(
        outcomes(|| async {
            let (sender, mut receiver) = mpsc::unbounded_channel::<Option<u32>>();
            sender.send(None).unwrap();
            drop(sender);
            let off = false;
            select! {
                Some(Some(mut n)) = receiver.recv() => { n += 1; n }
                _ = async {}, if off => 2,
                else => 3,
            }
        }),
        [3]
    );
}

#[test]
fn control_flow_leaves_the_selection() {
    executions(|| async {
        let (sender, mut receiver) = mpsc::unbounded_channel();
        let stop = Arc::new(Notify::new());
        let other = Arc::clone(&stop);
        spawn(async move {
            sender.send(1).unwrap();
            other.notify_one();
        });
        let mut sum = 0;
        loop {
            select! {
                message = receiver.recv() => match message {
                    Some(n) => sum += n,
                    None => break,
                },
                () = stop.notified() => break,
            }
        }
        assert!(sum <= 1);
    });
}

#[test]
fn a_message_is_not_lost_with_its_future() {
    executions(|| async {
        let (sender, mut receiver) = mpsc::channel(1);
        let (done, mut finished) = oneshot::channel();
        let task = spawn(async move {
            for n in 0..2 {
                sender.send(n).await.unwrap();
            }
            done.send(()).unwrap();
        });
        let mut seen = Vec::new();
        let mut ended = false;
        while seen.len() < 2 {
            select! {
                Some(n) = receiver.recv() => seen.push(n),
                _ = &mut finished, if !ended => ended = true,
            }
        }
        assert_eq!(seen, [0, 1]);
        task.await.unwrap();
    });
}

#[test]
fn what_a_lost_branch_had_done_already_is_lost() {
    // Two messages are received in one branch; if the other branch ends first, the first message is gone.
    let report = report(|| async {
        let (sender, mut receiver) = mpsc::unbounded_channel();
        let stop = Arc::new(Notify::new());
        let other = Arc::clone(&stop);
        spawn(async move {
            sender.send(1).unwrap();
            other.notify_one();
            sender.send(2).unwrap();
        });
        let pair = select! {
            pair = async { (receiver.recv().await, receiver.recv().await) } => pair,
            () = stop.notified() => (receiver.recv().await, receiver.recv().await),
        };
        assert_eq!(pair, (Some(1), Some(2)), "a message was lost");
    });
    assert!(report.contains("a message was lost"), "{report}");
}

#[test]
fn join_polls_all_and_waits_for_all() {
    assert_eq!(
        executions(|| async {
            let (sender, mut receiver) = mpsc::channel(1);
            let (sent, received) = tokio::join!(
                async {
                    for n in 0..3 {
                        sender.send(n).await.unwrap();
                    }
                    drop(sender);
                    3
                },
                async {
                    let mut count = 0;
                    while receiver.recv().await.is_some() {
                        count += 1;
                    }
                    count
                },
            );
            assert_eq!(sent, received);
        }),
        1
    );
    executions(|| async {
        let failed: Result<((), u32), &str> = tokio::try_join!(async { Err("no") }, async { std::future::pending().await });
        assert_eq!(failed, Err("no"));
        assert_eq!(tokio::try_join!(async { Ok::<u32, ()>(1) }, async { Ok(2) }), Ok((1, 2)));
    });
}

#[test]
fn branches_of_a_join_interleave_with_others() {
    assert_eq!(
        outcomes(|| async {
            let x = Arc::new(AtomicU32::new(0));
            let other = Arc::clone(&x);
            let task = spawn(async move { other.store(5, SeqCst) });
            let (a, b) = tokio::join!(async { x.load(SeqCst) }, async { x.load(SeqCst) });
            task.await.unwrap();
            assert!(a <= b);
            a + b
        }),
        [0, 5, 10]
    );
}

#[test]
fn a_timeout_is_over_only_for_who_has_to_wait() {
    assert_eq!(
        outcomes(|| async { u32::from(timeout(Duration::from_secs(1), async { 1 }).await.is_ok()) }),
        [1]
    );
    assert_eq!(
        outcomes(|| async {
            let (sender, receiver) = oneshot::channel();
            spawn(async move { sender.send(1).is_ok() });
            match timeout(Duration::from_secs(1), receiver).await {
                Ok(n) => n.unwrap(),
                Err(_) => 0,
            }
        }),
        [0, 1]
    );
    assert_eq!(
        outcomes(|| async {
            let ready = timeout(Duration::from_secs(1), sleep(Duration::from_secs(2))).await.is_ok();
            u32::from(ready)
        }),
        [0]
    );
}

#[test]
fn a_loop_of_ticks_ends_when_there_is_news() {
    executions(|| async {
        let stop = Arc::new(Notify::new());
        let other = Arc::clone(&stop);
        spawn(async move { other.notify_one() });
        let mut ticks = interval(Duration::from_secs(1));
        loop {
            select! {
                _ = ticks.tick() => {}
                () = stop.notified() => break,
            }
        }
    });
}
