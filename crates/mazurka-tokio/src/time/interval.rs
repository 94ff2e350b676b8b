//! Times that come again and again.

use super::{Duration, Instant, Sleep, sleep_until};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// What to do about times that were missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissedTickBehavior {
    /// They come at once.
    #[default]
    Burst,
    /// The next comes a period after the late one.
    Delay,
    /// The next is the next that would have come.
    Skip,
}

/// Times that come again and again.
#[derive(Debug)]
pub struct Interval {
    sleep: Sleep,
    period: Duration,
    missed: MissedTickBehavior,
}

/// Now, and then again and again.
///
/// # Panics
/// If the period is zero.
#[track_caller]
pub fn interval(period: Duration) -> Interval {
    interval_at(Instant::now(), period)
}

/// At `start`, and then again and again.
///
/// # Panics
/// If the period is zero.
#[track_caller]
pub fn interval_at(start: Instant, period: Duration) -> Interval {
    assert!(!period.is_zero(), "`period` must be non-zero.");
    Interval {
        sleep: sleep_until(start),
        period,
        missed: MissedTickBehavior::default(),
    }
}

impl Interval {
    /// Waits for the next time.
    pub async fn tick(&mut self) -> Instant {
        poll_fn(|context| self.poll_tick(context)).await
    }

    /// See [`Interval::tick`].
    pub fn poll_tick(&mut self, context: &mut Context<'_>) -> Poll<Instant> {
        ready!(Pin::new(&mut self.sleep).poll(context));
        let (due, now) = (self.sleep.deadline(), Instant::now());
        let next = match self.missed {
            MissedTickBehavior::Burst => due + self.period,
            MissedTickBehavior::Delay => now + self.period,
            MissedTickBehavior::Skip => {
                let late = (now - due).as_nanos() % self.period.as_nanos();
                now + self.period - Duration::from_nanos(late as u64)
            }
        };
        Pin::new(&mut self.sleep).reset(next);
        Poll::Ready(due)
    }

    /// The next time is a period from now.
    pub fn reset(&mut self) {
        let next = Instant::now() + self.period;
        Pin::new(&mut self.sleep).reset(next);
    }

    /// The next time is now.
    pub fn reset_immediately(&mut self) {
        Pin::new(&mut self.sleep).reset(Instant::now());
    }

    /// What is done about times that were missed.
    pub fn missed_tick_behavior(&self) -> MissedTickBehavior {
        self.missed
    }

    /// What is to be done about times that were missed.
    pub fn set_missed_tick_behavior(&mut self, behavior: MissedTickBehavior) {
        self.missed = behavior;
    }

    /// How much time is between two.
    pub fn period(&self) -> Duration {
        self.period
    }
}
