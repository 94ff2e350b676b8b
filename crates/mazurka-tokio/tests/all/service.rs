//! A service with tasks and channels, with the bugs that such services have.

use crate::{executions, report};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::{select, spawn};

enum Request {
    Put(u32, u32),
    Get(u32, oneshot::Sender<Option<u32>>),
}

/// A store that stops when it is told to. If it is `careless`, it forgets those who still wait for an answer.
async fn store(mut requests: mpsc::Receiver<Request>, mut stop: oneshot::Receiver<()>, careless: bool) -> HashMap<u32, u32> {
    let mut values = HashMap::new();
    loop {
        let request = select! {
            request = requests.recv() => request,
            _ = &mut stop => {
                if careless {
                    return values;
                }
                requests.close();
                while let Some(request) = requests.recv().await {
                    serve(&mut values, request);
                }
                return values;
            }
        };
        match request {
            Some(request) => serve(&mut values, request),
            None => return values,
        }
    }
}

fn serve(values: &mut HashMap<u32, u32>, request: Request) {
    match request {
        Request::Put(key, value) => {
            values.insert(key, value);
        }
        Request::Get(key, reply) => {
            let _ = reply.send(values.get(&key).copied());
        }
    }
}

async fn client_and_stop(careless: bool) {
    let (requests, queue) = mpsc::channel(1);
    let (stop, stopped) = oneshot::channel();
    let service = spawn(store(queue, stopped, careless));
    let client = spawn(async move {
        if requests.send(Request::Put(1, 10)).await.is_err() {
            return None;
        }
        let (reply, answer) = oneshot::channel();
        requests.send(Request::Get(1, reply)).await.ok()?;
        Some(answer.await)
    });
    let _ = stop.send(());
    if let Some(answer) = client.await.unwrap() {
        assert_eq!(answer, Ok(Some(10)), "an accepted request has no answer");
    }
    service.await.unwrap();
}

#[test]
fn a_service_that_stops_must_serve_what_it_has_accepted() {
    let report = report(|| client_and_stop(true));
    assert!(report.contains("an accepted request has no answer"), "{report}");
    executions(|| client_and_stop(false));
}

/// Two tasks fill a cache; between the look and the insertion the lock is not held.
async fn cached(held: bool) {
    let cache = Arc::new(Mutex::new(HashMap::new()));
    let loads = Arc::new(Mutex::new(0));
    let tasks = [(), ()].map(|()| {
        let (cache, loads) = (Arc::clone(&cache), Arc::clone(&loads));
        spawn(async move {
            let mut values = cache.lock().await;
            if values.contains_key("key") {
                return;
            }
            if !held {
                drop(values);
                *loads.lock().await += 1;
                values = cache.lock().await;
            } else {
                *loads.lock().await += 1;
            }
            values.insert("key", 1);
        })
    });
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(*loads.lock().await, 1, "loaded twice");
}

#[test]
fn a_cache_is_filled_twice_unless_the_lock_is_held() {
    let report = report(|| cached(false));
    assert!(report.contains("loaded twice"), "{report}");
    executions(|| cached(true));
}
