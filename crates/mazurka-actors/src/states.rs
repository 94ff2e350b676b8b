//! States of actor systems, as a stateful search tells them apart.
//!
//! A message is named by its place of birth, so with these names a protocol that goes round for ever is never in the same state twice. What a
//! message does depends on its receiver and its contents only (and on its place in the queue, where there is one), so a stateful search
//! compares states without the names of messages. Names of actors that handlers create stay: they come from the message that created
//! them.

use crate::delivery::Delivery;
use crate::hash::Hash128;
use crate::run::Run;
use crate::system::System;
use mazurka_core::{
    AnyProgram, Crew, Effects, Failure, Fingerprint, Graph, Pending, Program, Seat, StateSpace, States, Successor, any, graph_of,
};
use std::sync::Arc;

impl StateSpace for System {
    fn graph<'p>(&'p self) -> Box<dyn Graph + 'p> {
        graph_of(SystemStates::up_to_symmetry(self))
    }
}

/// The states of a system, without the names of messages.
#[derive(Clone, Copy)]
pub(crate) struct SystemStates<'s> {
    system: &'s System,
    /// Whether interchangeable actors are taken together.
    up_to_symmetry: bool,
}

impl<'s> SystemStates<'s> {
    /// Each by itself.
    pub fn each(system: &'s System) -> Self {
        SystemStates {
            system,
            up_to_symmetry: false,
        }
    }

    /// Those taken together in which interchangeable actors have changed places.
    pub fn up_to_symmetry(system: &'s System) -> Self {
        SystemStates {
            system,
            up_to_symmetry: system.symmetry.any(),
        }
    }
}

impl States for SystemStates<'_> {
    type State = Run;

    fn start(&self) -> (Run, Option<Failure>) {
        if self.up_to_symmetry {
            self.system.object_to_symmetry();
        }
        (self.system.start(), self.system.failure_at_start())
    }

    fn successors(&self, run: &Run, mut visit: impl FnMut(Successor<'_, Run>)) {
        let (mut pending, mut effects) = (Vec::new(), Effects::default());
        self.system.pending(run, &mut pending);
        if self.up_to_symmetry {
            self.system.check_symmetry(run, pending.iter().all(|p| !p.enabled));
        }
        let mut after = Run::default();
        for &Pending { transition, .. } in pending.iter().filter(|p| p.enabled) {
            after.clone_from(run);
            effects.clear();
            self.system.step(&mut after, transition, &mut effects);
            visit(Successor {
                transition,
                alternative: transition.choice,
                after: &mut after,
                failure: effects.failure.take(),
                statements: &[],
            });
        }
    }

    fn fingerprint(&self, run: &Run) -> Fingerprint {
        match self.up_to_symmetry {
            true => self.system.symmetric_fingerprint(run),
            false => self.system.state_fingerprint(run),
        }
    }

    fn failures_at_end(&self, run: &Run, out: &mut Vec<Failure>) {
        self.system.failures_at_end(run, out);
    }

    fn remembers_failures(&self) -> bool {
        false
    }
}

impl System {
    /// Stands for a configuration whatever its messages are called, and whatever failed on the way: two configurations with equal ones have
    /// the same future, up to the names of actors that are still to be created. It is what a stateful search compares.
    #[must_use]
    pub fn state_fingerprint(&self, run: &Run) -> Fingerprint {
        let mut sum: u128 = 0;
        for slot in &run.actors {
            let life = slot.life.as_ref().map(|life| life.future_hash(run.now));
            sum = sum.wrapping_add(Hash128::of((slot.identity, slot.state.hash(), life)));
        }
        let faults = self.faults.any();
        if faults {
            sum = sum.wrapping_add(run.network.future_hash());
        }
        sum = sum.wrapping_add(run.past_hash());
        for (at, envelope) in run.pending.iter().enumerate() {
            let rank = self.delivery.rank(run, at);
            // Who sent a message decides only what it waits for, and what may become of it.
            let sender = (faults || self.delivery == Delivery::PairFifo).then_some(envelope.sender);
            let doubled = faults && run.network.doubled.contains(&envelope.id);
            sum = sum.wrapping_add(Hash128::of((rank, sender, envelope.route_hash(), doubled)));
        }
        sum
    }

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
        Arc::new(move |seat: Seat<'_>| {
            let mut system = make();
            system.tables.share(&common);
            seat.work(system);
        })
    }
}
