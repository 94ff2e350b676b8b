//! What holds in every configuration.

use crate::hash::Hash128;
use crate::knowledge::Knowledge;
use crate::panics::catch;
use crate::run::Run;
use crate::system::System;
use crate::world::World;
use mazurka_core::{Effects, Failure, FailureKind};
use std::rc::Rc;

/// Something that holds in every configuration.
#[derive(Clone)]
pub(crate) struct Invariant {
    pub name: Rc<str>,
    /// The actors that it reads; all, if none is named.
    pub reads: Rc<[u32]>,
    pub holds: Rc<dyn Fn(&World<'_>) -> bool>,
    pub knows: Knowledge,
}

impl Invariant {
    /// Whether it may depend on an actor.
    pub fn concerns(&self, actor: u32) -> bool {
        self.reads.is_empty() || self.reads.contains(&actor)
    }
}

impl System {
    /// Looks at the invariants after a step of the actor at a place. Each is reported once in an execution.
    pub(crate) fn check_invariants(&self, run: &mut Run, place: usize, effects: &mut Effects) {
        if self.invariants.is_empty() {
            return;
        }
        let actor = run.actors[place].id;
        for nth in 0..self.invariants.len() {
            let known = run.violated >> nth & 1 == 1;
            if known || !self.invariants[nth].concerns(actor) {
                continue;
            }
            if let Some(failure) = self.violation(run, nth) {
                run.violated |= 1 << nth;
                run.failed = run.failed.wrapping_add(Hash128::of((nth, &failure)));
                effects.failure.get_or_insert(failure);
            }
        }
    }

    /// What is wrong with an invariant, if it does not hold.
    fn violation(&self, run: &Run, nth: usize) -> Option<Failure> {
        let invariant = &self.invariants[nth];
        let world = World {
            only: Some(&invariant.reads),
            ..World::of(run, &self.tables)
        };
        let (name, failed) = (&invariant.name, |message: String, at| Failure {
            kind: FailureKind::Assertion,
            message,
            at,
        });
        match catch(|| (invariant.holds)(&world)) {
            Ok(true) => None,
            Ok(false) => Some(failed(format!("`{name}` does not hold"), None)),
            Err(panic) => Some(Failure {
                kind: FailureKind::Panic,
                ..failed(format!("the invariant `{name}` panics: {}", panic.message), panic.at)
            }),
        }
    }

    /// What is wrong at the start, before any step.
    pub(crate) fn failure_at_start(&self) -> Option<Failure> {
        (0..self.invariants.len()).find_map(|nth| self.violation(&self.start, nth))
    }
}
