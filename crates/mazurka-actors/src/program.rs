//! A system of actors as the engine sees it: a process is a message, a location an actor or one of its fields.

use crate::context::{Outbox, Sent};
use crate::delivery::Delivery;
use crate::determinism;
use crate::erased::{ErasedActor, State, kind};
use crate::panics::catch;
use crate::run::{Envelope, Run};
use crate::system::{End, System};
use crate::tables::Owner;
use mazurka_core::{
    Actors, Dependency, Effects, Failure, FailureKind, Features, Fingerprint, Footprint, Insights, Instruments, Location, Method, Order,
    Pending, Process, Program, Transition,
};
use smallvec::SmallVec;
use std::rc::Rc;

impl Program for System {
    type State = Run;

    fn start(&self) -> Run {
        self.start.clone()
    }

    /// Receivers in the order of their oldest enabled message, the messages of one receiver together, oldest first.
    fn pending(&self, run: &Run, out: &mut Vec<Pending>) {
        let enabled: SmallVec<[bool; 32]> = (0..run.pending.len()).map(|at| self.is_enabled(run, at)).collect();
        let mut listed: SmallVec<[bool; 32]> = SmallVec::from_elem(false, run.pending.len());
        for only_enabled in [true, false] {
            for at in 0..run.pending.len() {
                if listed[at] || (only_enabled && !enabled[at]) {
                    continue;
                }
                let receiver = run.pending[at].receiver;
                for (other, envelope) in run.pending.iter().enumerate() {
                    if envelope.receiver == receiver && !listed[other] {
                        listed[other] = true;
                        out.push(Pending {
                            transition: Transition::of(Process(envelope.id)),
                            enabled: enabled[other],
                        });
                    }
                }
            }
        }
    }

    fn footprint(&self, run: &Run, transition: Transition, out: &mut Footprint) {
        let envelope = run.envelope(transition.process.0).expect("asked for a pending message");
        let constrained = self.is_constrained(run, envelope);
        let guarded = constrained || self.delivery != Delivery::Unordered;
        match (self.dependency, self.delivery) {
            (Dependency::Field, Delivery::Unordered) => self.add_fields(envelope, constrained, out),
            (Dependency::Field, Delivery::PairFifo) => {
                self.add_fields(envelope, constrained, out);
                let channel = self.tables.of(Owner::Channel(envelope.sender, envelope.receiver));
                out.guard(channel);
                out.update(channel);
                if self.called_classes(run, envelope).is_none_or(|c| !c.is_empty()) {
                    out.update(self.tables.of(Owner::Outbox(envelope.receiver)));
                }
            }
            (Dependency::Actor, _) | (Dependency::Field, Delivery::MailboxFifo) => {
                // In a FIFO mailbox the messages of one actor are in order anyway: fields would tell nothing apart.
                let whole = self.tables.whole(envelope.receiver);
                if guarded {
                    out.guard(whole);
                }
                out.update(whole);
            }
        }
        if self.delivery == Delivery::MailboxFifo {
            self.add_arrivals(run, envelope, out);
        }
        out.monotone_guard = guarded && !constrained;
    }

    fn step(&self, run: &mut Run, transition: Transition, effects: &mut Effects) {
        let at = run
            .pending
            .iter()
            .position(|e| e.id == transition.process.0)
            .expect("an enabled message is pending");
        let envelope = run.pending.remove(at);
        let place = run.place(envelope.receiver).expect("a message's receiver exists");
        let outcome = self.handle(run, place, &envelope);
        let closely = self.sampling.now();
        if closely {
            self.check_declaration(run, place, &envelope, &outcome);
        }
        let twice = closely.then(|| self.handle(run, place, &envelope));
        run.last = place as u32;
        match outcome {
            Err(failure) => {
                // Once more for the message: it may contain addresses, which are then called by name.
                let failure = self.show(run, || self.handle(run, place, &envelope).err()).unwrap_or(failure);
                run.failed = run.failed.wrapping_add(crate::hash::Hash128::of((envelope.id, &failure)));
                effects.failure = Some(failure);
            }
            Ok((state, mut sent)) => {
                if closely || self.delivery != Delivery::Unordered {
                    self.check_sends(run, &envelope, &sent);
                }
                effects.failure = twice.and_then(|again| self.compare(run, &envelope, (&state, &sent), again));
                run.actors[place].state = state;
                run.actors.append(&mut sent.actors);
                effects.births.extend(sent.messages.iter().map(|e| Process(e.id)));
                run.pending.append(&mut sent.messages);
            }
        }
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
            sum = sum.wrapping_add(crate::hash::Hash128::of((slot.identity, slot.state.hash())));
        }
        for (at, envelope) in run.pending.iter().enumerate() {
            let rank = match self.delivery {
                Delivery::Unordered => 0,
                Delivery::PairFifo => run.pending[..at]
                    .iter()
                    .filter(|e| e.receiver == envelope.receiver && e.sender == envelope.sender)
                    .count(),
                Delivery::MailboxFifo => run.pending[..at].iter().filter(|e| e.receiver == envelope.receiver).count(),
            };
            sum = sum.wrapping_add(match rank {
                0 => envelope.hash().rotate_left(64),
                rank => crate::hash::Hash128::of((rank, envelope.hash())),
            });
        }
        sum
    }

    fn failures_at_end(&self, run: &Run, out: &mut Vec<Failure>) {
        let end = End { run, tables: &self.tables };
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
        Features {
            static_footprints: true,
            static_alternatives: true,
            one_location_per_step: self.dependency == Dependency::Actor && self.delivery != Delivery::MailboxFifo,
            terminating: true,
            actors: self.delivery != Delivery::MailboxFifo,
        }
    }

    fn insights(&self) -> Insights<'_, Run> {
        Insights {
            futures: Some(self),
            actors: Some(self),
            instruments: Some(self),
            ..Insights::default()
        }
    }
}

impl Actors<Run> for System {
    fn actor(&self, run: &Run, transition: Transition) -> Option<u32> {
        run.envelope(transition.process.0).map(|e| e.receiver)
    }

    fn precedence(&self, run: &Run, order: Order, transition: Transition) -> Option<u64> {
        let receiver = run.envelope(transition.process.0)?.receiver;
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

/// A handled message: the new state of its actor, and what was sent and created.
pub(crate) type Handled = Result<(Rc<State<dyn ErasedActor>>, Sent), Failure>;

impl System {
    pub(crate) fn is_enabled(&self, run: &Run, at: usize) -> bool {
        let envelope = &run.pending[at];
        self.delivery.allows(run, at) && self.is_accepted(run, envelope)
    }

    /// Runs the handler of a message on a copy of its actor; a panic leaves nothing behind.
    pub(crate) fn handle(&self, run: &Run, place: usize, envelope: &Envelope) -> Handled {
        let slot = &run.actors[place];
        catch(|| {
            if envelope.constrained.get() != Some(&false) {
                slot.state.actor.accepts(&*envelope.content);
            }
            let mut sent = Sent::by(Some(envelope.id), slot.id);
            let mut state = slot.state.actor.duplicate();
            let outbox = Outbox {
                tables: &self.tables,
                run,
                sent: &mut sent,
            };
            Rc::get_mut(&mut state)
                .expect("a fresh copy")
                .actor
                .handle(&*envelope.content, outbox);
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

    fn called_classes(&self, run: &Run, envelope: &Envelope) -> Option<Vec<mazurka_core::Class>> {
        let method = self.method(run, envelope);
        self.tables.classes.borrow().graph.called_classes(method)
    }

    /// What the handler of a message and its constraint declare to touch.
    pub(crate) fn fields<'e>(&self, envelope: &'e Envelope, constrained: bool) -> &'e Footprint {
        envelope.fields.get_or_init(|| {
            let mut fields = Footprint::new();
            envelope.content.touches(&self.tables, envelope.receiver, constrained, &mut fields);
            fields
        })
    }

    fn add_fields(&self, envelope: &Envelope, constrained: bool, out: &mut Footprint) {
        for &access in self.fields(envelope, constrained).accesses() {
            out.add(access);
        }
    }

    /// In a FIFO mailbox the order of arrival counts: steps that may send to one actor are not to be swapped.
    fn add_arrivals(&self, run: &Run, envelope: &Envelope, out: &mut Footprint) {
        let anywhere = self.tables.of(Owner::Arrivals(u32::MAX));
        match self.called_classes(run, envelope) {
            None => out.update(anywhere),
            Some(classes) => {
                for class in classes {
                    out.read(anywhere);
                    out.update(self.tables.of(Owner::Arrivals(class.0)));
                }
            }
        }
    }

    /// Looks for a difference between two runs of a handler.
    fn compare(&self, run: &Run, envelope: &Envelope, first: (&Rc<State<dyn ErasedActor>>, &Sent), again: Handled) -> Option<Failure> {
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

    /// Looks for a message that the declared call graph does not know. In the FIFO deliveries the order of steps rests on it.
    fn check_sends(&self, run: &Run, envelope: &Envelope, sent: &Sent) {
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
