//! Outside of a check tasks are threads, and everything works.

use crate::run;
use std::sync::Arc;
use std::time::Duration;
use tokio::spawn;
use tokio::sync::{Mutex, Notify, RwLock, Semaphore, broadcast, mpsc, oneshot, watch};

#[test]
fn channels_and_locks() {
    let sum = run(async {
        let (sender, mut receiver) = mpsc::channel(1);
        for n in 0..10 {
            let sender = sender.clone();
            spawn(async move { sender.send(n).await.unwrap() });
        }
        drop(sender);
        let sum = Arc::new(Mutex::new(0));
        while let Some(n) = receiver.recv().await {
            *sum.lock().await += n;
        }
        *sum.lock().await
    });
    assert_eq!(sum, 45);
    run(async {
        let (sender, mut receiver) = broadcast::channel(2);
        for n in 0..5 {
            sender.send(n).unwrap();
        }
        assert_eq!(receiver.recv().await, Err(broadcast::error::RecvError::Lagged(3)));
        assert_eq!(receiver.recv().await, Ok(3));
        let (sender, mut receiver) = watch::channel(0);
        let task = spawn(async move {
            receiver.changed().await.unwrap();
            *receiver.borrow()
        });
        sender.send(9).unwrap();
        assert_eq!(task.await.unwrap(), 9);
    });
}

#[test]
fn waiting_and_time() {
    run(async {
        let notify = Arc::new(Notify::new());
        let other = Arc::clone(&notify);
        spawn(async move { other.notify_one() });
        notify.notified().await;
        let permits = Arc::new(Semaphore::new(1));
        drop(permits.acquire_many(1).await.unwrap());
        let lock = RwLock::new(1);
        assert_eq!(*lock.read().await + *lock.read().await, 2);
        *lock.write().await += 1;
        let (sender, receiver) = oneshot::channel::<()>();
        assert!(tokio::time::timeout(Duration::from_millis(1), receiver).await.is_err());
        drop(sender);
        let n = tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(1)) => 1,
            () = std::future::pending() => 2,
        };
        assert_eq!(n, 1);
    });
}
