//! Receivers of instants: the clock delivers them.

use crate::chan::Nothing;
use mazurka_native::future::now;
use mazurka_native::model::{Case, Order, Otherwise, one_of, steps_so_far};
use mazurka_native::{choose, is_checking};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When messages come, by the clock of the thread that waits for them.
pub(crate) struct Timer(Mutex<State>);

struct State {
    /// The next one.
    next: Option<Duration>,
    period: Option<Duration>,
    /// Who waits for it.
    by: Option<u32>,
}

impl Timer {
    /// One message after this time.
    pub fn once(time: Duration) -> Self {
        Timer::new(time, None)
    }

    /// A message again and again after this time.
    pub fn again(period: Duration) -> Self {
        Timer::new(period, Some(period))
    }

    fn new(time: Duration, period: Option<Duration>) -> Self {
        Timer(Mutex::new(State {
            next: Some(now().saturating_add(time)),
            period,
            by: None,
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let me = steps_so_far().0;
        assert!(
            *state.by.get_or_insert(me) == me,
            "a timer for which several threads wait cannot be checked; give each its own"
        );
        state
    }

    /// When the next message comes, if one does.
    pub fn next(&self) -> Option<Duration> {
        self.state().next
    }

    /// To wait for it as one of several things.
    pub fn case(&self) -> Option<Case<'static>> {
        self.next().map(Case::at_time)
    }

    /// It has come.
    pub fn taken(&self) -> Instant {
        let mut state = self.state();
        state.next = state.period.map(|period| now().saturating_add(period));
        Instant::now()
    }

    #[track_caller]
    pub fn try_receive(&self) -> Result<Instant, Nothing> {
        let over = match self.next() {
            None => false,
            Some(next) if now() >= next => true,
            Some(next) if is_checking() && choose(2) == 1 => one_of(&[Case::at_time(next)], Order::Any, Otherwise::Wait).is_some(),
            Some(_) => false,
        };
        if over { Ok(self.taken()) } else { Err(Nothing::Now) }
    }

    #[track_caller]
    pub fn receive(&self, within: Option<Duration>) -> Result<Instant, Nothing> {
        match self.case() {
            Some(case) => match one_of(&[case], Order::Any, Otherwise::within(within)) {
                Some(_) => Ok(self.taken()),
                None => Err(Nothing::Now),
            },
            None => {
                wait_for_nothing(within);
                Err(Nothing::Now)
            }
        }
    }
}

/// Waits for the end of this time, or for ever.
#[track_caller]
pub(crate) fn wait_for_nothing(within: Option<Duration>) {
    one_of(&[], Order::Any, Otherwise::within(within));
}
