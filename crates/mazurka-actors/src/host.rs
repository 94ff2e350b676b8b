//! Actors outside of a check: the same handlers, in production.
//!
//! A [`Host`] is a thin adapter of some runtime for actors. It gets a message from the runtime, has it handled with [`handle`], and does what the handler asks for.
//! The example `examples/ractor` in the repository is an adapter for the crate `ractor`, with a protocol that is checked and runs in production.
//!
//! ```
//! use mazurka_actors::{Actor, Address, Context, host};
//! use std::any::Any;
//! # #[derive(Clone, Hash, Debug, Default)] struct Echo;
//! # impl Actor for Echo {
//! #     type Message = u32;
//! #     fn handle(&mut self, n: u32, context: &mut Context<Self>) { if n > 0 { context.send(context.me(), n - 1); } }
//! # }
//!
//! /// A runtime of one actor.
//! #[derive(Default)]
//! struct Queue(Vec<u32>);
//!
//! impl host::Host for Queue {
//!     fn send(&mut self, _to: u32, message: Box<dyn Any>) { self.0.extend(message.downcast::<u32>().ok().as_deref()); }
//!     fn set_timer(&mut self, _: &'static str, _: u64, _: Box<dyn Any>) {}
//!     fn cancel_timer(&mut self, _: &'static str) {}
//!     fn choose(&mut self, _: u32) -> u32 { 0 }
//! }
//!
//! let (mut echo, mut queue, mut handled) = (Echo, Queue(vec![3]), 0);
//! while let Some(message) = queue.0.pop() {
//!     host::handle(&mut echo, host::address(0), message, &mut queue);
//!     handled += 1;
//! }
//! assert_eq!(handled, 4);
//! ```

use crate::actor::Actor;
use crate::address::{Address, Origin};
use crate::context::Context;
use std::any::Any;

/// What a handler can ask for outside of a check. Actors are known by numbers, which the host gives them.
pub trait Host {
    /// Sends a message: a `Message` of the actor.
    fn send(&mut self, to: u32, message: Box<dyn Any>);

    /// Sets a timer of the actor, instead of the one of the same name that may be set: after so many units of time it gets the message.
    fn set_timer(&mut self, timer: &'static str, after: u64, message: Box<dyn Any>);

    /// The timer does not fire any more.
    fn cancel_timer(&mut self, timer: &'static str);

    /// A number below `n`.
    fn choose(&mut self, n: u32) -> u32;

    /// Creates an actor and gives it a number.
    ///
    /// # Panics
    /// If this host cannot do that, as by default.
    fn create(&mut self, actor: Box<dyn Any>) -> u32 {
        drop(actor);
        panic!("this host does not let handlers create actors")
    }
}

/// The address of the actor that a host gave this number. It means nothing in a check.
pub fn address<A>(number: u32) -> Address<A> {
    Address::new(number, Origin::HOSTED)
}

/// Has an actor handle a message. One that it does not [accept](Actor::accepts) now must wait, which is the business of the host.
///
/// # Panics
/// If the handler does, or names a timer that the actor does not have.
pub fn handle<A: Actor>(actor: &mut A, me: Address<A>, message: A::Message, host: &mut dyn Host) {
    actor.handle(message, &mut Context::hosted(me.id, host));
}

/// Starts an actor again that crashed; see [`Actor::restart`].
///
/// # Panics
/// As [`handle`].
pub fn restart<A: Actor>(actor: &mut A, before: &A, me: Address<A>, host: &mut dyn Host) {
    actor.restart(before, &mut Context::hosted(me.id, host));
}
