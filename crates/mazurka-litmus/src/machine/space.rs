//! States of shared-variable programs can be stored, and the programs' type forgotten.

use super::Machine;
use mazurka_core::{AnyProgram, StateSpace, any};

impl StateSpace for Machine {}

impl Machine {
    /// A program whose type is forgotten. Searches of it are compiled here, beside what they call most.
    #[must_use]
    pub fn boxed(self) -> Box<dyn AnyProgram> {
        any(self)
    }
}
