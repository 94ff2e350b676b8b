//! What all runs of a system share: names of messages and actors, classes with their call graph, locations.

use crate::actor::Actor;
use crate::address::short_type_name;
use crate::sends::Sends;
use mazurka_core::{CallGraph, Class, Location, Names, locked};
use rustc_hash::FxHashMap;
use std::any::TypeId;
use std::cell::RefCell;
use std::sync::{Arc, Mutex};

/// The shared tables of one system.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// Messages, by parent message and send index.
    pub messages: Arc<Names>,
    /// Actors, by creating *message* and creation index; the parents are ids of `messages`.
    pub actors: Arc<Names>,
    pub classes: RefCell<Classes>,
    locations: RefCell<Locations>,
    /// The table that says which numbers new locations get, if several systems have to agree on that.
    common: Option<Arc<Mutex<Locations>>>,
}

/// What the tables of several systems have in common: messages, actors and locations have the same number in all of them, whoever meets
/// them first.
#[derive(Debug, Default)]
pub(crate) struct CommonTables {
    messages: Arc<Names>,
    actors: Arc<Names>,
    locations: Arc<Mutex<Locations>>,
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
const ANY_FIELD: u32 = u32::MAX - 1;

impl Locations {
    fn field(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.field_ids.get(name) {
            return known;
        }
        let id = self.fields.len() as u32;
        self.fields.push(name.to_owned());
        self.field_ids.insert(name.to_owned(), id);
        id
    }

    fn location(&mut self, owner: Owner, field: u32) -> Location {
        if let Some(&known) = self.ids.get(&(owner, field)) {
            return known;
        }
        let location = Location(self.what.len() as u32);
        self.what.push((owner, field));
        self.ids.insert((owner, field), location);
        location
    }
}

impl Tables {
    /// The location of a whole actor.
    pub fn whole(&self, actor: u32) -> Location {
        self.location(Owner::Actor(actor), WHOLE)
    }

    /// The location of whatever a constraint reads that does not say which fields it reads.
    pub fn any_field(&self, actor: u32) -> Location {
        self.location(Owner::Actor(actor), ANY_FIELD)
    }

    /// The location of anything that has no fields.
    pub fn of(&self, owner: Owner) -> Location {
        self.location(owner, WHOLE)
    }

    /// The location of one field of an actor.
    pub fn field(&self, actor: u32, name: &str) -> Location {
        let known = self.locations.borrow().field_ids.get(name).copied();
        let field = known.unwrap_or_else(|| self.agreed(|locations| locations.field(name)));
        self.location(Owner::Actor(actor), field)
    }

    /// The locations that anybody has asked for, with their owners.
    pub fn known_locations(&self) -> Vec<(Location, Owner)> {
        let locations = self.locations.borrow();
        let owners = locations.what.iter().map(|(owner, _)| *owner);
        owners.enumerate().map(|(number, owner)| (Location(number as u32), owner)).collect()
    }

    /// What a location is: its owner and, if it is one, the name of the field.
    pub fn meaning(&self, location: Location) -> (Owner, Option<String>) {
        let locations = self.locations.borrow();
        let (owner, field) = locations.what[location.index()];
        let name = match field {
            WHOLE => None,
            ANY_FIELD => Some("any field".to_owned()),
            field => Some(locations.fields[field as usize].clone()),
        };
        (owner, name)
    }

    /// The name of the field that a location is.
    pub fn field_name(&self, location: Location) -> Option<String> {
        self.actor_and_field(location)?.1
    }

    /// The actor that a location is, or the actor and its field.
    pub fn actor_and_field(&self, location: Location) -> Option<(u32, Option<String>)> {
        let locations = self.locations.borrow();
        match locations.what[location.index()] {
            (Owner::Actor(_), ANY_FIELD) => None,
            (Owner::Actor(actor), WHOLE) => Some((actor, None)),
            (Owner::Actor(actor), field) => Some((actor, Some(locations.fields[field as usize].clone()))),
            _ => None,
        }
    }

    fn location(&self, owner: Owner, field: u32) -> Location {
        let known = self.locations.borrow().ids.get(&(owner, field)).copied();
        known.unwrap_or_else(|| self.agreed(|locations| locations.location(owner, field)))
    }

    /// Adds something new: to the common table first, if there is one, and then all that this has.
    fn agreed<T>(&self, add: impl FnOnce(&mut Locations) -> T) -> T {
        let mut own = self.locations.borrow_mut();
        let Some(common) = &self.common else { return add(&mut own) };
        let mut common = locked(common);
        let added = add(&mut common);
        for name in &common.fields[own.fields.len()..] {
            own.field(name);
        }
        for (owner, field) in &common.what[own.what.len()..] {
            own.location(*owner, *field);
        }
        added
    }

    /// From now on numbers are those of other tables as well. What there is already must have the same there, as it has if it comes from the
    /// same program.
    pub fn share(&mut self, common: &CommonTables) {
        self.messages = Arc::clone(&common.messages);
        self.actors = Arc::clone(&common.actors);
        self.common = Some(Arc::clone(&common.locations));
        *self.locations.get_mut() = Locations::default();
    }

    /// What others need to have the same numbers.
    pub fn common(&mut self) -> CommonTables {
        let locations = self.common.get_or_insert_with(|| Arc::new(Mutex::new(self.locations.take())));
        let common = CommonTables {
            messages: Arc::clone(&self.messages),
            actors: Arc::clone(&self.actors),
            locations: Arc::clone(locations),
        };
        self.share(&common);
        common
    }

    /// Where an actor comes from: the places of birth of the message whose handler created it, none for the start, and which of the actors
    /// that this handler created it is.
    pub fn actor_birth(&self, actor: u32) -> (Vec<u32>, u32) {
        let (mut message, nth) = self.actors.birth(actor);
        let mut path = Vec::new();
        while let Some(id) = message {
            let (parent, nth) = self.messages.birth(id);
            path.push(nth);
            message = parent;
        }
        path.reverse();
        (path, nth)
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
