//! Actors and messages of all types under one roof.

use crate::actor::{Accepts, Actor};
use crate::context::{Context, Outbox};
use crate::hash::{Hash128, References, Tokens};
use crate::projection::{Projection, Values};
use crate::recording::Records;
use mazurka_core::Footprint;
use std::any::Any;
use std::cell::OnceCell;
use std::fmt::{self, Debug, Write};
use std::hash::Hash;
use std::rc::Rc;

/// A state with what was found out about it, shared by all runs that contain it.
pub(crate) struct State<A: ?Sized> {
    hash: OnceCell<u128>,
    holds: OnceCell<Vec<u32>>,
    projection: OnceCell<Option<Projection>>,
    pub actor: A,
}

impl<A: Actor> State<A> {
    pub fn new(actor: A) -> Rc<State<dyn ErasedActor>> {
        Rc::new(State {
            hash: OnceCell::new(),
            holds: OnceCell::new(),
            projection: OnceCell::new(),
            actor,
        })
    }
}

impl State<dyn ErasedActor> {
    /// The hash of the state, computed once.
    pub fn hash(&self) -> u128 {
        *self.hash.get_or_init(|| self.actor.hash128())
    }

    /// The actors that the state refers to, computed once.
    pub fn holds(&self) -> &[u32] {
        self.holds.get_or_init(|| self.actor.references())
    }

    /// The state field by field, if that is known; computed once.
    pub fn projection(&self) -> Option<&Projection> {
        let project = || Projection::new(self.actor.values(), self.actor.as_debug());
        self.projection.get_or_init(project).as_ref()
    }
}

/// An actor of any type.
pub(crate) trait ErasedActor {
    fn duplicate(&self) -> Rc<State<dyn ErasedActor>>;
    fn handle(&mut self, message: &dyn ErasedMessage, outbox: Outbox<'_>);
    fn restart(&mut self, before: &dyn ErasedActor, outbox: Outbox<'_>);
    fn accepts(&self, message: &dyn ErasedMessage) -> Accepts;
    fn hash128(&self) -> u128;
    fn hash_as(&self, tokens: &Tokens) -> u128;
    fn references(&self) -> Vec<u32>;
    fn values(&self) -> Values;
    fn perturb(&mut self, field: &str, seed: u64) -> bool;
    fn as_any(&self) -> &dyn Any;
    fn as_debug(&self) -> &dyn Debug;
}

impl<A: Actor> ErasedActor for A {
    fn duplicate(&self) -> Rc<State<dyn ErasedActor>> {
        State::new(self.clone())
    }

    fn handle(&mut self, message: &dyn ErasedMessage, outbox: Outbox<'_>) {
        let message = message.as_any().downcast_ref::<A::Message>().expect("an address is typed");
        Actor::handle(self, message.clone(), &mut Context::new(outbox));
    }

    fn restart(&mut self, before: &dyn ErasedActor, outbox: Outbox<'_>) {
        let before = before.as_any().downcast_ref::<A>().expect("an actor does not change its type");
        Actor::restart(self, before, &mut Context::new(outbox));
    }

    fn accepts(&self, message: &dyn ErasedMessage) -> Accepts {
        let message = message.as_any().downcast_ref::<A::Message>().expect("an address is typed");
        Actor::accepts(self, message)
    }

    fn hash128(&self) -> u128 {
        Hash128::of(self)
    }

    fn hash_as(&self, tokens: &Tokens) -> u128 {
        tokens.hash(self)
    }

    fn references(&self) -> Vec<u32> {
        let mut references = References::default();
        self.hash(&mut references);
        references.0
    }

    fn values(&self) -> Values {
        let mut values = Values::default();
        Actor::values(self, &mut values);
        values
    }

    fn perturb(&mut self, field: &str, seed: u64) -> bool {
        Actor::perturb(self, field, seed)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_debug(&self) -> &dyn Debug {
        self
    }
}

/// A message of any type.
pub(crate) trait ErasedMessage {
    fn hash128(&self) -> u128;
    fn hash_as(&self, tokens: &Tokens) -> u128;
    fn references(&self) -> Vec<u32>;
    fn as_any(&self) -> &dyn Any;
    fn as_debug(&self) -> &dyn Debug;
    /// Whether the handler chooses.
    fn chooses(&self) -> bool;
    /// What the handler records.
    fn records(&self) -> Records;
    /// The name of a timer of the actors that understand it.
    fn timer(&self, nth: usize) -> &'static str;
    /// What the handler touches of `actor`, as its type declares.
    fn touches(&self, tables: &crate::tables::Tables, actor: u32, guarded: bool, out: &mut Footprint);
}

/// A message together with the type of actor that understands it.
pub(crate) struct For<A: Actor>(pub A::Message);

impl<A: Actor> ErasedMessage for For<A> {
    fn hash128(&self) -> u128 {
        Hash128::of(&self.0)
    }

    fn hash_as(&self, tokens: &Tokens) -> u128 {
        tokens.hash(&self.0)
    }

    fn references(&self) -> Vec<u32> {
        let mut references = References::default();
        self.0.hash(&mut references);
        references.0
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }

    fn as_debug(&self) -> &dyn Debug {
        &self.0
    }

    fn chooses(&self) -> bool {
        A::chooses(&self.0)
    }

    fn records(&self) -> Records {
        A::records(&self.0)
    }

    fn timer(&self, nth: usize) -> &'static str {
        A::TIMERS.get(nth).copied().unwrap_or_default()
    }

    fn touches(&self, tables: &crate::tables::Tables, actor: u32, guarded: bool, out: &mut Footprint) {
        crate::fields::Fields::collect(tables, actor, out, guarded, |fields| A::touches(&self.0, fields));
    }
}

/// The type of a message: the first word of its `Debug` text. Formatting stops after that word.
pub(crate) fn kind(message: &dyn ErasedMessage) -> String {
    struct FirstWord(String);
    impl Write for FirstWord {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for c in text.chars() {
                if !(c.is_alphanumeric() || c == '_') {
                    return Err(fmt::Error);
                }
                self.0.push(c);
            }
            Ok(())
        }
    }
    let mut word = FirstWord(String::new());
    // An error only says that the word is complete.
    let _ = write!(word, "{:?}", message.as_debug());
    word.0
}
