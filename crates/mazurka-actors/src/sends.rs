//! Declaring which messages a handler may send: the call graph of a Rust actor.

use crate::actor::Actor;
use crate::tables::Classes;
use mazurka_core::Method;
use std::marker::PhantomData;

/// What the handlers of actor type `A` may send; filled by [`Actor::sends`].
///
/// ```
/// # use mazurka_actors::{Actor, Context, Sends, Address};
/// #[derive(Clone, Hash, Debug)]
/// enum Message { Ping(Address<Player>), Stop }
///
/// #[derive(Clone, Hash, Debug)]
/// struct Player;
///
/// impl Actor for Player {
///     type Message = Message;
///     fn handle(&mut self, message: Message, context: &mut Context<Self>) {
///         if let Message::Ping(other) = message {
///             context.send(other, Message::Stop);
///         }
///     }
///     fn sends(sends: &mut Sends<Self>) {
///         sends.on("Ping").send::<Player>("Stop");
///         sends.on("Stop");
///     }
/// }
/// ```
pub struct Sends<'a, A> {
    classes: &'a mut Classes,
    actor: PhantomData<A>,
}

impl<'a, A: Actor> Sends<'a, A> {
    pub(crate) fn new(classes: &'a mut Classes) -> Self {
        Sends {
            classes,
            actor: PhantomData,
        }
    }

    /// Declares the handler of messages of this type: it sends nothing but what follows.
    pub fn on(&mut self, message: &str) -> Handler<'_> {
        let class = self.classes.class::<A>();
        let method = self.classes.graph.method(class, message);
        self.classes.graph.close(method);
        Handler {
            classes: self.classes,
            method,
        }
    }
}

/// One declared handler.
pub struct Handler<'a> {
    classes: &'a mut Classes,
    method: Method,
}

impl Handler<'_> {
    /// The handler may send such a message to an actor of type `B`.
    pub fn send<B: Actor>(self, message: &str) -> Self {
        let class = self.classes.class::<B>();
        let method = self.classes.graph.method(class, message);
        self.classes.graph.call(self.method, method);
        self
    }
}
