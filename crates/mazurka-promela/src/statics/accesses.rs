//! What one statement accesses when a given process executes it.

use super::constants::Known;
use super::shared::Shared;
use crate::model::{Ex, Op, Pattern, Place, Space};
use mazurka_core::{AccessSet, Mode};

/// Collects the accesses of statements.
#[derive(Clone, Copy)]
pub(super) struct Statement<'a> {
    pub shared: &'a Shared,
    pub known: Known<'a>,
    /// What the receiving half of a rendezvous may access, whoever it is.
    pub handshake: &'a AccessSet,
    /// What a process of each type may access in its whole life.
    pub lives: &'a [AccessSet],
}

impl Statement<'_> {
    /// What decides whether the statement can be executed.
    pub fn guard(&self, op: &Op, out: &mut AccessSet) {
        match op {
            Op::Skip | Op::Else | Op::Assign(..) | Op::Assert(_) | Op::Print(_) | Op::Run { .. } | Op::SetPriority(_) => {}
            Op::Condition(condition) => self.read(condition, out),
            Op::Send { channel, args, .. } => {
                self.channel(channel, Mode::Read, out);
                if self.may_be_rendezvous(channel) {
                    // Whether there is a partner depends on the message and on what the receiver compares it with.
                    args.iter().for_each(|a| self.read(a, out));
                    out.union(self.handshake);
                }
            }
            Op::Receive { channel, pattern, .. } => {
                self.channel(channel, Mode::Read, out);
                self.compare(pattern, out);
            }
            Op::Deterministic(inside) => {
                if let Some(start) = inside.nodes.first() {
                    start.edges.iter().for_each(|(op, _)| self.guard(op, out));
                }
            }
            Op::End => {
                out.insert(Shared::BIRTHS, Mode::Read);
                out.insert(Shared::DEATHS, Mode::Read);
            }
        }
    }

    /// What its execution accesses.
    pub fn execution(&self, op: &Op, out: &mut AccessSet) {
        match op {
            Op::Skip | Op::Else => {}
            Op::Condition(e) | Op::Assert(e) => {
                self.read(e, out);
                if mentions_timeout(e) {
                    out.insert(Shared::TIMEOUT, Mode::Write);
                }
            }
            Op::Print(args) => args.iter().for_each(|a| self.read(a, out)),
            Op::Assign(place, value) => {
                self.read(value, out);
                self.write(place, out);
            }
            Op::Send { channel, args, .. } => {
                args.iter().for_each(|a| self.read(a, out));
                self.channel(channel, Mode::Write, out);
                if self.may_be_rendezvous(channel) {
                    out.union(self.handshake);
                }
            }
            Op::Receive {
                channel, pattern, peek, ..
            } => {
                self.compare(pattern, out);
                self.channel(channel, if *peek { Mode::Read } else { Mode::Write }, out);
                for p in pattern {
                    if let Pattern::Store(place) = p {
                        self.write(place, out);
                    }
                }
            }
            Op::SetPriority(parts) => {
                self.read(&parts.0, out);
                self.read(&parts.1, out);
                out.union(&AccessSet::everything());
            }
            Op::Run {
                proctype, args, result, ..
            } => {
                args.iter().for_each(|a| self.read(a, out));
                self.birth(*proctype, out);
                if let Some(place) = result {
                    self.write(place, out);
                }
                out.insert(Shared::BIRTHS, Mode::Write);
                out.insert(Shared::COUNT, Mode::Accumulate);
            }
            Op::Deterministic(inside) => inside
                .nodes
                .iter()
                .flat_map(|n| &n.edges)
                .for_each(|(op, _)| self.execution(op, out)),
            Op::End => {
                // While the youngest process has not ended no other can: their ends do not conflict with its own.
                out.insert(Shared::BIRTHS, Mode::Read);
                out.insert(Shared::COUNT, Mode::Accumulate);
                match self.known.state {
                    Some((state, process)) => {
                        let own = state.own_channels(process);
                        own.for_each(|number| out.insert(self.shared.channel(number), Mode::Write));
                    }
                    None if self.known.model.proctypes[self.known.proctype].channels.is_empty() => {}
                    None => {
                        out.union(&AccessSet::everything());
                    }
                }
            }
        }
    }

    /// What the first values of a new process depend on.
    fn birth(&self, proctype: usize, out: &mut AccessSet) {
        let known = Known {
            proctype,
            state: None,
            ..self.known
        };
        let unborn = Statement { known, ..*self };
        for first in &self.known.model.proctypes[proctype].initial {
            unborn.read(&first.value, out);
        }
    }

    /// What follows from its execution besides, in processes that it starts or lets go.
    pub fn consequences(&self, op: &Op, out: &mut AccessSet) {
        match op {
            Op::Run { proctype, .. } => {
                out.union(&self.lives[*proctype]);
            }
            Op::End => out.insert(Shared::DEATHS, Mode::Write),
            Op::Deterministic(inside) => inside
                .nodes
                .iter()
                .flat_map(|n| &n.edges)
                .for_each(|(op, _)| self.consequences(op, out)),
            _ => {}
        }
    }

    /// The rendezvous channels on which a process that stands before this statement is heard.
    pub fn offers(&self, op: &Op, out: &mut AccessSet) {
        match op {
            Op::Send { channel, .. } | Op::Receive { channel, .. } if self.may_be_rendezvous(channel) => {
                self.channel(channel, Mode::Write, out);
            }
            Op::Deterministic(inside) => {
                if let Some(start) = inside.nodes.first() {
                    start.edges.iter().for_each(|(op, _)| self.offers(op, out));
                }
            }
            _ => {}
        }
    }

    pub fn may_be_rendezvous(&self, channel: &Ex) -> bool {
        let model = self.known.model;
        let number = self.known.value(channel);
        match number.and_then(|n| self.known.state.and_then(|(state, _)| state.channel(n))) {
            Some(at) => model.channels[at.channel as usize].capacity == 0,
            None => model.channels.iter().any(|c| c.capacity == 0),
        }
    }

    fn channel(&self, channel: &Ex, mode: Mode, out: &mut AccessSet) {
        self.read(channel, out);
        match self.known.value(channel) {
            Some(number) => {
                out.insert(self.shared.channel(number as u8 as u32), mode);
                if self.known.state.is_none_or(|(state, slot)| !state.lasts(slot, number)) {
                    // The channel comes and goes with a younger process.
                    out.insert(Shared::BIRTHS, Mode::Read);
                    out.insert(Shared::DEATHS, Mode::Read);
                }
            }
            None => {
                out.union(&AccessSet::everything());
            }
        }
    }

    fn compare(&self, pattern: &[Pattern], out: &mut AccessSet) {
        for p in pattern {
            if let Pattern::Match(expected) = p {
                self.read(expected, out);
            }
        }
    }

    fn write(&self, place: &Place, out: &mut AccessSet) {
        self.place(place, Mode::Write, out);
    }

    fn place(&self, place: &Place, mode: Mode, out: &mut AccessSet) {
        place.indices.iter().for_each(|i| self.read(&i.value, out));
        if self.known.is_priority(place) {
            out.union(&AccessSet::everything());
        }
        if place.space == Space::Global {
            match self.known.offset(place).and_then(|offset| self.shared.at(offset)) {
                Some(cell) => out.insert(cell, mode),
                None => self.shared.whole(place).for_each(|cell| out.insert(cell, mode)),
            }
        }
    }

    /// What the evaluation of an expression reads.
    pub fn read(&self, ex: &Ex, out: &mut AccessSet) {
        match ex {
            Ex::Const(_) | Ex::Pid | Ex::Timeout => {}
            Ex::Load(place) => self.place(place, Mode::Read, out),
            Ex::ProcessCount => out.insert(Shared::COUNT, Mode::Read),
            Ex::Not(e) | Ex::Negate(e) | Ex::Invert(e) => self.read(e, out),
            Ex::Binary(_, parts) => {
                self.read(&parts.0, out);
                self.read(&parts.1, out);
            }
            Ex::Conditional(parts) => {
                self.read(&parts.0, out);
                self.read(&parts.1, out);
                self.read(&parts.2, out);
            }
            Ex::Probe(_, channel) => self.channel(channel, Mode::Read, out),
            Ex::Poll { channel, pattern, .. } => {
                self.channel(channel, Mode::Read, out);
                self.compare(pattern, out);
            }
            Ex::RemoteLabel { .. } | Ex::RemoteVariable { .. } | Ex::Priority(_) | Ex::Enabled(_) | Ex::NonProgress => {
                out.union(&AccessSet::everything());
            }
        }
    }
}

fn mentions_timeout(ex: &Ex) -> bool {
    match ex {
        Ex::Timeout => true,
        Ex::Not(e) | Ex::Negate(e) | Ex::Invert(e) => mentions_timeout(e),
        Ex::Binary(_, parts) => mentions_timeout(&parts.0) || mentions_timeout(&parts.1),
        Ex::Conditional(parts) => mentions_timeout(&parts.0) || mentions_timeout(&parts.1) || mentions_timeout(&parts.2),
        _ => false,
    }
}
