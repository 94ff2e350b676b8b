//! What a process of a system is, and which of them are pending.
//!
//! A message is a process that takes one step. A timer is a process that takes a step whenever it fires, and waits meanwhile. The other processes are
//! faults: the loss and the doubling of a message, the crashes and restarts of an actor, a partition that comes and heals, and *calm*, which ends
//! all faults, so that there are executions with fewer faults than there could be.
//!
//! A message is delivered or lost: whichever happens, the process of the other waits from then on for ever, as the engine wants it of processes
//! that were disabled.

use crate::faults::Fault;
use crate::network::Gone;
use crate::run::{Envelope, Run};
use crate::system::System;
use crate::tables::Kind;
use mazurka_core::{Pending, Process, Transition};
use smallvec::SmallVec;
use std::rc::Rc;

/// What a process is, in a configuration.
pub(crate) enum Subject<'r> {
    Message(&'r Rc<Envelope>),
    /// The actor by its place, and the number of the timer.
    Timer(usize, usize),
    /// The crashes and restarts of the actor at a place.
    Crashes(usize),
    Partition(usize),
    Calm,
    Loss(&'r Rc<Envelope>),
    Doubling(&'r Rc<Envelope>),
}

impl System {
    /// What an unfinished process is; `None` if there is no such process.
    pub(crate) fn subject<'r>(&self, run: &'r Run, process: u32) -> Option<Subject<'r>> {
        if let Some(envelope) = run.envelope(process) {
            return Some(Subject::Message(envelope));
        }
        if !self.is_more_than_messages() {
            return None;
        }
        match self.tables.kind(process) {
            Kind::Message => known(run, process).map(Subject::Message),
            Kind::Timer(actor, nth) => run.place(actor).map(|place| Subject::Timer(place, nth as usize)),
            Kind::Crashes(actor) => run.place(actor).map(Subject::Crashes),
            Kind::Partition(nth) => Some(Subject::Partition(nth as usize)),
            Kind::Calm => Some(Subject::Calm),
            Kind::Loss(message) => known(run, message).map(Subject::Loss),
            Kind::Doubling(message) => known(run, message).map(Subject::Doubling),
        }
    }

    /// Whether there are processes that are no messages.
    pub(crate) fn is_more_than_messages(&self) -> bool {
        self.tables.has_timers() || self.faults.any()
    }

    /// The process that loses a message, if it may get lost.
    pub(crate) fn loss_of(&self, envelope: &Envelope) -> Option<u32> {
        *envelope.lost_by.get_or_init(|| {
            let may = self.faults.may_lose(envelope.sender, envelope.receiver);
            may.then(|| self.tables.loss(envelope.id))
        })
    }

    /// The process that doubles a message, if it may arrive twice.
    pub(crate) fn doubling_of(&self, envelope: &Envelope) -> Option<u32> {
        *envelope.doubled_by.get_or_init(|| {
            let may = self.faults.may_double(envelope.sender, envelope.receiver);
            may.then(|| self.tables.doubling(envelope.id))
        })
    }

    /// The processes that a message under way brings with it, its own first.
    pub(crate) fn processes_of(&self, envelope: &Envelope) -> impl Iterator<Item = Process> {
        let all = [Some(envelope.id), self.loss_of(envelope), self.doubling_of(envelope)];
        all.into_iter().flatten().map(Process)
    }

    pub(crate) fn is_enabled(&self, run: &Run, at: usize) -> bool {
        let envelope = &run.pending[at];
        let mut partitions = self.faults.partitions_between(envelope.sender, envelope.receiver);
        self.messages_move(run)
            && self.delivery.allows(run, at)
            && !partitions.any(|p| run.network.is_cut(p))
            && self.is_accepted(run, envelope)
    }

    /// Messages: receivers in the order of their oldest enabled message, the messages of one receiver together, oldest first.
    pub(crate) fn pending_messages(&self, run: &Run, out: &mut Vec<Pending>) {
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
                        self.list(run, envelope.id, envelope, enabled[other], out);
                    }
                }
            }
        }
    }

    /// Lists a message or a timer with its alternatives.
    fn list(&self, run: &Run, process: u32, envelope: &Envelope, enabled: bool, out: &mut Vec<Pending>) {
        let mut alternatives = 1;
        if envelope.content.chooses()
            && let Some(place) = run.place(envelope.receiver)
            && run.actors[place].is_up()
        {
            alternatives = self.alternatives(run, place, envelope).len() as u32;
        }
        out.extend((0..alternatives).map(|choice| Pending {
            transition: Transition {
                process: Process(process),
                choice,
            },
            enabled,
        }));
    }

    /// Timers of all actors.
    pub(crate) fn pending_timers(&self, run: &Run, out: &mut Vec<Pending>) {
        let next = self.has_clock.then(|| self.next_due(run)).flatten();
        let arrives = || (0..run.pending.len()).any(|at| self.is_enabled(run, at));
        let wait = self.has_fast_messages && next.is_some_and(|due| due > run.now) && arrives();
        for slot in &run.actors {
            let Some(life) = &slot.life else { continue };
            for timer in &life.timers {
                match &timer.set {
                    Some(envelope) => {
                        let enabled = !wait && next.is_none_or(|next| timer.due == next);
                        self.list(run, timer.process, envelope, enabled, out);
                    }
                    None => out.push(one(timer.process, false)),
                }
            }
        }
    }

    /// Whether messages arrive now: if they are fast, what is due at this moment comes first.
    fn messages_move(&self, run: &Run) -> bool {
        !self.has_fast_messages || self.next_due(run).is_none_or(|due| due > run.now)
    }

    /// When the next timer fires.
    fn next_due(&self, run: &Run) -> Option<u64> {
        let timers = run
            .actors
            .iter()
            .filter_map(|slot| slot.life.as_ref())
            .flat_map(|life| &life.timers);
        timers.filter(|t| t.set.is_some()).map(|t| t.due).min()
    }

    /// Everything that faults can do.
    pub(crate) fn pending_faults(&self, run: &Run, out: &mut Vec<Pending>) {
        if !self.faults.any() {
            return;
        }
        let network = &run.network;
        for life in run.actors.iter().filter_map(|slot| slot.life.as_ref()) {
            if let Some(process) = life.crashes.filter(|_| !life.dead) {
                out.push(one(process, !life.up || network.may(Fault::Crash)));
            }
        }
        let partitions = self.faults.partitions.as_ref().map_or(0, |p| p.sides.len());
        for nth in 0..partitions {
            let enabled = network.is_cut(nth) || network.may(Fault::Partition);
            out.push(one(self.tables.partition(nth), enabled));
        }
        let doubled = |envelope: &Envelope| network.doubled.contains(&envelope.id);
        for envelope in &run.pending {
            out.extend(self.loss_of(envelope).map(|p| one(p, network.may(Fault::Loss))));
            if !doubled(envelope) {
                out.extend(self.doubling_of(envelope).map(|p| one(p, network.may(Fault::Duplicate))));
            }
        }
        for Gone { envelope, lost } in &network.gone {
            match lost {
                true => out.push(one(envelope.id, false)),
                false => out.extend(self.loss_of(envelope).map(|p| one(p, false))),
            }
            if !doubled(envelope) {
                out.extend(self.doubling_of(envelope).map(|p| one(p, false)));
            }
        }
        if !network.calm {
            out.push(one(self.tables.calm(), true));
        }
    }
}

fn one(process: u32, enabled: bool) -> Pending {
    Pending {
        transition: Transition::of(Process(process)),
        enabled,
    }
}

/// A message that is under way, or gone.
fn known(run: &Run, message: u32) -> Option<&Rc<Envelope>> {
    let gone = || run.network.gone.iter().map(|gone| &gone.envelope).find(|e| e.id == message);
    run.envelope(message).or_else(gone)
}
