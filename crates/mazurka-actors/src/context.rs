//! What a handler can do: send, create, know itself.

use crate::actor::Actor;
use crate::address::Address;
use crate::erased::{For, State};
use crate::run::{Envelope, Run, Slot};
use crate::tables::Tables;
use std::any::TypeId;
use std::cell::OnceCell;
use std::marker::PhantomData;
use std::rc::Rc;

/// Given to [`Actor::handle`]: the actor's way to the outside.
pub struct Context<'a, A> {
    outbox: Outbox<'a>,
    actor: PhantomData<A>,
}

impl<'a, A: Actor> Context<'a, A> {
    pub(crate) fn new(outbox: Outbox<'a>) -> Self {
        Context {
            outbox,
            actor: PhantomData,
        }
    }

    /// The address of the actor that handles the message.
    pub fn me(&self) -> Address<A> {
        Address::new(self.outbox.sent.me)
    }

    /// Sends a message. It arrives at some later time, in no particular order unless the system's delivery says otherwise.
    ///
    /// # Panics
    /// If the address comes from another system. A search reports that as a failure of the handler.
    pub fn send<B: Actor>(&mut self, to: Address<B>, message: B::Message) {
        self.outbox.send(to, message);
    }

    /// Creates an actor.
    pub fn create<B: Actor>(&mut self, actor: B) -> Address<B> {
        self.outbox.create(actor, None)
    }

    /// Creates an actor that counterexamples call by `name`.
    pub fn create_named<B: Actor>(&mut self, name: &str, actor: B) -> Address<B> {
        self.outbox.create(actor, Some(name))
    }
}

/// Collects what one step, or the start, sends and creates.
pub(crate) struct Outbox<'a> {
    pub tables: &'a Tables,
    pub run: &'a Run,
    pub sent: &'a mut Sent,
}

/// What was sent and created, by whom.
pub(crate) struct Sent {
    /// The message being handled; `None` at the start.
    pub parent: Option<u32>,
    /// The actor that handles it.
    pub me: u32,
    pub first_message: u32,
    pub first_actor: u32,
    pub messages: Vec<Rc<Envelope>>,
    pub actors: Vec<Slot>,
}

impl Sent {
    pub fn by(parent: Option<u32>, me: u32) -> Self {
        Sent {
            parent,
            me,
            first_message: 0,
            first_actor: 0,
            messages: Vec::new(),
            actors: Vec::new(),
        }
    }
}

impl Outbox<'_> {
    pub fn create<B: Actor>(&mut self, actor: B, name: Option<&str>) -> Address<B> {
        let nth = self.sent.first_actor + self.sent.actors.len() as u32;
        let id = match self.sent.parent {
            None => self.tables.actors.root(nth),
            Some(message) => self.tables.actors.child(message, nth),
        };
        let class = self.tables.classes.borrow_mut().class::<B>();
        self.sent.actors.push(Slot::new(id, class, State::new(actor), name.map(Rc::from)));
        Address::new(id)
    }

    pub fn send<B: Actor>(&mut self, to: Address<B>, message: B::Message) {
        let created = self.sent.actors.iter().find(|s| s.id == to.id);
        let slot = created.or_else(|| self.run.place(to.id).map(|at| &self.run.actors[at]));
        let known = slot.is_some_and(|s| s.state.actor.as_any().type_id() == TypeId::of::<B>());
        assert!(
            known,
            "{message:?} is sent to an actor that this system never created: its address comes from another system"
        );
        let nth = self.sent.first_message + self.sent.messages.len() as u32;
        let id = match self.sent.parent {
            None => self.tables.messages.root(nth),
            Some(parent) => self.tables.messages.child(parent, nth),
        };
        self.sent.messages.push(Rc::new(Envelope {
            id,
            sender: self.sent.me,
            receiver: to.id,
            content: Box::new(For::<B>(message)),
            hash: OnceCell::new(),
            holds: OnceCell::new(),
            fields: OnceCell::new(),
            constrained: OnceCell::new(),
            method: OnceCell::new(),
        }));
    }
}
