//! A system of actors as the engine sees it: a process is a message, a location an actor or one of its fields.

use crate::choices::{self, Choices};
use crate::context::{Outbox, Sent};
use crate::delivery::Delivery;
use crate::determinism;
use crate::erased::{ErasedActor, State, kind};
use crate::panics::catch;
use crate::run::{Envelope, Run, Slot};
use crate::subject::Subject;
use crate::system::System;
use crate::tables::Owner;
use crate::world::World;
use mazurka_core::{
    Actors, Dependency, Effects, Failure, FailureKind, Features, Fingerprint, Footprint, Futures, Insights, Instruments, Location, Method,
    Mode, Order, Pending, Program, Transition,
};
use std::rc::Rc;

impl Program for System {
    type State = Run;

    fn start(&self) -> Run {
        self.start.clone()
    }

    fn pending(&self, run: &Run, out: &mut Vec<Pending>) {
        self.pending_messages(run, out);
        if self.is_more_than_messages() {
            self.pending_timers(run, out);
            self.pending_faults(run, out);
        }
    }

    fn footprint(&self, run: &Run, transition: Transition, out: &mut Footprint) {
        if let Some(subject) = self.subject(run, transition.process.0) {
            self.touch(run, &subject, out);
        }
    }

    fn step(&self, run: &mut Run, transition: Transition, effects: &mut Effects) {
        self.take(run, transition, effects);
        if let Some(message) = self.wrong_declaration() {
            // A search that is not run by a `Check` must not look like one that succeeded.
            effects.failure = Some(Failure {
                kind: FailureKind::Panic,
                message,
                at: None,
            });
        }
    }

    fn fingerprint(&self, run: &Run) -> Fingerprint {
        // Sums do not depend on the order of creation and sending; where that order matters (FIFO) it is hashed in.
        let mut sum = run.failed;
        for slot in &run.actors {
            sum = sum.wrapping_add(match &slot.life {
                None => crate::hash::Hash128::of((slot.identity, slot.state.hash())),
                Some(life) => crate::hash::Hash128::of((slot.identity, slot.state.hash(), life.hash(run.now))),
            });
        }
        if self.faults.any() {
            sum = sum.wrapping_add(run.network.hash());
        }
        sum = sum.wrapping_add(run.past_hash());
        for (at, envelope) in run.pending.iter().enumerate() {
            let rank = self.delivery.rank(run, at);
            sum = sum.wrapping_add(match rank {
                0 => envelope.hash().rotate_left(64),
                rank => crate::hash::Hash128::of((rank, envelope.hash())),
            });
        }
        sum
    }

    fn failures_at_end(&self, run: &Run, out: &mut Vec<Failure>) {
        let end = World::of(run, &self.tables);
        if let Some(check) = &self.at_end
            && let Err(failure) = catch(|| check(&end))
        {
            // Once more for the message: it may contain addresses, which are then called by name.
            out.push(self.show(run, || catch(|| check(&end)).err()).unwrap_or(failure));
        }
        let message = match run.pending.len() {
            0 => return,
            1 => "a message is never accepted".to_owned(),
            n => format!("{n} messages are never accepted"),
        };
        out.push(Failure {
            kind: FailureKind::Deadlock,
            message,
            at: None,
        });
    }

    fn features(&self) -> Features {
        let actors_only = !self.faults.any()
            && !self.has_clock
            && !self.has_history
            && self.invariants.is_empty()
            && self.delivery != Delivery::MailboxFifo;
        Features {
            static_footprints: true,
            static_alternatives: true,
            one_location_per_step: self.dependency == Dependency::Actor && actors_only,
            // Messages are named by their places of birth, and timers count how often they were set.
            terminating: true,
            actors: actors_only,
            names_given_again: false,
        }
    }

    fn insights(&self) -> Insights<'_, Run> {
        Insights {
            // What timers and faults lead to is not declared.
            futures: (!self.is_more_than_messages() && !self.has_history).then_some(self as &dyn Futures<Run>),
            actors: Some(self),
            names: Some(&self.tables.messages),
            objects: Some(&self.tables.actors),
            instruments: Some(self),
            ..Insights::default()
        }
    }
}

impl Actors<Run> for System {
    fn actor(&self, run: &Run, transition: Transition) -> Option<u32> {
        match self.subject(run, transition.process.0)? {
            Subject::Message(envelope) | Subject::Loss(envelope) | Subject::Doubling(envelope) => Some(envelope.receiver),
            Subject::Timer(place, _) | Subject::Crashes(place) => Some(run.actors[place].id),
            Subject::Partition(_) | Subject::Calm => None,
        }
    }

    fn precedence(&self, run: &Run, order: Order, transition: Transition) -> Option<u64> {
        let receiver = self.actor(run, transition)?;
        let place = run.place(receiver)? as u64;
        match order {
            Order::Eca => Some(place),
            Order::Lca => Some(u64::from(u32::MAX) - place),
            Order::Stable => Some(self.stable_precedence(run, place as u32)),
            Order::Fifo | Order::Random(_) => None,
        }
    }
}

impl Instruments<Run> for System {
    fn perturb(&self, run: &mut Run, location: Location, seed: u64) -> bool {
        self.perturb_field(run, location, seed)
    }
}

/// The new state of an actor.
pub(crate) type NewState = Rc<State<dyn ErasedActor>>;
/// A handled message: the new state of its actor, and what was sent and created.
pub(crate) type Handled = Result<(NewState, Sent), Failure>;

impl System {
    /// Runs the handler of a message on a copy of its actor; a panic leaves nothing behind.
    pub(crate) fn handle(&self, run: &Run, place: usize, envelope: &Envelope, choice: u32) -> Handled {
        if !envelope.content.chooses() {
            return self.handle_choosing(run, place, envelope, &mut Choices::default());
        }
        let alternatives = self.alternatives(run, place, envelope);
        if alternatives.len() > choices::MOST {
            return Err(Failure {
                kind: FailureKind::Limit,
                message: format!(
                    "the handler of {} on {:?} chooses among more than {} alternatives",
                    self.actor_name(run, envelope.receiver),
                    envelope.content.as_debug(),
                    choices::MOST
                ),
                at: None,
            });
        }
        let script = alternatives.get(choice as usize).map_or(&[][..], |script| script);
        self.handle_choosing(run, place, envelope, &mut Choices::as_told(script, true))
    }

    /// Runs the handler, which chooses what it is told.
    pub(crate) fn handle_choosing(&self, run: &Run, place: usize, envelope: &Envelope, choices: &mut Choices) -> Handled {
        let slot = &run.actors[place];
        self.handle_as(run, envelope.id, slot, &slot.state, choices, |actor, outbox| {
            if envelope.constrained.get() != Some(&false) {
                actor.accepts(&*envelope.content);
            }
            actor.handle(&*envelope.content, outbox);
        })
    }

    /// Runs user code on a copy of `state`, as the step of an actor in which everything that it sends and creates is named by `event`.
    pub(crate) fn handle_as(
        &self,
        run: &Run,
        event: u32,
        slot: &Slot,
        state: &NewState,
        choices: &mut Choices,
        f: impl FnOnce(&mut dyn ErasedActor, Outbox<'_>),
    ) -> Handled {
        catch(|| {
            let mut sent = Sent::by(Some(event), slot.id);
            let mut state = state.actor.duplicate();
            let outbox = Outbox {
                tables: &self.tables,
                run,
                sent: &mut sent,
                choices,
            };
            f(&mut Rc::get_mut(&mut state).expect("a fresh copy").actor, outbox);
            (state, sent)
        })
    }

    /// The method that stands for the handler of a message in the call graph.
    pub(crate) fn method(&self, run: &Run, envelope: &Envelope) -> Method {
        *envelope.method.get_or_init(|| {
            let class = run.slot(envelope.receiver).class;
            self.tables.classes.borrow_mut().graph.method(class, &kind(&*envelope.content))
        })
    }

    /// What the handler of a message and its constraint declare to touch.
    pub(crate) fn fields<'e>(&self, envelope: &'e Envelope, constrained: bool) -> &'e Footprint {
        envelope.fields.get_or_init(|| {
            let mut fields = Footprint::new();
            envelope.content.touches(&self.tables, envelope.receiver, constrained, &mut fields);
            fields
        })
    }

    /// Looks for a difference between two runs of a handler.
    pub(crate) fn compare(
        &self,
        run: &Run,
        envelope: &Envelope,
        first: (&Rc<State<dyn ErasedActor>>, &Sent),
        again: Handled,
    ) -> Option<Failure> {
        let handler = || format!("{} on {:?}", self.actor_name(run, envelope.receiver), envelope.content.as_debug());
        let difference = match again {
            Ok((state, sent)) => determinism::difference((first.0, first.1), (&state, &sent)),
            Err(failure) => Some(format!("the second time it failed: {}", failure.message)),
        };
        difference.map(|difference| Failure {
            kind: FailureKind::Nondeterminism,
            message: format!("the handler of {} is nondeterministic: {difference}", handler()),
            at: None,
        })
    }

    /// A handler changed a state that it was given a copy of.
    pub(crate) fn shared_state(&self, run: &Run, envelope: &Envelope) -> Failure {
        let actor = self.actor_name(run, envelope.receiver);
        let message = self.show(run, || format!("{:?}", envelope.content.as_debug()));
        Failure {
            kind: FailureKind::Nondeterminism,
            message: format!(
                "the handler of {actor} on {message} also changes the state that the actor had before: a clone of the state shares something \
                 with it, such as an `Rc<Cell>`"
            ),
            at: None,
        }
    }

    /// Looks for invocations and responses that a handler does not declare.
    pub(crate) fn check_records(&self, run: &Run, envelope: &Envelope, sent: &Sent) {
        let declared = envelope.content.records();
        if sent.recorded.is_empty() {
            return;
        }
        if !self.has_history {
            self.accuse(
                run,
                envelope,
                "handler",
                "records history, which the system is not told: call `System::record_history`",
            );
        } else if !sent.recorded.iter().all(|recorded| declared.allows(recorded.answers)) {
            self.accuse(
                run,
                envelope,
                "handler",
                "records what `Actor::records` does not declare for this message",
            );
        }
    }

    /// Looks for timers that a handler uses and does not declare.
    pub(crate) fn check_timers(&self, run: &Run, envelope: &Envelope, sent: &Sent) {
        if sent.timers.is_empty() || self.dependency != Dependency::Field {
            return;
        }
        let everything = self.tables.whole(envelope.receiver);
        let timers = self.tables.of(Owner::Timers(envelope.receiver));
        let fields = self.fields(envelope, self.is_guarded(run, envelope)).accesses();
        let declared = fields
            .iter()
            .any(|a| a.mode == Mode::Write && (a.location == everything || a.location == timers));
        if !declared {
            let what = "sets or cancels a timer, which `touches` does not declare with `timers`";
            self.accuse(run, envelope, "handler", what);
        }
    }

    /// Looks for a message that the declared call graph does not know. In the FIFO deliveries the order of steps rests on it.
    pub(crate) fn check_sends(&self, run: &Run, envelope: &Envelope, sent: &Sent) {
        let from = self.method(run, envelope);
        if self.tables.classes.borrow().graph.is_open(from) {
            return;
        }
        for message in &sent.messages {
            let slot = sent.actors.iter().find(|s| s.id == message.receiver);
            let class = slot.map_or_else(|| run.slot(message.receiver).class, |s| s.class);
            let kind = kind(&*message.content);
            let mut classes = self.tables.classes.borrow_mut();
            let to = classes.graph.method(class, &kind);
            if !classes.graph.calls(from, to) {
                let class = classes.graph.class_name(class).to_owned();
                drop(classes);
                self.accuse(
                    run,
                    envelope,
                    "handler",
                    &format!("sends {kind} to {class}, which `sends` does not declare"),
                );
            }
        }
    }
}
