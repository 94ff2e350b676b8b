//! A closed system of actors: who exists and what is under way at the start.

use crate::actor::Actor;
use crate::address::Address;
use crate::choices::{self, Choices};
use crate::context::{FOREIGN, Outbox, Sent, SetTimer};
use crate::declarations::Memory;
use crate::delivery::Delivery;
use crate::determinism::Sampling;
use crate::erased::For;
use crate::faults::{Crashes, Duplicates, Faults, Losses, Partitions};
use crate::invariants::Invariant;
use crate::knowledge::Knowledge;
use crate::life::Life;
use crate::network::Network;
use crate::promises::Promise;
use crate::run::{Run, START};
use crate::selection::Selection;
use crate::symmetry::Symmetry;
use crate::tables::Tables;
use crate::world::{End, World};
use mazurka_core::Dependency;
use std::panic::Location;
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
    pub(crate) end_knows: Knowledge,
    /// Which actors are interchangeable.
    pub(crate) symmetry: Symmetry,
    pub(crate) sampling: Sampling,
    pub(crate) memory: Memory,
    pub(crate) faults: Faults,
    pub(crate) invariants: Vec<Invariant>,
    pub(crate) promises: Vec<Promise>,
    /// Whether timers fire in the order of their times.
    pub(crate) has_clock: bool,
    /// Whether messages are faster than timers.
    pub(crate) has_fast_messages: bool,
    /// Whether clients record what they ask and are answered.
    pub(crate) has_history: bool,
    pub(crate) known_choices: choices::Known,
    /// Whether steps are shown with the place in the source where their messages were sent.
    pub(crate) shows_positions: bool,
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
            .map(|nth| Address::new(self.tables.actors.root(nth as u32), self.tables.origin))
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
    #[track_caller]
    pub fn send<A: Actor>(&mut self, to: Address<A>, message: A::Message) {
        let at = Location::caller();
        let known = to.origin == self.tables.origin && self.start.place(to.id).is_some();
        assert!(known, "{message:?} is sent to an actor {FOREIGN}");
        self.at_start(|outbox| outbox.send(to, message, at));
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
        self.end_knows = Knowledge::of(&check);
        self.at_end = Some(Rc::new(check));
        self
    }

    /// A timer that is set from the start; see [`Context::set_timer`](crate::Context::set_timer).
    ///
    /// # Panics
    /// If the actor's [`TIMERS`](Actor::TIMERS) have no such name, or if the address comes from another system.
    #[track_caller]
    pub fn set_timer<A: Actor>(&mut self, of: Address<A>, timer: &str, after: u64, message: A::Message) {
        let nth = A::TIMERS.iter().position(|known| *known == timer);
        let Some(nth) = nth else {
            panic!("there is no timer `{timer}`: add it to `TIMERS` of the actor");
        };
        let set = SetTimer {
            timer: nth,
            after,
            content: Rc::new(For::<A>(message)),
            at: Location::caller(),
        };
        let place = self.known(of);
        if let Some(life) = self.start.actors[place].life.clone() {
            let mut life = Rc::unwrap_or_clone(life);
            self.set(of.id, &mut life.timers[nth], 0, &set);
            self.start.actors[place].life = Some(Rc::new(life));
        }
    }

    /// Says that handlers create actors with timers, though at the start there is none.
    #[must_use]
    pub fn with_timers(self) -> Self {
        self.tables.meet_timers(true);
        self
    }

    /// Timers fire in the order of their times, as if all actors had the same clock; of several at the same time any may be first. Messages still
    /// take any time. Without it timers fire at any time.
    ///
    /// # Panics
    /// If a timer was set before.
    #[must_use]
    pub fn virtual_clock(mut self) -> Self {
        let lives = || self.start.actors.iter().filter_map(|slot| slot.life.as_ref());
        let is_set = lives().flat_map(|life| &life.timers).any(|timer| timer.set.is_some());
        assert!(!is_set, "a timer was set before there was a clock: call `virtual_clock` first");
        self.has_clock = true;
        self
    }

    /// Messages take some time, and less than a unit of it: timers that are due at the same moment fire before what they send arrives, and no later timer
    /// fires while a message can be delivered. This is the world in which timeouts mean something, and in which protocols can be live at all.
    ///
    /// # Panics
    /// Without [`System::virtual_clock`].
    #[must_use]
    #[track_caller]
    pub fn fast_messages(mut self) -> Self {
        assert!(self.has_clock, "messages are fast by a clock: call `virtual_clock` first");
        self.has_fast_messages = true;
        self
    }

    /// Messages may get lost.
    #[must_use]
    pub fn may_lose(mut self, losses: Losses) -> Self {
        self.faults.losses = Some(losses);
        self.with_faults()
    }

    /// Messages may arrive twice.
    #[must_use]
    pub fn may_duplicate(mut self, duplicates: Duplicates) -> Self {
        self.faults.duplicates = Some(duplicates);
        self.with_faults()
    }

    /// Actors may crash, at any time between two messages. What is sent to one that is down gets lost when it arrives.
    ///
    /// # Panics
    /// If no actor is named, or one that comes from another system.
    #[must_use]
    #[track_caller]
    pub fn may_crash(mut self, crashes: Crashes) -> Self {
        assert!(!crashes.actors.is_empty(), "say with `Crashes::of` which actors may crash");
        for &actor in &crashes.actors {
            let place = self.place_at_start(actor);
            let slot = &mut self.start.actors[place];
            let life = match slot.life.take() {
                Some(life) => Rc::unwrap_or_clone(life),
                None => self.tables.life(slot, 0),
            };
            let crashes = Some(self.tables.crashes(actor));
            slot.life = Some(Rc::new(Life { crashes, ..life }));
        }
        self.faults.crashes = Some(crashes);
        self.with_faults()
    }

    /// Actors may be cut off from others for a while.
    ///
    /// # Panics
    /// If no actor is named, or more than 64 partitions are.
    #[must_use]
    #[track_caller]
    pub fn may_partition(mut self, partitions: Partitions) -> Self {
        let sides = partitions.sides.len();
        assert!(
            sides > 0,
            "say with `Partitions::around` or `Partitions::isolating` which actors may be cut off"
        );
        assert!(sides <= 64, "there can be 64 different partitions, not {sides}");
        self.faults.partitions = Some(partitions);
        self.with_faults()
    }

    fn with_faults(mut self) -> Self {
        self.start.network = Network::new(&self.faults);
        self
    }

    /// Something that is true in every configuration, from the start on and after every step. All actors may be looked at, so no two steps can be
    /// swapped without looking at what is between them: `optimal` has to try all orders of steps on different actors too. Where few actors are
    /// read, [`System::invariant_of`] costs less; a stateful search looks at all configurations anyway.
    ///
    /// ```should_panic
    /// # use mazurka_actors::{Actor, Context, System};
    /// # #[derive(Clone, Hash, Debug, Default)] struct Light { green: bool }
    /// # impl Actor for Light { type Message = bool; fn handle(&mut self, green: bool, _: &mut Context<Self>) { self.green = green; } }
    /// let mut system = System::new();
    /// let lights = [system.create(Light::default()), system.create(Light::default())];
    /// for light in lights {
    ///     system.send(light, true);
    ///     system.send(light, false);
    /// }
    /// let system = system.invariant("at most one light is green", move |world| world.states::<Light>().filter(|l| l.green).count() <= 1);
    /// system.check().assert_ok();
    /// ```
    #[must_use]
    pub fn invariant(self, name: &str, holds: impl Fn(&World<'_>) -> bool + 'static) -> Self {
        let knows = Knowledge::of(&holds);
        self.with_invariant(name, (Vec::new(), knows), holds)
    }

    /// As [`System::invariant`], of these actors only: steps of others have no order because of it.
    ///
    /// # Panics
    /// If no actor is named.
    #[must_use]
    #[track_caller]
    pub fn invariant_of<A: Actor>(self, name: &str, actors: &[Address<A>], holds: impl Fn(&World<'_>) -> bool + 'static) -> Self {
        assert!(!actors.is_empty(), "the invariant `{name}` reads no actor: nothing could change it");
        let knows = Knowledge::of(&holds);
        self.with_invariant(name, (actors.iter().map(|a| a.id).collect(), knows), holds)
    }

    #[track_caller]
    pub(crate) fn with_invariant(
        mut self,
        name: &str,
        (reads, knows): (Vec<u32>, Knowledge),
        holds: impl Fn(&World<'_>) -> bool + 'static,
    ) -> Self {
        assert!(self.invariants.len() < 64, "there can be 64 invariants; combine some");
        self.invariants.push(Invariant {
            name: name.into(),
            reads: reads.into(),
            holds: Rc::new(holds),
            knows,
        });
        self
    }

    /// The place of an actor that exists from the start.
    #[track_caller]
    pub(crate) fn known<A>(&self, actor: Address<A>) -> usize {
        assert!(actor.origin == self.tables.origin, "the actor is not one {FOREIGN}");
        self.place_at_start(actor.id)
    }

    #[track_caller]
    pub(crate) fn place_at_start(&self, actor: u32) -> usize {
        let place = self.start.place(actor);
        place.unwrap_or_else(|| panic!("the actor is not one {FOREIGN}"))
    }

    fn at_start<R>(&mut self, f: impl FnOnce(&mut Outbox<'_>) -> R) -> R {
        let mut sent = Sent::by(None, START);
        sent.first_actor = self.start.actors.len() as u32;
        sent.first_message = self.start.pending.len() as u32;
        let result = f(&mut Outbox {
            tables: &self.tables,
            run: &self.start,
            sent: &mut sent,
            choices: &mut Choices::default(),
        });
        self.start.actors.append(&mut sent.actors);
        self.start.pending.append(&mut sent.messages);
        result
    }
}
