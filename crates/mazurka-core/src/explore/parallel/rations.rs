//! How many steps the workers may take until they pause.

use crate::locked::locked;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Steps that workers take in small rations, so that all of them stop at about the same time.
#[derive(Default)]
pub(super) struct Rations {
    state: Mutex<State>,
    /// For workers: there is more, or nothing for ever.
    refilled: Condvar,
    /// For who has refilled it: it is used up, or nobody is left.
    used_up: Condvar,
}

#[derive(Default)]
struct State {
    left: u64,
    /// How many workers are at work on a ration.
    holding: usize,
    /// How many workers there are.
    workers: usize,
    closed: bool,
}

impl Rations {
    /// For so many workers.
    pub fn new(workers: usize) -> Self {
        let rations = Rations::default();
        locked(&rations.state).workers = workers;
        rations
    }

    /// At most so many steps for a worker; waits until there are some. `None` if it shall stop.
    pub fn take(&self, most: u64) -> Option<u64> {
        let mut state = locked(&self.state);
        while state.left == 0 && !state.closed {
            state = self.refilled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return None;
        }
        // Smaller towards the end, so that nobody waits long for the last one.
        let share = state.left / (2 * state.workers.max(1) as u64);
        let ration = most.min(share.max(16)).min(state.left);
        state.left -= ration;
        state.holding += 1;
        Some(ration)
    }

    /// A worker has used its ration but for so many steps.
    pub fn give_back(&self, unused: u64) {
        let mut state = locked(&self.state);
        state.left += unused;
        state.holding -= 1;
        if state.left == 0 && state.holding == 0 {
            self.used_up.notify_all();
        } else if unused > 0 {
            self.refilled.notify_all();
        }
    }

    /// A worker will take no more.
    pub fn leave(&self) {
        let mut state = locked(&self.state);
        state.workers -= 1;
        if state.workers == 0 {
            self.used_up.notify_all();
        }
    }

    /// Lets the workers take so many steps.
    pub fn refill(&self, steps: u64) {
        locked(&self.state).left = steps;
        self.refilled.notify_all();
    }

    /// Waits until all steps are taken, or no worker is left, or for so long.
    pub fn wait(&self, most: Duration) -> Rest {
        let state = locked(&self.state);
        let busy = |state: &mut State| state.workers > 0 && (state.left > 0 || state.holding > 0);
        let waited = self.used_up.wait_timeout_while(state, most, busy);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.workers == 0 {
            Rest::Gone
        } else if state.left == 0 && state.holding == 0 {
            Rest::Paused
        } else {
            Rest::Busy
        }
    }

    /// Workers get no more rations.
    pub fn close(&self) {
        locked(&self.state).closed = true;
        self.refilled.notify_all();
    }
}

/// What the workers do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    Busy,
    /// They have taken all steps.
    Paused,
    /// All have left.
    Gone,
}
