//! States of shared-variable programs can be stored, and the programs' type forgotten.

use super::Machine;
use mazurka_core::{AnyProgram, Crew, Seat, StateSpace, any};
use std::sync::Arc;

impl StateSpace for Machine {}

impl Machine {
    /// A program whose type is forgotten. Searches of it are compiled here, beside what they call most.
    #[must_use]
    pub fn boxed(self) -> Box<dyn AnyProgram> {
        any(self)
    }

    /// What workers of a parallel search of this program do: each has a copy.
    #[must_use]
    pub fn crew(&self) -> Crew {
        let (model, births, positions) = (self.model.clone(), Arc::clone(&self.births), self.positions.clone());
        let footprints = self.footprints;
        Arc::new(move |seat: Seat<'_>| {
            let mut machine = Machine::compile_with(model.clone(), Some(Arc::clone(&births))).with_footprints(footprints);
            machine.positions = positions.clone();
            seat.work(machine);
        })
    }
}
