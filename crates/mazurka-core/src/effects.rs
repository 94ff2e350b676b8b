//! What one step did: births, failures, and what it really touched.

use crate::footprint::Footprint;
use crate::outcome::Failure;
use crate::program::Process;
use smallvec::SmallVec;

/// Filled by [`crate::Program::step`]; the engine clears and reuses one value for the whole search.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Processes that exist from now on because of this step.
    pub births: SmallVec<[Process; 4]>,
    /// What the step really touched, a subset of its static footprint, for reports and for the laws. If left empty, it is taken to be the
    /// footprint.
    pub touched: Footprint,
    /// Whether `touched` will be used. Searches do not use it, so programs need to fill it only if this is set.
    pub report_touched: bool,
    /// Earlier steps that this one had to wait for, by their positions in the execution, though they touch nothing that it touches: the
    /// last step of the thread that it joins, the send of the message that it receives. They come before it in every execution that has
    /// both, so they do not race with it, and it needs no guard for them. Once such a step can be taken, only its own process changes that.
    /// Its process must have no other alternative while it waits: a choice made meanwhile is no race with what makes this one possible, so
    /// nobody would look for it. An alternative that waits for others beside others that do not reads a guard.
    pub after: SmallVec<[u32; 2]>,
    /// What went wrong in this step. The execution continues (the process usually ends).
    pub failure: Option<Failure>,
}

impl Effects {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.births.clear();
        self.after.clear();
        self.touched.clear();
        self.failure = None;
    }
}
