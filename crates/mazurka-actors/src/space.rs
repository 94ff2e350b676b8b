//! States of actor systems can be stored, and the systems' type forgotten.

use crate::system::System;
use mazurka_core::{AnyProgram, Crew, Seat, StateSpace, any};
use std::sync::Arc;

impl StateSpace for System {}

impl System {
    /// A program whose type is forgotten. Searches of it are compiled here, beside what they call most.
    #[must_use]
    pub fn boxed(self) -> Box<dyn AnyProgram> {
        any(self)
    }

    /// What workers of a parallel search of this system do: each makes a system of its own, in the same way as this one was made, and all give
    /// messages, actors and locations the same numbers.
    #[must_use]
    pub fn crew(&mut self, make: impl Fn() -> System + Send + Sync + 'static) -> Crew {
        let common = self.tables.common();
        Arc::new(move |seat: Seat| {
            let mut system = make();
            system.tables.share(&common);
            seat.work(&system);
        })
    }
}
