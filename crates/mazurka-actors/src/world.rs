//! What properties see of a configuration, and the properties of every configuration.

use crate::actor::Actor;
use crate::address::Address;
use crate::hash::Hash128;
use crate::panics::catch;
use crate::run::{Run, Slot};
use crate::system::System;
use crate::tables::Tables;
use mazurka_core::{Effects, Failure, FailureKind};
use std::rc::Rc;

/// All actors at one moment, for [`System::invariant`] and [`System::at_end`].
pub struct World<'a> {
    pub(crate) run: &'a Run,
    pub(crate) tables: &'a Tables,
    /// The actors that may be looked at, if not all may.
    pub(crate) only: Option<&'a [u32]>,
}

/// A final configuration, for [`System::at_end`].
pub type End<'a> = World<'a>;

impl World<'_> {
    /// The state of an actor; of one that is down, as it was when it crashed.
    ///
    /// # Panics
    /// If the address comes from another system, or if an invariant does not declare that it reads the actor.
    #[track_caller]
    pub fn state<A: Actor>(&self, of: Address<A>) -> &A {
        self.assert_declared(of.id);
        let actor = self.run.place(of.id).map(|at| self.run.actors[at].state.actor.as_any());
        match actor.and_then(|actor| actor.downcast_ref()) {
            Some(state) => state,
            None => panic!("the state of an actor is asked that this system never created: its address comes from another system"),
        }
    }

    /// Whether an actor is up, and not crashed.
    ///
    /// # Panics
    /// As [`World::state`].
    #[track_caller]
    pub fn is_up<A: Actor>(&self, actor: Address<A>) -> bool {
        self.assert_declared(actor.id);
        match self.run.place(actor.id) {
            Some(place) => self.run.actors[place].is_up(),
            None => panic!("it is asked whether an actor is up that this system never created: its address comes from another system"),
        }
    }

    /// The states of all actors of a type: first those that exist from the start, then the others in the order of the messages
    /// whose handlers created them. It is the same order in every execution, whichever of them was created first.
    ///
    /// # Panics
    /// If an invariant does not declare that it reads one of them.
    #[track_caller]
    pub fn states<A: Actor>(&self) -> impl Iterator<Item = &A> {
        let of_type = |slot: &&Slot| slot.state.actor.as_any().is::<A>();
        let mut slots: Vec<&Slot> = self.run.actors.iter().filter(of_type).collect();
        slots.iter().for_each(|slot| self.assert_declared(slot.id));
        slots.sort_by_cached_key(|slot| self.tables.actor_birth(slot.id));
        slots.into_iter().filter_map(|s| s.state.actor.as_any().downcast_ref())
    }

    /// How many messages are under way. At the end they wait for ever because their receivers do not accept them.
    ///
    /// # Panics
    /// In an invariant: only actors are looked at after each step.
    #[track_caller]
    pub fn waiting(&self) -> usize {
        assert!(self.only.is_none(), "an invariant cannot ask for messages under way");
        self.run.pending.len()
    }

    #[track_caller]
    fn assert_declared(&self, actor: u32) {
        let declared = self.only.is_none_or(|only| only.is_empty() || only.contains(&actor));
        assert!(
            declared,
            "the invariant reads an actor that it does not declare; add it, or use `invariant`, which may read all"
        );
    }
}

/// Something that holds in every configuration.
#[derive(Clone)]
pub(crate) struct Invariant {
    pub name: Rc<str>,
    /// The actors that it reads; all, if none is named.
    pub reads: Rc<[u32]>,
    pub holds: Rc<dyn Fn(&World<'_>) -> bool>,
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
            run,
            tables: &self.tables,
            only: Some(&invariant.reads),
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
