//! Time on a virtual clock.
//!
//! In a check no time passes but what tasks sleep. A task that sleeps may go on at any moment, whatever others do: work may take longer than any
//! time. Only the times of one task are compared with each other.

use crate::runtime::current;
use crate::runtime::op::Op;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// How late it is for the running task, in a check. Outside of one, since the first time that somebody asked.
pub fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    match current::with(|execution| execution.running().polling.now) {
        Some(nanos) => Duration::from_nanos(nanos),
        None => START.get_or_init(Instant::now).elapsed(),
    }
}

/// See [`sleep_until`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Sleep {
    until: Duration,
    offer: u32,
    process: u32,
    over: bool,
    /// Outside of a check, whether somebody will wake the task.
    alarmed: bool,
    at: &'static Location<'static>,
}

/// Waits until it is so late, by [`now`].
#[track_caller]
pub fn sleep_until(until: Duration) -> Sleep {
    Sleep {
        until,
        offer: 0,
        process: 0,
        over: false,
        alarmed: false,
        at: Location::caller(),
    }
}

impl Sleep {
    /// When it is over.
    pub fn until(&self) -> Duration {
        self.until
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.over || now() >= self.until
    }

    /// Begins again, until then.
    pub fn reset(&mut self, until: Duration) {
        self.withdraw();
        self.until = until;
        (self.over, self.alarmed) = (false, false);
    }

    fn withdraw(&mut self) {
        let (process, offer) = (self.process, std::mem::take(&mut self.offer));
        if offer != 0 {
            current::with(|execution| execution.withdraw(process, offer));
        }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.is_over() {
            self.over = true;
            self.withdraw();
            return Poll::Ready(());
        }
        let (offer, at, until) = (self.offer, self.at, self.until.as_nanos() as u64);
        let polled = current::with(|execution| {
            if execution.answered(offer).is_some() {
                let polling = &mut execution.running().polling;
                polling.now = polling.now.max(until);
                return None;
            }
            let key = execution.offer(offer, Op::Time(until), at, None);
            execution.tried(key);
            Some((key, execution.process()))
        });
        match polled {
            Some(None) => {
                (self.offer, self.over) = (0, true);
                Poll::Ready(())
            }
            Some(Some((key, process))) => {
                (self.offer, self.process) = (key, process);
                Poll::Pending
            }
            None => {
                if !std::mem::replace(&mut self.alarmed, true) {
                    let (waker, left) = (context.waker().clone(), self.until.saturating_sub(now()));
                    std::thread::spawn(move || {
                        std::thread::sleep(left);
                        waker.wake();
                    });
                }
                Poll::Pending
            }
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.withdraw();
    }
}
