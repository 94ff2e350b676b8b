//! What an actor has besides its state: timers, and whether it is up.

use crate::erased::{ErasedActor, State};
use crate::hash::Hash128;
use crate::run::Envelope;
use std::rc::Rc;

/// What only actors with timers, and such as may crash, have besides their state.
#[derive(Clone)]
pub(crate) struct Life {
    /// In the order of [`Actor::TIMERS`](crate::Actor::TIMERS).
    pub timers: Vec<Timer>,
    /// The process of its crashes and restarts, if it may crash.
    pub crashes: Option<u32>,
    pub up: bool,
    /// It crashed and never restarts.
    pub dead: bool,
    /// How often it restarted.
    pub restarts: u32,
    /// As it was created: what it restarts from.
    pub created: Rc<State<dyn ErasedActor>>,
}

/// A timer of an actor.
#[derive(Clone)]
pub(crate) struct Timer {
    pub process: u32,
    /// What it will tell the actor, if it is set.
    pub set: Option<Rc<Envelope>>,
    /// When, with a clock.
    pub due: u64,
    /// How often it was set: what it tells is named by that.
    pub times: u32,
}

impl Life {
    /// What the future depends on, whatever messages are called.
    pub fn future_hash(&self, now: u64) -> u128 {
        let timers = self.timers.iter().map(|t| {
            let left = t.due.saturating_sub(now);
            t.set.as_ref().map(|envelope| (envelope.route_hash(), left))
        });
        Hash128::of((self.up, self.dead, timers.collect::<Vec<_>>()))
    }

    /// What the future depends on, and what messages will be called.
    pub fn hash(&self, now: u64) -> u128 {
        let timers: Vec<u32> = self.timers.iter().map(|t| t.times).collect();
        Hash128::of((self.future_hash(now), self.restarts, timers))
    }
}
