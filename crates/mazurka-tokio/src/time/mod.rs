//! Time, as in `tokio::time`, on a virtual clock.
//!
//! In a check every task has a clock of its own, which shows what it has slept and waited in vain. A task that sleeps may go on at any moment,
//! whatever others do, since work may take longer than any time; only the times of one task are compared with each other. A timeout is over
//! only for who has to wait.

pub mod error;
mod instant;
mod interval;

use mazurka_native::future::{self, Branch, Select};
use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::task::{Context, Poll};

pub use instant::Instant;
pub use interval::{Interval, MissedTickBehavior, interval, interval_at};
pub use std::time::Duration;

/// Waits until a time has come.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Sleep(future::Sleep);

/// Waits for so long.
#[track_caller]
pub fn sleep(duration: Duration) -> Sleep {
    sleep_until(Instant::now() + duration)
}

/// Waits until then.
#[track_caller]
pub fn sleep_until(deadline: Instant) -> Sleep {
    Sleep(future::sleep_until(deadline.since_beginning()))
}

impl Sleep {
    /// When it is over.
    pub fn deadline(&self) -> Instant {
        Instant::at(self.0.until())
    }

    /// Whether it is over.
    pub fn is_elapsed(&self) -> bool {
        self.0.is_over()
    }

    /// Begins again, until then.
    pub fn reset(self: Pin<&mut Self>, deadline: Instant) {
        self.get_mut().0.reset(deadline.since_beginning());
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.get_mut().0).poll(context)
    }
}

/// A future that must be ready before a time has come.
#[must_use = "futures do nothing unless polled"]
pub struct Timeout<F> {
    future: Pin<Box<F>>,
    sleep: Sleep,
    select: Select,
}

/// Waits for a future for so long.
#[track_caller]
pub fn timeout<F: IntoFuture>(duration: Duration, future: F) -> Timeout<F::IntoFuture> {
    timeout_at(Instant::now() + duration, future)
}

/// Waits for a future until then.
#[track_caller]
pub fn timeout_at<F: IntoFuture>(deadline: Instant, future: F) -> Timeout<F::IntoFuture> {
    Timeout {
        future: Box::pin(future.into_future()),
        sleep: sleep_until(deadline),
        select: Select::new(true),
    }
}

impl<F: Future> Future for Timeout<F> {
    type Output = Result<F::Output, error::Elapsed>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Timeout { future, sleep, select } = self.get_mut();
        let branch = |nth| {
            let polled = match nth {
                0 => future.as_mut().poll(context).map(Ok),
                _ => Pin::new(&mut *sleep).poll(context).map(|()| Err(error::Elapsed(()))),
            };
            match polled {
                Poll::Ready(result) => Branch::Ready(result),
                Poll::Pending => Branch::Pending,
            }
        };
        select.poll(2, branch).map(|result| result.unwrap_or(Err(error::Elapsed(()))))
    }
}

impl<F> fmt::Debug for Timeout<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timeout").finish_non_exhaustive()
    }
}

/// Does nothing: in a check, time always stands still until somebody waits for it.
pub fn pause() {}

/// Does nothing.
pub fn resume() {}

/// So much time passes for the running task.
pub async fn advance(duration: Duration) {
    sleep(duration).await;
}
