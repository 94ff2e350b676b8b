//! What a handler can do: send, create, choose, set timers, know itself.

use crate::actor::Actor;
use crate::address::{Address, Origin, short_type_name};
use crate::choices::Choices;
use crate::erased::{ErasedMessage, For, State};
use crate::hash::Hash128;
use crate::host::Host;
use crate::recording::Recorded;
use crate::run::{Envelope, Run, Slot};
use crate::tables::Tables;
use std::any::TypeId;
use std::marker::PhantomData;
use std::panic::Location;
use std::rc::Rc;

/// Given to [`Actor::handle`]: the actor's way to the outside.
pub struct Context<'a, A> {
    way: Way<'a>,
    actor: PhantomData<A>,
}

/// Where it leads.
enum Way<'a> {
    /// Into a check.
    Checked(Outbox<'a>),
    /// Out of a check, from the actor of this number.
    Hosted(u32, &'a mut dyn Host),
}

/// Of which system an actor is not.
pub(crate) const FOREIGN: &str = "that this system never created: its address comes from another system";

impl<'a, A: Actor> Context<'a, A> {
    pub(crate) fn new(outbox: Outbox<'a>) -> Self {
        Context {
            way: Way::Checked(outbox),
            actor: PhantomData,
        }
    }

    pub(crate) fn hosted(me: u32, host: &'a mut dyn Host) -> Self {
        Context {
            way: Way::Hosted(me, host),
            actor: PhantomData,
        }
    }

    /// The address of the actor that handles the message.
    pub fn me(&self) -> Address<A> {
        match &self.way {
            Way::Checked(outbox) => Address::new(outbox.sent.me, outbox.tables.origin),
            Way::Hosted(me, _) => Address::new(*me, Origin::HOSTED),
        }
    }

    /// Sends a message. It arrives at some later time, in no particular order unless the system's delivery says otherwise.
    ///
    /// # Panics
    /// If the address comes from another system. A search reports that as a failure of the handler.
    #[track_caller]
    pub fn send<B: Actor>(&mut self, to: Address<B>, message: B::Message) {
        match &mut self.way {
            Way::Checked(outbox) => outbox.send(to, message, Location::caller()),
            Way::Hosted(_, host) => {
                assert!(to.origin == Origin::HOSTED, "{message:?} is sent to an actor of a check");
                host.send(to.id, Box::new(message));
            }
        }
    }

    /// Sets a timer: at some later time the actor gets `message`, unless the timer is set again or cancelled before, or the actor crashes.
    ///
    /// Without a clock a timer fires at any time, whatever `after` says: nothing is assumed about how fast anything is. With
    /// [`System::virtual_clock`](crate::System::virtual_clock) timers fire in the order of their times.
    ///
    /// ```
    /// # use mazurka_actors::{Actor, Context, System};
    /// #[derive(Clone, Hash, Debug, Default)]
    /// struct Patient { tries: u32 }
    ///
    /// impl Actor for Patient {
    ///     type Message = ();
    ///     const TIMERS: &'static [&'static str] = &["retry"];
    ///     fn handle(&mut self, (): (), context: &mut Context<Self>) {
    ///         self.tries += 1;
    ///         if self.tries < 3 {
    ///             context.set_timer("retry", 10, ());
    ///         }
    ///     }
    /// }
    ///
    /// let mut system = System::new();
    /// let patient = system.create(Patient::default());
    /// system.send(patient, ());
    /// system.at_end(move |end| assert_eq!(end.state(patient).tries, 3)).check().assert_ok();
    /// ```
    ///
    /// # Panics
    /// If the actor's [`TIMERS`](Actor::TIMERS) have no such name. That ends a check without a verdict.
    #[track_caller]
    pub fn set_timer(&mut self, timer: &str, after: u64, message: A::Message) {
        let Some(nth) = self.timer(timer) else { return };
        let at = Location::caller();
        match &mut self.way {
            Way::Checked(outbox) => outbox.sent.timers.push(Timed::Set(SetTimer {
                timer: nth,
                after,
                content: Rc::new(For::<A>(message)),
                at,
            })),
            Way::Hosted(_, host) => host.set_timer(A::TIMERS[nth], after, Box::new(message)),
        }
    }

    /// The timer does not fire any more. Nothing happens if it was not set.
    ///
    /// # Panics
    /// As [`Context::set_timer`].
    pub fn cancel_timer(&mut self, timer: &str) {
        let Some(nth) = self.timer(timer) else { return };
        match &mut self.way {
            Way::Checked(outbox) => outbox.sent.timers.push(Timed::Cancel(nth)),
            Way::Hosted(_, host) => host.cancel_timer(A::TIMERS[nth]),
        }
    }

    /// The number of a timer of the actor.
    fn timer(&self, name: &str) -> Option<usize> {
        match &self.way {
            Way::Checked(outbox) => outbox.timer::<A>(name),
            Way::Hosted(..) => {
                let found = A::TIMERS.iter().position(|known| *known == name);
                assert!(found.is_some(), "there is no timer `{name}`: add it to `TIMERS` of the actor");
                found
            }
        }
    }

    /// A number below `n`: every one of them is tried. [`Actor::chooses`] must say that this handler chooses.
    ///
    /// ```
    /// # use mazurka_actors::{Actor, Context, System};
    /// #[derive(Clone, Hash, Debug, Default)]
    /// struct Coin { heads: bool }
    ///
    /// impl Actor for Coin {
    ///     type Message = ();
    ///     fn handle(&mut self, (): (), context: &mut Context<Self>) { self.heads = context.choose(2) == 1; }
    ///     fn chooses(_: &()) -> bool { true }
    /// }
    ///
    /// let mut system = System::new();
    /// let coin = system.create(Coin::default());
    /// system.send(coin, ());
    /// assert_eq!(system.check().run().executions(), 2);
    /// ```
    ///
    /// # Panics
    /// If there is nothing to choose from.
    #[track_caller]
    pub fn choose(&mut self, n: u32) -> u32 {
        assert!(n > 0, "`choose(0)`: there is nothing to choose from");
        match &mut self.way {
            Way::Checked(outbox) if outbox.choices.allowed => outbox.choices.choose(n),
            Way::Checked(outbox) => {
                let what = "calls `choose`; `Actor::chooses` must return true for this message";
                outbox.tables.misused(what);
                0
            }
            Way::Hosted(_, host) => host.choose(n),
        }
    }

    /// Outside of a check nobody looks at histories.
    pub(crate) fn record(&mut self, recorded: Recorded) {
        if let Way::Checked(outbox) = &mut self.way {
            outbox.sent.recorded.push(recorded);
        }
    }

    /// Creates an actor.
    pub fn create<B: Actor>(&mut self, actor: B) -> Address<B> {
        self.create_as(actor, None)
    }

    /// Creates an actor that counterexamples call by `name`.
    pub fn create_named<B: Actor>(&mut self, name: &str, actor: B) -> Address<B> {
        self.create_as(actor, Some(name))
    }

    fn create_as<B: Actor>(&mut self, actor: B, name: Option<&str>) -> Address<B> {
        match &mut self.way {
            Way::Checked(outbox) => outbox.create(actor, name),
            Way::Hosted(_, host) => Address::new(host.create(Box::new(actor)), Origin::HOSTED),
        }
    }
}

/// Collects what one step, or the start, sends and creates.
pub(crate) struct Outbox<'a> {
    pub tables: &'a Tables,
    pub run: &'a Run,
    pub sent: &'a mut Sent,
    pub choices: &'a mut Choices,
}

/// What a handler does with a timer.
#[derive(Clone)]
pub(crate) enum Timed {
    Set(SetTimer),
    Cancel(usize),
}

/// A timer that is set.
#[derive(Clone)]
pub(crate) struct SetTimer {
    pub timer: usize,
    pub after: u64,
    pub content: Rc<dyn ErasedMessage>,
    pub at: &'static Location<'static>,
}

impl Timed {
    /// Stands for what it says.
    pub fn hash(&self) -> u128 {
        match self {
            Timed::Set(set) => Hash128::of((set.timer, set.after, set.content.hash128())),
            Timed::Cancel(timer) => Hash128::of(timer),
        }
    }
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
    pub timers: Vec<Timed>,
    pub recorded: Vec<Recorded>,
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
            timers: Vec::new(),
            recorded: Vec::new(),
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
        let mut slot = Slot::new(id, class, State::new(actor), name.map(Rc::from));
        if !B::TIMERS.is_empty() {
            self.tables.meet_timers(self.sent.parent.is_none());
            slot.life = Some(Rc::new(self.tables.life(&slot, B::TIMERS.len())));
        }
        self.sent.actors.push(slot);
        Address::new(id, self.tables.origin)
    }

    #[track_caller]
    pub fn send<B: Actor>(&mut self, to: Address<B>, message: B::Message, at: &'static Location<'static>) {
        let created = self.sent.actors.iter().find(|s| s.id == to.id);
        let slot = created.or_else(|| self.run.place(to.id).map(|at| &self.run.actors[at]));
        let of_type = |s: &Slot| s.state.actor.as_any().type_id() == TypeId::of::<B>();
        let known = to.origin == self.tables.origin && slot.is_some_and(of_type);
        assert!(known, "{message:?} is sent to an actor {FOREIGN}");
        let nth = self.sent.first_message + self.sent.messages.len() as u32;
        let id = match self.sent.parent {
            None => self.tables.messages.root(nth),
            Some(parent) => self.tables.messages.child(parent, nth),
        };
        let content = Rc::new(For::<B>(message));
        self.sent
            .messages
            .push(Rc::new(Envelope::new(id, (self.sent.me, to.id), content, at)));
    }

    /// The number of a timer of the actor that handles the message.
    fn timer<A: Actor>(&self, name: &str) -> Option<usize> {
        let found = A::TIMERS.iter().position(|known| *known == name);
        if found.is_none() {
            let known = A::TIMERS.join("`, `");
            let of = short_type_name::<A>();
            self.tables.misused(&format!(
                "names the timer `{name}`, and the timers of {of} are [{}]; add it to `TIMERS`",
                if known.is_empty() { String::new() } else { format!("`{known}`") }
            ));
        }
        found
    }
}
