//! Futures and tasks, checked.
//!
//! [`block_on`] and [`spawn`] run futures; in a check every task is a process, and its wakers are ordinary [`std::task::Waker`]s: a future that is
//! polled too early and never woken is a deadlock. Outside of a check, tasks are threads.
//!
//! ```
//! use mazurka_native::{check, future, sync::Arc, sync::atomic::{AtomicU32, Ordering::SeqCst}};
//!
//! check(|| {
//!     let hits = Arc::new(AtomicU32::new(0));
//!     let tasks: Vec<_> = (0..2)
//!         .map(|_| {
//!             let hits = Arc::clone(&hits);
//!             future::spawn(async move { hits.fetch_add(1, SeqCst) })
//!         })
//!         .collect();
//!     future::block_on(async {
//!         for task in tasks {
//!             task.await.unwrap();
//!         }
//!     });
//!     assert_eq!(hits.load(SeqCst), 2);
//! });
//! ```

mod atomic_waker;
pub mod branches;
mod cancelled;
mod select;
mod task;
mod time;
pub(crate) mod waker;

pub use atomic_waker::AtomicWaker;
pub use cancelled::{MayCancel, may_cancel};
pub use select::{Branch, Select};
pub use task::{AbortHandle, JoinError, JoinHandle, spawn, spawn_blocking, spawn_daemon, spawn_daemon_then};
pub use time::{Sleep, now, sleep_until};

use crate::runtime::current;
use crate::runtime::offers::{Offer, Path};
use crate::runtime::op::Op;
use crate::runtime::rule::Taken;
use std::future::Future;
use std::panic::Location;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

/// Runs a future to its end.
///
/// # Panics
/// If the future does.
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let future = pin!(future);
    match drive(future, Location::caller(), || None) {
        Some(output) => output,
        None => unreachable!("nobody can abort it"),
    }
}

/// Polls a future until it is ready. `None` if it was aborted: `abort` says by what it is, if at all.
fn drive<F: Future>(mut future: Pin<&mut F>, at: &'static Location<'static>, abort: impl Fn() -> Option<Abort>) -> Option<F::Output> {
    let Some(waker) = waker::own() else {
        return drive_really(future, &abort);
    };
    // Waking starts when there is a waker.
    current::with(|execution| execution.count_wakers(execution.process(), -1));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            current::with(|execution| execution.count_wakers(execution.process(), 1));
            return Some(output);
        }
        match wait(at, abort()) {
            Next::Poll => {}
            Next::Abort => {
                current::with(|execution| execution.count_wakers(execution.process(), 1));
                return None;
            }
        }
    }
}

/// How a task may be aborted.
pub(crate) struct Abort {
    /// In a check, the operation that says so.
    pub op: Option<Op>,
    /// Otherwise, whether it is.
    pub is: bool,
    /// Whether it may be cancelled at any time.
    pub any_time: bool,
}

enum Next {
    Poll,
    Abort,
}

/// Whether a task is aborted before it has begun.
fn aborted_at_once(at: &'static Location<'static>, abort: Abort) -> bool {
    if !current::is_active() {
        return abort.is;
    }
    let offer = |op| Offer {
        op,
        key: 0,
        path: Path::new(),
        queues: None,
        queued: false,
        at,
    };
    let mut offers = vec![offer(Op::Choose(1))];
    offers.extend(abort.op.map(offer));
    offers.extend(abort.any_time.then(|| offer(Op::Cancel)));
    current::take_one(offers).is_some_and(|(chosen, _)| chosen > 0)
}

fn drive_really<F: Future>(mut future: Pin<&mut F>, abort: &impl Fn() -> Option<Abort>) -> Option<F::Output> {
    let waker = waker::real();
    let mut context = Context::from_waker(&waker);
    loop {
        if abort().is_some_and(|a| a.is) {
            return None;
        }
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
        std::thread::park();
    }
}

/// Waits for one of the offers of the running process, or for being woken.
fn wait(at: &'static Location<'static>, abort: Option<Abort>) -> Next {
    const ABORTED: u32 = u32::MAX;
    const AGAIN: u32 = u32::MAX - 1;
    const WOKEN: u32 = u32::MAX - 2;
    let offers = current::with(|execution| {
        let process = execution.process();
        let wakes = execution.wakes_of(process);
        let offer = |op, key| Offer {
            op,
            key,
            path: Path::new(),
            queues: None,
            queued: false,
            at,
        };
        let polling = &mut execution.running().polling;
        let mut offers = polling.offers.clone();
        if polling.wakers > 0 || offers.is_empty() && !polling.again {
            let woken = Op::Rule {
                object: wakes,
                rule: Taken(&waker::WOKEN),
                argument: u64::from(polling.wakers),
                alone: false,
            };
            offers.push(offer(woken, WOKEN));
        }
        if let Some(abort) = &abort {
            offers.extend(abort.op.map(|op| offer(op, ABORTED)));
            if abort.any_time {
                offers.push(offer(Op::Cancel, ABORTED));
            }
        }
        if std::mem::take(&mut polling.again) {
            if offers.is_empty() || offers.iter().all(|o| o.key == WOKEN) {
                offers.clear();
            } else {
                offers.push(offer(Op::Choose(1), AGAIN));
            }
        }
        offers
    });
    let Some(mut offers) = offers else { return Next::Poll };
    // A loop of nothing but sleeping, or yielding, waits for news.
    if offers.iter().all(|o| matches!(o.op, Op::Time(_))) {
        if current::with(|execution| execution.goes_round()) == Some(true) {
            current::publish(Op::AwaitNews, at);
        }
        if offers.is_empty() {
            return Next::Poll;
        }
    } else if offers.iter().any(|o| matches!(o.op, Op::Time(_))) && current::with(|execution| execution.goes_round_waiting()) == Some(true)
    {
        // Time that passes again and again makes a difference when there is something new.
        for offer in offers.iter_mut().filter(|o| matches!(o.op, Op::Time(_))) {
            offer.op = Op::AwaitNews;
        }
    }
    let keys: Vec<u32> = offers.iter().map(|o| o.key).collect();
    let Some((chosen, answer)) = current::take_one(offers) else {
        return Next::Poll;
    };
    match keys.get(if keys.len() == 1 { 0 } else { chosen as usize }) {
        Some(&ABORTED) => Next::Abort,
        Some(&(AGAIN | WOKEN)) | None => Next::Poll,
        Some(&key) => {
            current::with(|execution| {
                execution.was_taken(key, answer);
                execution.running().polling.fresh = true;
            });
            Next::Poll
        }
    }
}

/// Lets other tasks run. In a check, a task that comes here a few times with nothing changed that it has looked at waits for a change.
pub async fn yield_now() {
    let mut yielded = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
