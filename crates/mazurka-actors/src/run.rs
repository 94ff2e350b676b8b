//! A configuration: the actors with their states, and the messages under way.

use crate::erased::{ErasedActor, ErasedMessage, State};
use crate::hash::Hash128;
use crate::life::Life;
use crate::network::Network;
use crate::recording::Record;
use mazurka_core::{Class, Footprint};
use std::cell::OnceCell;
use std::panic::Location;
use std::rc::Rc;

/// Nobody: the start of the system as a sender.
pub(crate) const START: u32 = u32::MAX;

/// A configuration of a system. Cloning shares all states and messages.
#[derive(Default)]
pub struct Run {
    /// In order of creation.
    pub(crate) actors: Vec<Slot>,
    /// In order of sending.
    pub(crate) pending: Vec<Rc<Envelope>>,
    /// The actor that moved last, by its place in `actors`.
    pub(crate) last: u32,
    /// What failed so far, summed up: an execution that failed is never in the state of one that did not.
    pub(crate) failed: u128,
    /// What faults have done, and may still do.
    pub(crate) network: Network,
    /// The time, with a clock.
    pub(crate) now: u64,
    /// The invariants that were violated so far, one bit for each.
    pub(crate) violated: u64,
    /// The history.
    pub(crate) record: Record,
}

/// An actor in a configuration.
#[derive(Clone)]
pub(crate) struct Slot {
    pub id: u32,
    pub class: Class,
    pub state: Rc<State<dyn ErasedActor>>,
    /// What the user called it.
    pub name: Option<Rc<str>>,
    /// Stands for its identity: the same id may be an actor of another type, or of another name, in another run.
    pub identity: u128,
    /// Its timers, and whether it is up, if it has timers or may crash.
    pub life: Option<Rc<Life>>,
}

impl Slot {
    pub fn new(id: u32, class: Class, state: Rc<State<dyn ErasedActor>>, name: Option<Rc<str>>) -> Self {
        Slot {
            identity: Hash128::of((id, class, &name)),
            id,
            class,
            state,
            name,
            life: None,
        }
    }

    /// Whether it handles messages.
    pub fn is_up(&self) -> bool {
        self.life.as_ref().is_none_or(|life| life.up)
    }
}

/// A message under way. The same process in another run may have other contents; an envelope never changes.
pub(crate) struct Envelope {
    pub id: u32,
    pub sender: u32,
    pub receiver: u32,
    pub content: Rc<dyn ErasedMessage>,
    /// Where in the source; people are shown it.
    pub sent_at: &'static Location<'static>,
    pub hash: OnceCell<u128>,
    pub route: OnceCell<u128>,
    pub holds: OnceCell<Vec<u32>>,
    pub fields: OnceCell<Footprint>,
    /// Whether it can be refused.
    pub constrained: OnceCell<bool>,
    pub method: OnceCell<mazurka_core::Method>,
    /// The process that loses it, if it may get lost.
    pub lost_by: OnceCell<Option<u32>>,
    /// The process that doubles it, if it may arrive twice.
    pub doubled_by: OnceCell<Option<u32>>,
}

impl Envelope {
    /// From the first actor to the second.
    pub fn new(id: u32, (sender, receiver): (u32, u32), content: Rc<dyn ErasedMessage>, sent_at: &'static Location<'static>) -> Self {
        Envelope {
            id,
            sender,
            receiver,
            content,
            sent_at,
            hash: OnceCell::new(),
            route: OnceCell::new(),
            holds: OnceCell::new(),
            fields: OnceCell::new(),
            constrained: OnceCell::new(),
            method: OnceCell::new(),
            lost_by: OnceCell::new(),
            doubled_by: OnceCell::new(),
        }
    }

    /// The hash of identity, route and contents, computed once.
    pub fn hash(&self) -> u128 {
        *self
            .hash
            .get_or_init(|| Hash128::of((self.id, self.sender, self.receiver, self.content.hash128())))
    }

    /// The hash of the receiver and the contents, computed once.
    pub fn route_hash(&self) -> u128 {
        *self.route.get_or_init(|| Hash128::of((self.receiver, self.content.hash128())))
    }

    /// The actors that the message refers to, computed once.
    pub fn holds(&self) -> &[u32] {
        self.holds.get_or_init(|| self.content.references())
    }
}

impl Clone for Run {
    fn clone(&self) -> Self {
        Run {
            actors: self.actors.clone(),
            pending: self.pending.clone(),
            last: self.last,
            failed: self.failed,
            network: self.network.clone(),
            now: self.now,
            violated: self.violated,
            record: self.record.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.actors.clone_from(&other.actors);
        self.pending.clone_from(&other.pending);
        self.last = other.last;
        self.failed = other.failed;
        self.network.clone_from(&other.network);
        self.now = other.now;
        self.violated = other.violated;
        self.record.clone_from(&other.record);
    }
}

impl Run {
    /// What of the past the future depends on: the invariants that were violated, and the history.
    pub(crate) fn past_hash(&self) -> u128 {
        match (self.violated, self.record.is_empty()) {
            (0, true) => 0,
            _ => Hash128::of((2u8, self.violated, self.record.hash())),
        }
    }

    /// The place of an actor in order of creation. Recently created actors are found first.
    pub(crate) fn place(&self, actor: u32) -> Option<usize> {
        self.actors.iter().rposition(|slot| slot.id == actor)
    }

    pub(crate) fn slot(&self, actor: u32) -> &Slot {
        &self.actors[self.place(actor).expect("a message's receiver exists")]
    }

    pub(crate) fn envelope(&self, message: u32) -> Option<&Rc<Envelope>> {
        self.pending.iter().find(|e| e.id == message)
    }
}
