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
    /// What the step really touched, a part of its static footprint. It serves pictures; programs may leave it empty, it is then taken to
    /// be the footprint.
    pub touched: Footprint,
    /// Whether somebody will look at `touched`. Searches do not, so programs fill it only then.
    pub report_touched: bool,
    /// What went wrong in this step. The run goes on (its process usually ends).
    pub failure: Option<Failure>,
}

impl Effects {
    /// Forgets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.births.clear();
        self.touched.clear();
        self.failure = None;
    }
}
