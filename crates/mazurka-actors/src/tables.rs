//! What all runs of a system share: names of messages and actors, classes with their call graph, locations.

use crate::actor::Actor;
use crate::address::short_type_name;
use crate::sends::Sends;
use mazurka_core::{CallGraph, Class, Location, Names};
use rustc_hash::FxHashMap;
use std::any::TypeId;
use std::cell::RefCell;

/// The shared tables of one system.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// Messages, by parent message and send index.
    pub messages: Names,
    /// Actors, by creating *message* and creation index; the parents are ids of `messages`.
    pub actors: Names,
    pub classes: RefCell<Classes>,
    locations: RefCell<Locations>,
}

#[derive(Debug, Default)]
struct Locations {
    ids: FxHashMap<(Owner, u32), Location>,
    what: Vec<(Owner, u32)>,
    fields: Vec<String>,
    field_ids: FxHashMap<String, u32>,
}

/// What a location belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Owner {
    /// An actor, as a whole or one of its fields.
    Actor(u32),
    /// The order in which an actor's sends enter its outgoing channels.
    Outbox(u32),
    /// The head of the channel from the first actor (`u32::MAX`: the start) to the second.
    Channel(u32, u32),
    /// The order in which messages arrive at actors of a class (`u32::MAX`: of any class).
    Arrivals(u32),
}

const WHOLE: u32 = u32::MAX;

impl Tables {
    /// The location of a whole actor.
    pub fn whole(&self, actor: u32) -> Location {
        self.location(Owner::Actor(actor), WHOLE)
    }

    /// The location of anything that has no fields.
    pub fn of(&self, owner: Owner) -> Location {
        self.location(owner, WHOLE)
    }

    /// The location of one field of an actor.
    pub fn field(&self, actor: u32, name: &str) -> Location {
        let field = {
            let mut locations = self.locations.borrow_mut();
            match locations.field_ids.get(name) {
                Some(&id) => id,
                None => {
                    let id = locations.fields.len() as u32;
                    locations.fields.push(name.to_owned());
                    locations.field_ids.insert(name.to_owned(), id);
                    id
                }
            }
        };
        self.location(Owner::Actor(actor), field)
    }

    /// What a location is: its owner and, if it is one, the name of the field.
    pub fn meaning(&self, location: Location) -> (Owner, Option<String>) {
        let locations = self.locations.borrow();
        let (owner, field) = locations.what[location.index()];
        (owner, (field != WHOLE).then(|| locations.fields[field as usize].clone()))
    }

    fn location(&self, owner: Owner, field: u32) -> Location {
        let mut locations = self.locations.borrow_mut();
        if let Some(&known) = locations.ids.get(&(owner, field)) {
            return known;
        }
        let location = Location(locations.what.len() as u32);
        locations.what.push((owner, field));
        locations.ids.insert((owner, field), location);
        location
    }

    /// An actor's name that is the same in every search: `0` for the first of the start, `1.0/0` for the first that message 1.0 created.
    pub fn actor_path(&self, actor: u32) -> String {
        match self.actors.birth(actor) {
            (None, nth) => nth.to_string(),
            (Some(message), nth) => format!("{}/{nth}", self.messages.path(message)),
        }
    }
}

/// The types of actors and their declared calls.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    pub graph: CallGraph,
    by_type: FxHashMap<TypeId, Class>,
}

impl Classes {
    /// The class of an actor type; on first sight its declared sends enter the call graph.
    pub fn class<A: Actor>(&mut self) -> Class {
        if let Some(&known) = self.by_type.get(&TypeId::of::<A>()) {
            return known;
        }
        let class = self.graph.class(short_type_name::<A>());
        self.by_type.insert(TypeId::of::<A>(), class);
        A::sends(&mut Sends::new(self));
        class
    }
}
