//! Time, as in [`std::time`].

use crate::runtime::current;
use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::sync::OnceLock;
use std::time::Instant as Real;

pub use std::time::{Duration, SystemTime, SystemTimeError, TryFromFloatSecsError, UNIX_EPOCH};

/// So much time passes whenever a thread looks at the clock.
const TICK: Duration = Duration::from_micros(1);

/// As [`std::time::Instant`]. In a check every thread has a clock of its own: it shows what the thread has slept and waited in vain, and goes on
/// from that of the thread that started it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Instant(Real);

/// When the clocks of checks begin.
fn beginning() -> Real {
    static BEGINNING: OnceLock<Real> = OnceLock::new();
    *BEGINNING.get_or_init(Real::now)
}

/// The running thread has spent this time, if it is in a check.
pub(crate) fn pass(time: Duration) {
    current::with(|execution| {
        let now = &mut execution.running().polling.now;
        *now = now.saturating_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    });
}

impl Instant {
    /// How late it is.
    pub fn now() -> Self {
        pass(TICK);
        match current::with(|execution| execution.running().polling.now) {
            Some(now) => Instant(beginning().checked_add(Duration::from_nanos(now)).unwrap_or_else(beginning)),
            None => Instant(Real::now()),
        }
    }

    /// The time since an earlier one, zero if that was later.
    pub fn duration_since(&self, earlier: Instant) -> Duration {
        self.0.duration_since(earlier.0)
    }

    /// The time since an earlier one.
    pub fn checked_duration_since(&self, earlier: Instant) -> Option<Duration> {
        self.0.checked_duration_since(earlier.0)
    }

    /// The time since an earlier one, zero if that was later.
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_duration_since(earlier.0)
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        Instant::now().duration_since(*self)
    }

    /// So much later.
    pub fn checked_add(&self, time: Duration) -> Option<Self> {
        self.0.checked_add(time).map(Instant)
    }

    /// So much earlier.
    pub fn checked_sub(&self, time: Duration) -> Option<Self> {
        self.0.checked_sub(time).map(Instant)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant(self.0 + time)
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, time: Duration) {
        self.0 += time;
    }
}

impl Sub<Duration> for Instant {
    type Output = Instant;

    fn sub(self, time: Duration) -> Instant {
        Instant(self.0 - time)
    }
}

impl SubAssign<Duration> for Instant {
    fn sub_assign(&mut self, time: Duration) {
        self.0 -= time;
    }
}

impl Sub<Instant> for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.duration_since(earlier)
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
