//! What a user writes: an actor and how it handles messages.

use crate::context::Context;
use crate::fields::Fields;
use crate::projection::Values;
use crate::recording::Records;
use crate::sends::Sends;
use std::fmt::Debug;
use std::hash::Hash;

/// An actor: a state, and what it does with a message.
///
/// Handling one message is one atomic step. The state must be `Clone` (the search goes back), `Hash` (states are compared, and the
/// addresses that a state holds are found by hashing it) and `Debug` (counterexamples show it).
///
/// # Contract
/// A handler is a function of its state and the message: no clocks, no random numbers, no globals, no interior mutability that
/// survives a clone. A handler that breaks this is reported as nondeterministic.
///
/// ```
/// use mazurka_actors::{Actor, Context, System};
///
/// #[derive(Clone, Hash, Debug, Default)]
/// struct Counter { total: u32 }
///
/// #[derive(Clone, Hash, Debug)]
/// struct Add(u32);
///
/// impl Actor for Counter {
///     type Message = Add;
///     fn handle(&mut self, Add(n): Add, _: &mut Context<Self>) {
///         self.total += n;
///         assert!(self.total <= 3);
///     }
/// }
///
/// let mut system = System::new();
/// let counter = system.create(Counter::default());
/// system.send(counter, Add(1));
/// system.send(counter, Add(2));
/// system.check().assert_ok();
/// ```
pub trait Actor: Clone + Hash + Debug + 'static {
    /// What it can be sent.
    type Message: Clone + Hash + Debug + 'static;

    /// The names of its timers; see [`Context::set_timer`].
    const TIMERS: &'static [&'static str] = &[];

    /// Handles one message.
    fn handle(&mut self, message: Self::Message, context: &mut Context<'_, Self>);

    /// The constraint: whether the actor is ready for the message in its present state. A message that is not accepted stays pending.
    ///
    /// Which variant is returned, [`Accepts::Always`] or [`Accepts::When`], must depend on the message only. A constraint that panics is a
    /// failure: the message can be delivered, and that fails.
    fn accepts(&self, message: &Self::Message) -> Accepts {
        let _ = message;
        Accepts::Always
    }

    /// Whether the handler of this message calls [`Context::choose`]. That must depend on the message only.
    fn chooses(message: &Self::Message) -> bool {
        let _ = message;
        false
    }

    /// Whether the handler of this message records what the actor asks as a client, or is answered; see [`Context::invoke`].
    fn records(message: &Self::Message) -> Records {
        let _ = message;
        Records::Nothing
    }

    /// The actor starts again after a crash ([`System::may_crash`](crate::System::may_crash)). `self` is as it was created, `before` as it was when
    /// it crashed: what is durable must be copied from there. Timers are not set any more. By default nothing is durable.
    ///
    /// ```
    /// # use mazurka_actors::{Actor, Context};
    /// #[derive(Clone, Hash, Debug, Default)]
    /// struct Voter { on_disk: Option<u32>, in_memory: Vec<u32> }
    ///
    /// impl Actor for Voter {
    ///     type Message = u32;
    ///     fn handle(&mut self, vote: u32, _: &mut Context<Self>) {
    ///         self.on_disk.get_or_insert(vote);
    ///         self.in_memory.push(vote);
    ///     }
    ///     fn restart(&mut self, before: &Self, _: &mut Context<Self>) { self.on_disk = before.on_disk; }
    /// }
    /// ```
    fn restart(&mut self, before: &Self, context: &mut Context<'_, Self>) {
        let _ = (before, context);
    }

    /// Which fields the handler of `message` may touch in any state, for `--dependency field`. Without a declaration that is the
    /// whole actor. A constraint reads what it looks at: declare it with [`Fields::guard`].
    ///
    /// What is declared is checked now and then, and at every step under [`System::paranoid`](crate::System::paranoid). A name that is
    /// also the name of a field of the struct means that field; if handlers use other names, [`Actor::values`] tells what they mean.
    fn touches(message: &Self::Message, fields: &mut Fields<'_>) {
        let _ = message;
        fields.all();
    }

    /// The values of the fields by the names that [`Actor::touches`] uses, so that declarations can be checked. It is not needed where
    /// these are the names of the fields of a struct that derives `Debug`.
    ///
    /// ```
    /// # use mazurka_actors::{Actor, Context, Fields, Values};
    /// #[derive(Clone, Hash, Debug)]
    /// struct Shelf { places: [u32; 8] }
    ///
    /// #[derive(Clone, Hash, Debug)]
    /// struct Put { place: usize, what: u32 }
    ///
    /// impl Actor for Shelf {
    ///     type Message = Put;
    ///     fn handle(&mut self, Put { place, what }: Put, _: &mut Context<Self>) { self.places[place] = what; }
    ///     fn touches(Put { place, .. }: &Put, fields: &mut Fields) { fields.write(&format!("place {place}")); }
    ///     fn values(&self, values: &mut Values) {
    ///         for (nth, what) in self.places.iter().enumerate() { values.of(&format!("place {nth}"), what); }
    ///     }
    /// }
    /// ```
    fn values(&self, values: &mut Values) {
        let _ = values;
    }

    /// Gives a field another value of its type, so that laws can be checked: a handler that does not declare the field must do the same
    /// as before. What it becomes may depend on its present value and the seed only. False, as by default, if that cannot be done.
    fn perturb(&mut self, field: &str, seed: u64) -> bool {
        let _ = (field, seed);
        false
    }

    /// Which messages the handlers may send to which actors, for `--order stable`, mailbox FIFO and `+context`. A message type that is not
    /// mentioned may send anything. A type is named by the first word of its `Debug` text, which is the name of the enum variant.
    fn sends(sends: &mut Sends<'_, Self>) {
        let _ = sends;
    }
}

/// Whether an actor is ready for a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accepts {
    /// The message is never disabled.
    Always,
    /// The message is enabled while this is true.
    When(bool),
}

impl Accepts {
    /// Whether the message can be handled now.
    pub fn now(self) -> bool {
        self != Accepts::When(false)
    }
}
