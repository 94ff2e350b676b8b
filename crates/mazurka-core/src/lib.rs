//! The engine of Mazurka: programs, traces, races and the searches over them.
//!
//! Data flows one way: a [`Program`] says what can happen, a trace records what happened, races say what else could happen, a search
//! makes it happen, an [`Outcome`] says what was found. Nothing here knows a language or prints anything.

mod describe;
mod effects;
mod footprint;
mod names;
mod outcome;
mod program;

pub use describe::{Describe, Position, StepText, Wait};
pub use effects::Effects;
pub use footprint::{Access, Footprint, Mode, conflict};
pub use names::Names;
pub use outcome::{Counts, Failure, FailureKind, FoundFailure, Limit, Outcome, Verdict};
pub use program::{Features, Fingerprint, Location, Order, Pending, Process, Program, Transition};
