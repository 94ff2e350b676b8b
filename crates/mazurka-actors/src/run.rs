//! A configuration: the actors with their states, and the messages under way.

use crate::erased::{ErasedActor, ErasedMessage, State};
use mazurka_core::{Class, Footprint};
use std::cell::OnceCell;
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
}

impl Slot {
    pub fn new(id: u32, class: Class, state: Rc<State<dyn ErasedActor>>, name: Option<Rc<str>>) -> Self {
        Slot {
            identity: crate::hash::Hash128::of((id, class, &name)),
            id,
            class,
            state,
            name,
        }
    }
}

/// A message under way. The same process in another run may have other contents; an envelope never changes.
pub(crate) struct Envelope {
    pub id: u32,
    pub sender: u32,
    pub receiver: u32,
    pub content: Box<dyn ErasedMessage>,
    pub hash: OnceCell<u128>,
    pub holds: OnceCell<Vec<u32>>,
    pub fields: OnceCell<Footprint>,
    /// Whether it can be refused.
    pub constrained: OnceCell<bool>,
    pub method: OnceCell<mazurka_core::Method>,
}

impl Envelope {
    /// The hash of identity, route and contents, computed once.
    pub fn hash(&self) -> u128 {
        *self
            .hash
            .get_or_init(|| crate::hash::Hash128::of((self.id, self.sender, self.receiver, self.content.hash128())))
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
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.actors.clone_from(&other.actors);
        self.pending.clone_from(&other.pending);
        self.last = other.last;
        self.failed = other.failed;
    }
}

impl Run {
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
