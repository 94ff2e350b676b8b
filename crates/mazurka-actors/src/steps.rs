//! What a step of a system does.

use crate::choices::Choices;
use crate::context::{Sent, SetTimer, Timed};
use crate::delivery::Delivery;
use crate::faults::Fault;
use crate::hash::Hash128;
use crate::life::Timer;
use crate::program::{Handled, NewState};
use crate::run::{Envelope, Run, Slot};
use crate::subject::Subject;
use crate::system::System;
use mazurka_core::{Effects, Process, Transition};
use std::rc::Rc;

/// How an actor is told something. The step of a timer may touch everything, whatever is declared of what it tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    ByMessage,
    ByTimer,
}

impl System {
    pub(crate) fn take(&self, run: &mut Run, transition: Transition, effects: &mut Effects) {
        match self.subject(run, transition.process.0) {
            None => {}
            Some(Subject::Message(envelope)) => {
                let envelope = Rc::clone(envelope);
                self.arrive(run, &envelope, transition.choice, effects);
            }
            Some(Subject::Timer(place, nth)) => self.fire(run, place, nth, transition.choice, effects),
            Some(Subject::Crashes(place)) if run.actors[place].is_up() => self.crash(run, place, effects),
            Some(Subject::Crashes(place)) => self.restart(run, place, effects),
            Some(Subject::Partition(nth)) => {
                let cut = run.network.is_cut(nth);
                if !cut {
                    run.network.spend(Fault::Partition);
                }
                run.network.set_cut(nth, !cut);
            }
            Some(Subject::Calm) => run.network.calm = true,
            Some(Subject::Loss(envelope)) => {
                let envelope = Rc::clone(envelope);
                run.network.spend(Fault::Loss);
                run.pending.retain(|e| e.id != envelope.id);
                run.network.forget(&envelope, true);
            }
            Some(Subject::Doubling(envelope)) => {
                let envelope = Rc::clone(envelope);
                self.double(run, transition.process.0, &envelope, effects);
            }
        }
    }

    /// A message arrives.
    fn arrive(&self, run: &mut Run, envelope: &Rc<Envelope>, choice: u32, effects: &mut Effects) {
        let Some(place) = run.place(envelope.receiver) else { return };
        run.pending.retain(|e| e.id != envelope.id);
        if self.loss_of(envelope).is_some() || self.doubling_of(envelope).is_some() {
            run.network.forget(envelope, false);
        }
        run.last = place as u32;
        // Nobody is there to handle it.
        if run.actors[place].is_up() {
            self.run_handler(run, place, (envelope, Told::ByMessage), choice, effects);
        }
    }

    /// A timer fires.
    fn fire(&self, run: &mut Run, place: usize, nth: usize, choice: u32, effects: &mut Effects) {
        let Some(life) = &mut run.actors[place].life else { return };
        let timer = &mut Rc::make_mut(life).timers[nth];
        let Some(envelope) = timer.set.take() else { return };
        run.now = run.now.max(timer.due);
        run.last = place as u32;
        self.run_handler(run, place, (&envelope, Told::ByTimer), choice, effects);
    }

    fn crash(&self, run: &mut Run, place: usize, effects: &mut Effects) {
        run.network.spend(Fault::Crash);
        let for_good = self.faults.crashes.as_ref().is_some_and(|c| c.for_good);
        if let Some(life) = &mut run.actors[place].life {
            let life = Rc::make_mut(life);
            life.up = false;
            life.dead = for_good;
            life.timers.iter_mut().for_each(|timer| timer.set = None);
        }
        self.check_invariants(run, place, effects);
    }

    fn restart(&self, run: &mut Run, place: usize, effects: &mut Effects) {
        let outcome = self.handle_restart(run, place);
        if let Some(life) = &mut run.actors[place].life {
            let life = Rc::make_mut(life);
            life.up = true;
            life.restarts += 1;
        }
        match outcome {
            Ok((state, sent)) => self.apply(run, place, state, sent, effects),
            Err(failure) => {
                let failure = self.show(run, || self.handle_restart(run, place).err()).unwrap_or(failure);
                run.failed = run.failed.wrapping_add(Hash128::of((run.actors[place].id, &failure)));
                effects.failure = Some(failure);
            }
        }
        if let Some(what) = self.tables.misuse() {
            self.accuse_actor(run, place, "restart", &what);
        }
        self.check_invariants(run, place, effects);
    }

    fn double(&self, run: &mut Run, process: u32, envelope: &Rc<Envelope>, effects: &mut Effects) {
        run.network.spend(Fault::Duplicate);
        run.network.doubled.push(envelope.id);
        let Some(at) = run.pending.iter().position(|e| e.id == envelope.id) else {
            return;
        };
        let id = self.tables.messages.child(process, 0);
        let route = (envelope.sender, envelope.receiver);
        let copy = Rc::new(Envelope::new(id, route, Rc::clone(&envelope.content), envelope.sent_at));
        effects.births.extend(self.processes_of(&copy));
        run.pending.insert(at + 1, copy);
    }

    fn run_handler(&self, run: &mut Run, place: usize, (envelope, by): (&Envelope, Told), choice: u32, effects: &mut Effects) {
        let before = run.actors[place].state.hash();
        let outcome = self.handle(run, place, envelope, choice);
        let closely = self.sampling.now();
        if closely {
            self.check_declaration(run, place, (envelope, choice), &outcome);
        }
        let twice = closely.then(|| self.handle(run, place, envelope, choice));
        match outcome {
            Err(failure) => {
                // Once more for the message: it may contain addresses, which are then called by name.
                let failure = self
                    .show(run, || self.handle(run, place, envelope, choice).err())
                    .unwrap_or(failure);
                run.failed = run.failed.wrapping_add(Hash128::of((envelope.id, &failure)));
                effects.failure = Some(failure);
            }
            Ok((state, sent)) => {
                if closely || self.delivery != Delivery::Unordered {
                    self.check_sends(run, envelope, &sent);
                }
                if by == Told::ByMessage {
                    self.check_timers(run, envelope, &sent);
                    self.check_records(run, envelope, &sent);
                }
                let shared = closely && run.actors[place].state.actor.hash128() != before;
                let shared = shared.then(|| self.shared_state(run, envelope));
                effects.failure = shared.or_else(|| twice.and_then(|again| self.compare(run, envelope, (&state, &sent), again)));
                self.apply(run, place, state, sent, effects);
            }
        }
        if self.symmetry.any() && run.actors.len() > self.start.actors.len() {
            let what = "creates an actor; where actors are interchangeable, all of them must exist from the start";
            self.accuse(run, envelope, "handler", what);
        }
        if let Some(what) = self.tables.misuse() {
            self.accuse(run, envelope, "handler", &what);
        }
        self.check_invariants(run, place, effects);
    }

    /// What a handler did becomes true.
    fn apply(&self, run: &mut Run, place: usize, state: NewState, mut sent: Sent, effects: &mut Effects) {
        run.actors[place].state = state;
        for slot in &sent.actors {
            effects.births.extend(processes_of_actor(slot));
        }
        run.actors.append(&mut sent.actors);
        for envelope in &sent.messages {
            effects.births.extend(self.processes_of(envelope));
        }
        run.pending.append(&mut sent.messages);
        for recorded in sent.recorded {
            run.record.add(recorded);
        }
        let now = run.now;
        let slot = &mut run.actors[place];
        for timed in sent.timers {
            let Some(life) = &mut slot.life else { continue };
            let life = Rc::make_mut(life);
            match timed {
                Timed::Cancel(nth) => life.timers[nth].set = None,
                Timed::Set(set) => self.set(slot.id, &mut life.timers[set.timer], now, &set),
            }
        }
    }

    /// Sets a timer of an actor.
    pub(crate) fn set(&self, actor: u32, timer: &mut Timer, now: u64, set: &SetTimer) {
        let id = self.tables.messages.child(timer.process, timer.times);
        let envelope = Envelope::new(id, (actor, actor), Rc::clone(&set.content), set.at);
        timer.times += 1;
        timer.due = if self.has_clock { now.saturating_add(set.after) } else { 0 };
        timer.set = Some(Rc::new(envelope));
    }

    /// The new actor after a restart, and what it sends.
    fn handle_restart(&self, run: &Run, place: usize) -> Handled {
        let slot = &run.actors[place];
        let Some(life) = &slot.life else {
            return Ok((Rc::clone(&slot.state), Sent::by(None, slot.id)));
        };
        let event = self.tables.messages.child(self.tables.crashes(slot.id), life.restarts);
        self.handle_as(run, event, slot, &life.created, &mut Choices::default(), |actor, outbox| {
            actor.restart(&slot.state.actor, outbox);
        })
    }
}

/// The processes that an actor brings with it.
fn processes_of_actor(slot: &Slot) -> impl Iterator<Item = Process> {
    let timers = slot.life.iter().flat_map(|life| &life.timers);
    timers.map(|timer| Process(timer.process))
}
