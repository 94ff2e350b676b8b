//! Histories: what clients ask and what they are answered, for checks of linearizability and the like.
//!
//! A history says which responses came before which invocations. Two invocations in a row could come in either order, and so could two responses:
//! such steps need no order because of the history. So there is one history for each trace, and it is checked once.

use crate::actor::Actor;
use crate::context::Context;
use crate::hash::{Hash128, Tokens};
use crate::system::System;
use crate::world::World;
use mazurka_history::History;
use std::any::Any;
use std::fmt::Debug;
use std::hash::Hash;
use std::rc::Rc;

/// What the handler of a message may record; see [`Actor::records`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Records {
    /// Nothing.
    Nothing,
    /// Invocations.
    Invocations,
    /// Responses.
    Responses,
    /// Both.
    Both,
}

/// What is asked or answered, of any type.
trait Content: Any {
    fn as_any(&self) -> &dyn Any;
    fn hash_as(&self, tokens: &Tokens) -> u128;
}

impl<T: Hash + 'static> Content for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn hash_as(&self, tokens: &Tokens) -> u128 {
        tokens.hash(self)
    }
}

/// An invocation or a response.
#[derive(Clone)]
pub(crate) struct Recorded {
    pub client: u32,
    pub answers: bool,
    content: Rc<dyn Content>,
    pub hash: u128,
    /// How often responses followed invocations, or the other way round, before.
    pub phase: u32,
}

impl Recorded {
    pub(crate) fn new(client: u32, answers: bool, content: impl Hash + 'static) -> Self {
        Recorded {
            client,
            answers,
            hash: Hash128::of((client, answers, &content)),
            content: Rc::new(content),
            phase: 0,
        }
    }
}

/// What was recorded so far.
#[derive(Clone, Default)]
pub(crate) struct Record(Rc<Vec<Recorded>>);

impl Record {
    pub fn add(&mut self, mut recorded: Recorded) {
        let last = self.0.last();
        recorded.phase = last.map_or(0, |last| last.phase + u32::from(last.answers != recorded.answers));
        Rc::make_mut(&mut self.0).push(recorded);
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same whatever the order within a phase.
    pub fn hash(&self) -> u128 {
        let events = self.0.iter().map(|r| Hash128::of((r.hash, r.phase)));
        events.fold(0, u128::wrapping_add)
    }

    /// As [`Record::hash`], with these tokens in place of actors.
    pub fn hash_as(&self, tokens: &Tokens) -> u128 {
        let event = |r: &Recorded| Hash128::of((tokens.of(r.client), r.answers, r.content.hash_as(tokens), r.phase));
        self.0.iter().map(event).fold(0, u128::wrapping_add)
    }
}

impl<A: Actor> Context<'_, A> {
    /// Records that this actor, as a client, asks something of the system. [`Actor::records`] must say so, and the system be told by
    /// [`System::record_history`].
    pub fn invoke(&mut self, asked: impl Clone + Debug + Hash + 'static) {
        let recorded = Recorded::new(self.me().id, false, asked);
        self.record(recorded);
    }

    /// Records that this actor has the answer to what it asked last.
    pub fn respond(&mut self, answer: impl Clone + Debug + Hash + 'static) {
        let recorded = Recorded::new(self.me().id, true, answer);
        self.record(recorded);
    }
}

impl System {
    /// Keeps the history that clients record by [`Context::invoke`] and [`Context::respond`], for [`World::history`].
    #[must_use]
    pub fn record_history(mut self) -> Self {
        self.has_history = true;
        self
    }
}

impl World<'_> {
    /// The history that was recorded, with questions of type `O` and answers of type `A`. Only [`System::at_end`] can ask for it.
    ///
    /// ```
    /// # use mazurka_actors::{Actor, Address, Context, Records, System};
    /// use mazurka_history::{History, ReadWrite, Register};
    /// # #[derive(Clone, Hash, Debug, Default)] struct Cell(Option<u8>);
    /// # #[derive(Clone, Hash, Debug)] enum ToCell { Write(u8, Address<Client>), Read(Address<Client>) }
    /// # impl Actor for Cell {
    /// #     type Message = ToCell;
    /// #     fn handle(&mut self, message: ToCell, context: &mut Context<Self>) {
    /// #         match message {
    /// #             ToCell::Write(n, to) => { self.0 = Some(n); context.send(to, ToClient::Done(None)); }
    /// #             ToCell::Read(to) => context.send(to, ToClient::Done(self.0)),
    /// #         }
    /// #     }
    /// # }
    /// # #[derive(Clone, Hash, Debug)] struct Client { cell: Address<Cell> }
    /// #[derive(Clone, Hash, Debug)]
    /// enum ToClient { Ask(Option<u8>), Done(Option<u8>) }
    ///
    /// impl Actor for Client {
    ///     type Message = ToClient;
    ///     fn handle(&mut self, message: ToClient, context: &mut Context<Self>) {
    ///         match message {
    ///             ToClient::Ask(Some(n)) => {
    ///                 context.invoke(ReadWrite::Write(n));
    ///                 context.send(self.cell, ToCell::Write(n, context.me()));
    ///             }
    ///             ToClient::Ask(None) => {
    ///                 context.invoke(ReadWrite::<u8>::Read);
    ///                 context.send(self.cell, ToCell::Read(context.me()));
    ///             }
    ///             ToClient::Done(answer) => context.respond(answer),
    ///         }
    ///     }
    ///     fn records(message: &ToClient) -> Records {
    ///         match message {
    ///             ToClient::Ask(_) => Records::Invocations,
    ///             ToClient::Done(_) => Records::Responses,
    ///         }
    ///     }
    /// }
    ///
    /// let mut system = System::new();
    /// let cell = system.create(Cell::default());
    /// for ask in [Some(1), None, Some(2)] {
    ///     let client = system.create(Client { cell });
    ///     system.send(client, ToClient::Ask(ask));
    /// }
    /// let system = system.record_history().at_end(|end| {
    ///     let history: History<ReadWrite<u8>, Option<u8>> = end.history();
    ///     if let Err(why) = history.linearizable(&Register::default()) {
    ///         panic!("{why}");
    ///     }
    /// });
    /// system.check().assert_ok();
    /// ```
    ///
    /// # Panics
    /// If something of another type was recorded, or a client answered what it was not asked.
    #[track_caller]
    pub fn history<O: Clone + Debug + 'static, A: Clone + Debug + 'static>(&self) -> History<O, A> {
        assert!(self.only.is_none(), "an invariant cannot ask for the history; `at_end` can");
        let mut history = History::new();
        let mut open = std::collections::BTreeMap::new();
        for recorded in &*self.run.record.0 {
            let client = self.name(recorded.client);
            if recorded.answers {
                let answer = (*recorded.content).as_any().downcast_ref::<A>();
                let answer = answer.unwrap_or_else(|| panic!("{client} recorded an answer that is no {}", std::any::type_name::<A>()));
                let id = open.remove(&recorded.client);
                history.respond(
                    id.unwrap_or_else(|| panic!("{client} has an answer and no question")),
                    answer.clone(),
                );
            } else {
                let asked = (*recorded.content).as_any().downcast_ref::<O>();
                let asked = asked.unwrap_or_else(|| panic!("{client} recorded a question that is no {}", std::any::type_name::<O>()));
                open.insert(recorded.client, history.invoke(&client, asked.clone()));
            }
        }
        history
    }

    fn name(&self, actor: u32) -> String {
        let slot = self.run.place(actor).map(|place| &self.run.actors[place]);
        let given = slot.and_then(|slot| slot.name.as_ref());
        given.map_or_else(|| format!("client {}", self.tables.actor_path(actor)), |name| name.to_string())
    }
}

impl Records {
    /// Whether it may be what was recorded.
    pub(crate) fn allows(self, answers: bool) -> bool {
        match self {
            Records::Nothing => false,
            Records::Invocations => !answers,
            Records::Responses => answers,
            Records::Both => true,
        }
    }
}
