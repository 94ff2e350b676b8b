//! A closed system of actors: who exists and what is under way at the start.

use crate::actor::Actor;
use crate::address::Address;
use crate::context::{Outbox, Sent};
use crate::declarations::Memory;
use crate::delivery::Delivery;
use crate::determinism::Sampling;
use crate::run::{Run, START, Slot};
use crate::selection::Selection;
use crate::tables::Tables;
use mazurka_core::Dependency;
use std::rc::Rc;

/// A closed system of actors: what exists and what is under way at the start, and how messages are delivered.
///
/// It is a [`mazurka_core::Program`] in which a *process* is one message on its way and being handled.
#[derive(Default)]
pub struct System {
    pub(crate) tables: Tables,
    pub(crate) start: Run,
    pub(crate) delivery: Delivery,
    pub(crate) dependency: Dependency,
    pub(crate) selection: Selection,
    pub(crate) at_end: Option<EndCheck>,
    pub(crate) sampling: Sampling,
    pub(crate) memory: Memory,
}

/// Looks at a final configuration and panics if it is wrong.
pub(crate) type EndCheck = Rc<dyn Fn(&End<'_>)>;

impl System {
    /// An empty system: unordered delivery, a whole actor is one location.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an actor that exists from the start.
    pub fn create<A: Actor>(&mut self, actor: A) -> Address<A> {
        self.at_start(|outbox| outbox.create(actor, None))
    }

    /// Creates an actor that exists from the start and that counterexamples call by `name`.
    pub fn create_named<A: Actor>(&mut self, name: &str, actor: A) -> Address<A> {
        self.at_start(|outbox| outbox.create(actor, Some(name)))
    }

    /// Creates `n` actors that may know each other, named `name 0`, `name 1`, …: `build` gets all their addresses and a number.
    ///
    /// ```
    /// # use mazurka_actors::{Actor, Address, Context, System};
    /// # #[derive(Clone, Hash, Debug)] struct Node { right: Address<Node> }
    /// # impl Actor for Node { type Message = u32; fn handle(&mut self, _: u32, _: &mut Context<Self>) {} }
    /// let mut system = System::new();
    /// let ring = system.create_many("node", 3, |nodes, nth| Node { right: nodes[(nth + 1) % 3] });
    /// system.send(ring[0], 7);
    /// ```
    pub fn create_many<A: Actor>(&mut self, name: &str, n: usize, mut build: impl FnMut(&[Address<A>], usize) -> A) -> Vec<Address<A>> {
        let first = self.start.actors.len();
        let addresses: Vec<Address<A>> = (first..first + n)
            .map(|nth| Address::new(self.tables.actors.root(nth as u32)))
            .collect();
        for nth in 0..n {
            self.create_named(&format!("{name} {nth}"), build(&addresses, nth));
        }
        addresses
    }

    /// Puts a message under way from the start.
    ///
    /// # Panics
    /// If the address comes from another system.
    pub fn send<A: Actor>(&mut self, to: Address<A>, message: A::Message) {
        self.at_start(|outbox| outbox.send(to, message));
    }

    /// Chooses in which order messages may be delivered.
    pub fn deliver(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    /// Chooses how finely steps on one actor are told apart.
    pub fn dependency(mut self, dependency: Dependency) -> Self {
        self.dependency = dependency;
        self
    }

    /// Chooses how `--order stable` breaks ties.
    pub fn selection(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Adds a check of every final configuration (nothing enabled any more). It fails by panicking, usually through `assert!`.
    ///
    /// ```should_panic
    /// # use mazurka_actors::{Actor, Context, System};
    /// # #[derive(Clone, Hash, Debug, Default)] struct Last(u32);
    /// # impl Actor for Last { type Message = u32; fn handle(&mut self, m: u32, _: &mut Context<Self>) { self.0 = m; } }
    /// let mut system = System::new();
    /// let last = system.create(Last::default());
    /// system.send(last, 1);
    /// system.send(last, 2);
    /// system.at_end(move |end| assert_eq!(end.state(last).0, 2)).check().assert_ok();
    /// ```
    pub fn at_end(mut self, check: impl Fn(&End<'_>) + 'static) -> Self {
        self.at_end = Some(Rc::new(check));
        self
    }

    fn at_start<R>(&mut self, f: impl FnOnce(&mut Outbox<'_>) -> R) -> R {
        let mut sent = Sent::by(None, START);
        sent.first_actor = self.start.actors.len() as u32;
        sent.first_message = self.start.pending.len() as u32;
        let result = f(&mut Outbox {
            tables: &self.tables,
            run: &self.start,
            sent: &mut sent,
        });
        self.start.actors.append(&mut sent.actors);
        self.start.pending.append(&mut sent.messages);
        result
    }
}

/// A final configuration, for [`System::at_end`].
pub struct End<'a> {
    pub(crate) run: &'a Run,
    pub(crate) tables: &'a Tables,
}

impl End<'_> {
    /// The final state of an actor.
    ///
    /// # Panics
    /// If the address comes from another system.
    pub fn state<A: Actor>(&self, of: Address<A>) -> &A {
        let actor = self.run.place(of.id).map(|at| self.run.actors[at].state.actor.as_any());
        match actor.and_then(|actor| actor.downcast_ref()) {
            Some(state) => state,
            None => panic!("the state of an actor is asked that this system never created: its address comes from another system"),
        }
    }

    /// The final states of all actors of a type: first those that exist from the start, then the others in the order of the messages
    /// whose handlers created them. It is the same order in every execution, whichever of them was created first.
    pub fn states<A: Actor>(&self) -> impl Iterator<Item = &A> {
        let mut slots: Vec<&Slot> = self.run.actors.iter().collect();
        slots.sort_by_cached_key(|slot| self.tables.actor_birth(slot.id));
        slots.into_iter().filter_map(|s| s.state.actor.as_any().downcast_ref())
    }

    /// How many messages wait for ever because their receivers do not accept them.
    pub fn waiting(&self) -> usize {
        self.run.pending.len()
    }
}
