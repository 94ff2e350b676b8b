//! States of actor systems can be stored, and the systems' type forgotten.

use crate::system::System;
use mazurka_core::{AnyProgram, StateSpace, any};

impl StateSpace for System {}

impl System {
    /// A program whose type is forgotten. Searches of it are compiled here, beside what they call most.
    #[must_use]
    pub fn boxed(self) -> Box<dyn AnyProgram> {
        any(self)
    }
}
