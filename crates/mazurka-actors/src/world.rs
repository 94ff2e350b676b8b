//! What properties see of a configuration.

use crate::actor::Actor;
use crate::address::Address;
use crate::run::{Run, Slot};
use crate::tables::Tables;
use std::cell::Cell;

/// All actors at one moment, for [`System::invariant`] and [`System::at_end`].
pub struct World<'a> {
    pub(crate) run: &'a Run,
    pub(crate) tables: &'a Tables,
    /// The actors that may be looked at, if not all may.
    pub(crate) only: Option<&'a [u32]>,
    /// Interchangeable actors are listed as if each were another one, by number.
    pub(crate) swapped: Option<&'a [u32]>,
    /// Whether interchangeable actors were listed.
    pub(crate) listed: Cell<bool>,
}

/// A final configuration, for [`System::at_end`].
pub type End<'a> = World<'a>;

impl<'a> World<'a> {
    /// Where everybody may be looked at.
    pub(crate) fn of(run: &'a Run, tables: &'a Tables) -> Self {
        World {
            run,
            tables,
            only: None,
            swapped: None,
            listed: Cell::new(false),
        }
    }
}

impl World<'_> {
    /// The state of an actor; of one that is down, as it was when it crashed.
    ///
    /// # Panics
    /// If the address comes from another system, or if an invariant does not declare that it reads the actor.
    #[track_caller]
    pub fn state<A: Actor>(&self, of: Address<A>) -> &A {
        self.assert_declared(of.id);
        let place = self.run.place(of.id).filter(|_| of.origin == self.tables.origin);
        let actor = place.map(|at| self.run.actors[at].state.actor.as_any());
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
        match self.run.place(actor.id).filter(|_| actor.origin == self.tables.origin) {
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
        self.actors().map(|(_, state)| state)
    }

    /// The addresses and states of all actors of a type, in the order of [`World::states`].
    ///
    /// # Panics
    /// As [`World::states`].
    #[track_caller]
    pub fn actors<A: Actor>(&self) -> impl Iterator<Item = (Address<A>, &A)> {
        let of_type = |slot: &&Slot| slot.state.actor.as_any().is::<A>();
        let mut slots: Vec<&Slot> = self.run.actors.iter().filter(of_type).collect();
        slots.iter().for_each(|slot| self.assert_declared(slot.id));
        self.listed.set(true);
        let listed_as = |id: u32| self.swapped.and_then(|swapped| swapped.get(id as usize)).copied().unwrap_or(id);
        slots.sort_by_cached_key(|slot| self.tables.actor_birth(listed_as(slot.id)));
        let of = |slot: &'_ Slot| Address::new(slot.id, self.tables.origin);
        slots
            .into_iter()
            .filter_map(move |slot| Some((of(slot), slot.state.actor.as_any().downcast_ref()?)))
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
