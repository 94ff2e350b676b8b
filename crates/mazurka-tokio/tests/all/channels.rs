//! Channels: exact counts, ends, deadlocks.

use crate::{executions, report};
use std::collections::BTreeSet;
use std::sync::Mutex;
use tokio::spawn;
use tokio::sync::{broadcast, mpsc, oneshot, watch};

#[test]
fn senders_to_one_receiver_have_one_execution_for_each_order() {
    for (n, orders) in [(2, 2), (3, 6), (4, 24)] {
        assert_eq!(
            executions(move || async move {
                let (sender, mut receiver) = mpsc::unbounded_channel();
                for task in 0..n {
                    let sender = sender.clone();
                    spawn(async move { sender.send(task).unwrap() });
                }
                drop(sender);
                let mut sum = 0;
                while let Some(task) = receiver.recv().await {
                    sum += task;
                }
                assert_eq!(sum, n * (n - 1) / 2);
            }),
            orders
        );
    }
}

#[test]
fn a_bounded_channel_between_two_tasks_has_one_execution() {
    for room in [1, 2, 5] {
        assert_eq!(
            executions(move || async move {
                let (sender, mut receiver) = mpsc::channel(room);
                spawn(async move {
                    for n in 0..4 {
                        sender.send(n).await.unwrap();
                    }
                });
                for n in 0..4 {
                    assert_eq!(receiver.recv().await, Some(n));
                }
                assert_eq!(receiver.recv().await, None);
            }),
            1
        );
    }
}

#[test]
fn senders_that_wait_for_room_have_one_execution_for_each_order() {
    assert_eq!(
        executions(|| async {
            let (sender, mut receiver) = mpsc::channel(1);
            for n in 0..3 {
                let sender = sender.clone();
                spawn(async move { sender.send(n).await.unwrap() });
            }
            drop(sender);
            let mut seen = Vec::new();
            while let Some(n) = receiver.recv().await {
                seen.push(n);
            }
            assert_eq!(seen.len(), 3);
        }),
        6
    );
}

#[test]
fn who_sends_to_itself_without_room_waits_for_ever() {
    let report = report(|| async {
        let (sender, mut receiver) = mpsc::channel(1);
        sender.send(1).await.unwrap();
        sender.send(2).await.unwrap();
        receiver.recv().await;
    });
    assert!(report.contains("deadlock"), "{report}");
    assert!(report.contains("room in channel 0"), "{report}");
}

#[test]
fn a_receiver_that_keeps_a_sender_waits_for_ever() {
    let report = report(|| async {
        let (sender, mut receiver) = mpsc::unbounded_channel::<u32>();
        let other = sender.clone();
        spawn(async move { other.send(1).unwrap() });
        while receiver.recv().await.is_some() {}
        drop(sender);
    });
    assert!(report.contains("a message from channel 0"), "{report}");
}

#[test]
fn room_is_kept_by_permits() {
    executions(|| async {
        let (sender, mut receiver) = mpsc::channel(1);
        let permit = sender.reserve().await.unwrap();
        assert!(sender.try_send(1).is_err());
        assert_eq!(sender.capacity(), 0);
        let task = spawn(async move { (receiver.recv().await, receiver.recv().await) });
        permit.send(7);
        sender.send(8).await.unwrap();
        assert_eq!(task.await.unwrap(), (Some(7), Some(8)));
    });
    executions(|| async {
        let (sender, mut receiver) = mpsc::channel(1);
        drop(sender.reserve().await.unwrap());
        sender.try_send(1).unwrap();
        receiver.close();
        assert!(sender.send(2).await.is_err());
        assert_eq!(receiver.recv().await, Some(1));
        assert_eq!(receiver.recv().await, None);
    });
}

#[test]
fn what_nobody_receives_is_dropped_with_the_receiver() {
    executions(|| async {
        let (sender, receiver) = mpsc::unbounded_channel();
        let (reply, answer) = oneshot::channel::<u32>();
        sender.send(reply).unwrap();
        spawn(async move { drop(receiver) });
        assert!(answer.await.is_err());
    });
}

#[test]
fn a_one_shot_has_one_execution() {
    assert_eq!(
        executions(|| async {
            let (sender, receiver) = oneshot::channel();
            spawn(async move { sender.send(3).unwrap() });
            assert_eq!(receiver.await.unwrap(), 3);
        }),
        1
    );
    assert_eq!(
        executions(|| async {
            let (sender, receiver) = oneshot::channel::<u32>();
            spawn(async move { drop(sender) });
            assert!(receiver.await.is_err());
        }),
        1
    );
    // The message comes before the receiver goes, or after that.
    assert_eq!(
        executions(|| async {
            let (sender, receiver) = oneshot::channel();
            let task = spawn(async move { sender.send(3) });
            drop(receiver);
            let _ = task.await.unwrap();
        }),
        2
    );
}

#[test]
fn broadcast_reaches_everybody_who_subscribed_before() {
    assert_eq!(
        executions(|| async {
            let (sender, mut first) = broadcast::channel(4);
            let mut second = sender.subscribe();
            let task = spawn(async move { (second.recv().await.unwrap(), second.recv().await.unwrap()) });
            sender.send(1).unwrap();
            sender.send(2).unwrap();
            assert_eq!((first.recv().await, first.recv().await), (Ok(1), Ok(2)));
            assert_eq!(task.await.unwrap(), (1, 2));
            drop(sender);
            assert_eq!(first.recv().await, Err(broadcast::error::RecvError::Closed));
        }),
        1
    );
}

#[test]
fn a_slow_receiver_learns_what_it_has_missed() {
    static SEEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    executions(|| async {
        let (sender, mut receiver) = broadcast::channel(2);
        let task = spawn(async move {
            let mut seen = Vec::new();
            loop {
                match receiver.recv().await {
                    Ok(n) => seen.push(n),
                    Err(broadcast::error::RecvError::Lagged(n)) => seen.push(100 * n),
                    Err(broadcast::error::RecvError::Closed) => break seen,
                }
            }
        });
        for n in 1..=3 {
            sender.send(n).unwrap();
        }
        drop(sender);
        let seen = format!("{:?}", task.await.unwrap());
        SEEN.lock().unwrap().insert(seen);
    });
    let seen: Vec<String> = SEEN.lock().unwrap().iter().cloned().collect();
    assert_eq!(seen, ["[1, 2, 3]", "[100, 2, 3]"]);
}

#[test]
fn watchers_see_the_last_value_whatever_they_miss() {
    static SEEN: Mutex<BTreeSet<Vec<u32>>> = Mutex::new(BTreeSet::new());
    executions(|| async {
        let (sender, mut receiver) = watch::channel(0);
        let task = spawn(async move {
            let mut seen = Vec::new();
            while receiver.changed().await.is_ok() {
                seen.push(*receiver.borrow_and_update());
            }
            seen
        });
        sender.send(1).unwrap();
        sender.send_modify(|n| *n += 1);
        drop(sender);
        let seen = task.await.unwrap();
        assert_eq!(seen.last(), Some(&2));
        SEEN.lock().unwrap().insert(seen);
    });
    let seen: Vec<Vec<u32>> = SEEN.lock().unwrap().iter().cloned().collect();
    assert_eq!(seen, [vec![1, 2], vec![2]]);
}

#[test]
fn who_borrows_a_watched_value_and_sends_waits_for_ever() {
    let report = report(|| async {
        let (sender, receiver) = watch::channel(0);
        let value = receiver.borrow();
        let _ = sender.send(*value + 1);
    });
    assert!(report.contains("those who borrow watch channel 0"), "{report}");
}

#[test]
fn a_value_can_be_waited_for() {
    executions(|| async {
        let (sender, mut receiver) = watch::channel(0);
        let task = spawn(async move { *receiver.wait_for(|n| *n >= 2).await.unwrap() });
        sender.send(1).unwrap();
        sender.send(2).unwrap();
        assert_eq!(task.await.unwrap(), 2);
        assert!(sender.is_closed());
    });
}
