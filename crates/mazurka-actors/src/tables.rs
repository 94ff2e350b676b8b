//! What all runs of a system share: names of messages and actors, classes with their call graph, locations.

use crate::actor::Actor;
use crate::address::{Origin, short_type_name};
use crate::faults::Fault;
use crate::life::{Life, Timer};
use crate::run::Slot;
use crate::sends::Sends;
use mazurka_core::{CallGraph, Class, Location, Names, locked};
use rustc_hash::FxHashMap;
use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// The shared tables of one system.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// What addresses of this system say about where they come from.
    pub origin: Origin,
    /// Messages, by parent message and send index.
    pub messages: Arc<Names>,
    /// Actors, by creating *message* and creation index; the parents are ids of `messages`.
    pub actors: Arc<Names>,
    pub classes: RefCell<Classes>,
    locations: RefCell<Locations>,
    /// Whether actors have timers.
    timers: Cell<bool>,
    /// What a handler did that it may not do, until somebody asks.
    misuse: RefCell<Option<String>>,
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
    /// Which timers of an actor are set.
    Timers(u32),
    /// When timers fire.
    Clock,
    /// Whether a message that may get lost or be doubled is still under way.
    Message(u32),
    /// How many faults of a kind may still happen.
    Budget(Fault),
    /// Whether a partition is there.
    Partition(u32),
    /// What an invariant reads.
    Invariant(u32),
    /// Which responses came before which invocations.
    History,
}

/// What a process is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A message.
    Message,
    /// The timer of an actor.
    Timer(u32, u32),
    /// The crashes and restarts of an actor.
    Crashes(u32),
    /// A partition that comes and heals.
    Partition(u32),
    /// The end of all faults.
    Calm,
    /// The loss of a message.
    Loss(u32),
    /// The doubling of a message.
    Doubling(u32),
}

/// Processes that are no messages have places of birth where no message has one: at the root from here on, 2²⁸ of each kind ...
const ROOTS: u32 = 0x8000_0000;
const TIMERS: u32 = ROOTS;
const CRASHES: u32 = ROOTS | 0x1000_0000;
const PARTITIONS: u32 = ROOTS | 0x2000_0000;
const CALM: u32 = ROOTS | 0x3000_0000;
/// ... and below the message that they concern.
const LOSS: u32 = ROOTS;
const DOUBLING: u32 = ROOTS | 0x1000_0000;
const OF_A_KIND: u32 = 0x1000_0000;

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
    /// Whether some actor has timers.
    pub fn has_timers(&self) -> bool {
        self.timers.get()
    }

    /// An actor with timers is created.
    pub fn meet_timers(&self, at_start: bool) {
        if at_start {
            self.timers.set(true);
        } else if !self.timers.get() {
            self.misused("creates an actor with timers, and at the start of the system there is none: call `System::with_timers`");
        }
    }

    /// A handler does what it may not do.
    pub fn misused(&self, what: &str) {
        self.misuse.borrow_mut().get_or_insert_with(|| what.to_owned());
    }

    /// What a handler did that it may not do, since this was asked last.
    pub fn misuse(&self) -> Option<String> {
        self.misuse.take()
    }

    /// The life of a new actor with so many timers.
    pub fn life(&self, slot: &Slot, timers: usize) -> Life {
        let timer = |nth: usize| Timer {
            process: self.messages.child(self.messages.root(TIMERS + slot.id), nth as u32),
            set: None,
            due: 0,
            times: 0,
        };
        Life {
            timers: (0..timers).map(timer).collect(),
            crashes: None,
            up: true,
            dead: false,
            restarts: 0,
            created: Rc::clone(&slot.state),
        }
    }

    /// The process of an actor's crashes and restarts.
    pub fn crashes(&self, actor: u32) -> u32 {
        self.messages.root(CRASHES + actor)
    }

    pub fn partition(&self, nth: usize) -> u32 {
        self.messages.root(PARTITIONS + nth as u32)
    }

    /// The process that ends all faults.
    pub fn calm(&self) -> u32 {
        self.messages.root(CALM)
    }

    pub fn loss(&self, message: u32) -> u32 {
        self.messages.child(message, LOSS)
    }

    pub fn doubling(&self, message: u32) -> u32 {
        self.messages.child(message, DOUBLING)
    }

    /// What a process is.
    pub fn kind(&self, process: u32) -> Kind {
        let of_a_kind = |nth: u32, first: u32| (first..first + OF_A_KIND).contains(&nth);
        match self.messages.birth(process) {
            (None, CALM) => Kind::Calm,
            (None, nth) if of_a_kind(nth, CRASHES) => Kind::Crashes(nth - CRASHES),
            (None, nth) if of_a_kind(nth, PARTITIONS) => Kind::Partition(nth - PARTITIONS),
            (None, _) => Kind::Message,
            (Some(message), LOSS) => Kind::Loss(message),
            (Some(message), DOUBLING) => Kind::Doubling(message),
            (Some(parent), nth) => match self.messages.birth(parent) {
                (None, root) if of_a_kind(root, TIMERS) => Kind::Timer(root - TIMERS, nth),
                _ => Kind::Message,
            },
        }
    }

    /// A process's name that is the same in every search: the places of birth of a message, `t0.1` for a timer of actor 0, `x0` for its crashes,
    /// `p0` for a partition, `-lost` and `-twice` behind the message that may get lost or arrive twice.
    pub fn message_path(&self, process: u32) -> String {
        let (parent, nth) = self.messages.birth(process);
        let of_a_kind = |first: u32| (first..first + OF_A_KIND).contains(&nth);
        match parent {
            None if of_a_kind(TIMERS) => format!("t{}", self.actor_path(nth - TIMERS)),
            None if of_a_kind(CRASHES) => format!("x{}", self.actor_path(nth - CRASHES)),
            None if of_a_kind(PARTITIONS) => format!("p{}", nth - PARTITIONS),
            None if nth == CALM => "calm".to_owned(),
            None => nth.to_string(),
            Some(_) => {
                // The way up may be long.
                let mut way = vec![nth];
                let mut above = parent;
                while let Some(id) = above {
                    let (next, nth) = self.messages.birth(id);
                    if next.is_none() {
                        break;
                    }
                    way.push(nth);
                    above = next;
                }
                let mut path = above.map_or(String::new(), |root| self.message_path(root));
                for nth in way.into_iter().rev() {
                    match nth {
                        LOSS => path.push_str("-lost"),
                        DOUBLING => path.push_str("-twice"),
                        nth => path.push_str(&format!(".{nth}")),
                    }
                }
                path
            }
        }
    }

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
            (Some(message), nth) => format!("{}/{nth}", self.message_path(message)),
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
