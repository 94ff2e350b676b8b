//! Runs models: states as flat bytes, expressions evaluated in place, successors as SPIN's verifier generates them.

mod claims;
mod eval;
mod execute;
mod fault;
mod priority;
mod queue;
mod record;
mod rendezvous;
mod replay;
mod state;
mod successors;

pub use claims::Read;
pub(crate) use eval::{Eval, arithmetic};
pub(crate) use execute::Readiness;
pub use fault::{Fault, FaultKind};
pub(crate) use record::Recorder;
pub use record::{Note, Touched};
pub use state::State;
pub(crate) use state::{load, store};
pub use successors::{Micro, Partner, Quiet, Scratch};

use crate::ast::Probe;
use crate::model::{Ex, Model};
use crate::visit::visit_model;
use mazurka_diagnostics::Span;

/// An executable model.
#[derive(Clone, Debug)]
pub struct Machine {
    model: Model,
    uses_timeout: bool,
    looks_around: bool,
    has_rendezvous: bool,
    claims_time_out: bool,
    recorder: Recorder,
}

impl Machine {
    /// Prepares a model.
    pub(crate) fn new(mut model: Model) -> Self {
        let (mut uses_timeout, mut looks_around) = (false, model.ranked);
        visit_model(&mut model, &mut |ex| {
            uses_timeout |= *ex == Ex::Timeout;
            looks_around |= matches!(ex, Ex::Enabled(_));
        });
        let claims_time_out = Machine::claims_ask_for_timeout(&model.claims);
        let has_rendezvous = model.channels.iter().any(|c| c.capacity == 0);
        Machine {
            model,
            uses_timeout,
            looks_around,
            has_rendezvous,
            claims_time_out,
            recorder: Recorder,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Where a statement is written: of what an inline stands for, its place in the inline, or in the call if it is part of an argument.
    #[must_use]
    pub fn origin(&self, span: Span) -> Span {
        self.model.expansions.origin(span)
    }

    /// Whether some process waits for `timeout`.
    pub fn uses_timeout(&self) -> bool {
        self.uses_timeout
    }

    /// Whether a step may depend on what every other process could do: there are priorities, or `enabled` is asked.
    pub fn looks_around(&self) -> bool {
        self.looks_around
    }

    /// What notes accesses.
    pub(crate) fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Whether some channel holds no messages.
    pub fn has_rendezvous(&self) -> bool {
        self.has_rendezvous
    }
}

/// The answer of a probe, given the number of messages and the room for them.
fn probe(probe: Probe, length: u32, capacity: u32) -> i32 {
    // A rendezvous channel holds its message only for an instant: it is never full.
    let full = length == capacity.max(1);
    match probe {
        Probe::Len => length as i32,
        Probe::Full => i32::from(full),
        Probe::NotFull => i32::from(!full),
        Probe::Empty => i32::from(length == 0),
        Probe::NotEmpty => i32::from(length != 0),
    }
}
