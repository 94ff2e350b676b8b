//! Schedules as people meet them: run again, written down, made shorter, with the race that matters.
//!
//! A search reports a failure as a list of [`Transition`]s. This module turns that list into a [`Recording`], which says in words and values
//! what happened and needs no program to be shown; finds a schedule that is easier to read ([`minimise`]); and runs a [`Schedule`] that was
//! written down earlier, perhaps of a program that has changed since ([`replay`]).

mod causes;
mod endless;
mod events;
mod minimise;
mod properties;
mod race;
mod record;
mod recording;
mod replay;
mod waits;
mod walk;

pub use causes::Causes;
pub use endless::{Endless, endless};
pub use minimise::{Budget, Minimised, minimise, minimise_by_running, minimise_until, switches};
pub use record::{Stage, record, record_steps, signature};
pub use recording::{AccessText, Alternative, Blocker, Change, Race, RaceEnd, Recording, StepRecord, WaitRecord};
pub use replay::{Divergence, Planned, Reason, Replay, Schedule, plan, replay};
pub use walk::{CannotBeTaken, Goal, Here, Move, Walk, Way};

#[cfg(doc)]
use crate::Transition;
