//! What each step of a system touches.
//!
//! Locations are actors or their fields, and what stands between steps besides: channels and mailboxes where messages are in order; of a message that
//! may get lost or be doubled, whether it is under way; how many faults of each kind may still happen; partitions; the clock; and what
//! invariants read. A loss touches its message and the budget of losses, so it has no order with deliveries of other messages.

use crate::delivery::Delivery;
use crate::faults::Fault;
use crate::recording::Records;
use crate::run::{Envelope, Run};
use crate::subject::Subject;
use crate::system::System;
use crate::tables::Owner;
use mazurka_core::{Class, Dependency, Footprint};

impl System {
    pub(crate) fn touch(&self, run: &Run, subject: &Subject<'_>, out: &mut Footprint) {
        if self.has_fast_messages {
            // Whatever happens may let time go on, or stop it.
            let clock = self.tables.of(Owner::Clock);
            out.guard(clock);
            out.update(clock);
        }
        match *subject {
            Subject::Message(envelope) => self.touch_by_message(run, envelope, out),
            Subject::Timer(place, _) => self.touch_by_event(run, place, true, out),
            Subject::Crashes(place) => {
                let up = run.actors[place].is_up();
                self.touch_by_event(run, place, false, out);
                if up {
                    self.touch_budget(Fault::Crash, out);
                }
            }
            Subject::Partition(nth) => {
                let partition = self.tables.of(Owner::Partition(nth as u32));
                if !run.network.is_cut(nth) {
                    self.touch_budget(Fault::Partition, out);
                }
                out.update(partition);
            }
            Subject::Calm => {
                for fault in Fault::ALL.into_iter().filter(|fault| self.faults.budget(*fault) > 0) {
                    out.update(self.tables.of(Owner::Budget(fault)));
                }
            }
            Subject::Loss(envelope) => {
                let message = self.tables.of(Owner::Message(envelope.id));
                out.guard(message);
                out.update(message);
                self.touch_budget(Fault::Loss, out);
                self.touch_queue(envelope, out);
            }
            Subject::Doubling(envelope) => {
                out.guard(self.tables.of(Owner::Message(envelope.id)));
                self.touch_budget(Fault::Duplicate, out);
                self.touch_queue(envelope, out);
            }
        }
    }

    fn touch_budget(&self, fault: Fault, out: &mut Footprint) {
        let budget = self.tables.of(Owner::Budget(fault));
        out.guard(budget);
        out.update(budget);
    }

    /// What is in the queue of a message changes.
    fn touch_queue(&self, envelope: &Envelope, out: &mut Footprint) {
        match (self.delivery, self.dependency) {
            (Delivery::Unordered, _) => {}
            (Delivery::PairFifo, Dependency::Field) => {
                out.update(self.tables.of(Owner::Channel(envelope.sender, envelope.receiver)));
            }
            _ => out.update(self.tables.whole(envelope.receiver)),
        }
    }

    /// A timer fires, or an actor crashes or restarts: anything in the actor may change, and anything may be sent.
    fn touch_by_event(&self, run: &Run, place: usize, guarded: bool, out: &mut Footprint) {
        let actor = run.actors[place].id;
        let whole = self.tables.whole(actor);
        if guarded {
            out.guard(whole);
        }
        out.update(whole);
        if self.dependency == Dependency::Field && self.delivery != Delivery::MailboxFifo {
            let timers = self.tables.of(Owner::Timers(actor));
            if guarded {
                out.guard(timers);
            }
            out.update(timers);
            let any = self.tables.any_field(actor);
            if guarded {
                // What a timer's handler chooses from depends on the state.
                out.guard(any);
            }
            out.update(any);
            if self.delivery == Delivery::PairFifo {
                out.update(self.tables.of(Owner::Outbox(actor)));
            }
        }
        if self.delivery == Delivery::MailboxFifo {
            out.update(self.tables.of(Owner::Arrivals(u32::MAX)));
        }
        if self.has_history {
            out.update(self.tables.of(Owner::History));
        }
        self.touch_around(run, place, guarded, out);
    }

    /// What every step of an actor touches besides the actor.
    fn touch_around(&self, run: &Run, place: usize, fires: bool, out: &mut Footprint) {
        let slot = &run.actors[place];
        if self.has_clock && slot.life.as_ref().is_some_and(|life| !life.timers.is_empty()) {
            let clock = self.tables.of(Owner::Clock);
            if fires {
                out.guard(clock);
            }
            out.update(clock);
        }
        for (nth, invariant) in self.invariants.iter().enumerate() {
            if invariant.concerns(slot.id) {
                out.update(self.tables.of(Owner::Invariant(nth as u32)));
            }
        }
    }

    fn touch_by_message(&self, run: &Run, envelope: &Envelope, out: &mut Footprint) {
        let constrained = self.is_guarded(run, envelope);
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
        } else if self.dependency == Dependency::Field && envelope.content.chooses() {
            // What it chooses from may depend on any field, also where the constraint says which it reads.
            out.guard(self.tables.any_field(envelope.receiver));
        }
        if self.has_history {
            let history = self.tables.of(Owner::History);
            // Invocations have no order among themselves, nor have responses.
            match envelope.content.records() {
                Records::Nothing => {}
                Records::Invocations => out.read(history),
                Records::Responses => out.accumulate(history),
                Records::Both => out.update(history),
            }
        }
        let may_vanish = self.loss_of(envelope).is_some();
        if may_vanish || self.doubling_of(envelope).is_some() {
            let message = self.tables.of(Owner::Message(envelope.id));
            out.guard(message);
            out.update(message);
        }
        let mut crosses = false;
        for nth in self.faults.partitions_between(envelope.sender, envelope.receiver) {
            out.guard(self.tables.of(Owner::Partition(nth as u32)));
            crosses = true;
        }
        if let Some(place) = run.place(envelope.receiver) {
            self.touch_around(run, place, false, out);
        }
        out.monotone_guard = guarded && !constrained && !may_vanish && !crosses && !self.has_fast_messages;
    }

    /// Whether the state of the receiver decides if the message can be delivered, or in how many ways.
    pub(crate) fn is_guarded(&self, run: &Run, envelope: &Envelope) -> bool {
        self.is_constrained(run, envelope) || envelope.content.chooses()
    }

    fn add_fields(&self, envelope: &Envelope, constrained: bool, out: &mut Footprint) {
        for &access in self.fields(envelope, constrained).accesses() {
            out.add(access);
        }
    }

    fn called_classes(&self, run: &Run, envelope: &Envelope) -> Option<Vec<Class>> {
        let method = self.method(run, envelope);
        self.tables.classes.borrow().graph.called_classes(method)
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
}
