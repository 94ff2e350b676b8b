//! What a transition may touch, as locations of the engine.

use super::locations::{BIRTHS, CHANNELS, EVERYTHING, KNOWN_CHANNELS, POPULATION, PRIORITIES};
use super::moves::Head;
use super::{Promela, Run};
use crate::analysis::{Access, AccessMode, ChannelRef, Cluster, Collector, Object};
use crate::machine::Eval;
use crate::model::{Ex, Kind, Op, Operator, Pattern, Place};
use mazurka_core::{Footprint, Location, Mode, Transition};

/// A footprint that is being put together.
pub(super) struct Sink<'a> {
    pub footprint: &'a mut Footprint,
    /// Whether what is added is certain to happen.
    pub certain: bool,
}

impl Sink<'_> {
    pub fn touch(&mut self, location: Location, mode: Mode, guard: bool) {
        self.touch_as(location, mode, guard, false);
    }

    /// A write is blind if it does not depend on what was there before.
    fn touch_as(&mut self, location: Location, mode: Mode, guard: bool, blind: bool) {
        self.footprint.add(mazurka_core::Access {
            location,
            mode,
            guard,
            maybe: mode == Mode::Write && !(blind && self.certain),
        });
    }
}

impl Promela {
    /// Adds the locations of an access. `slot` is the process whose locals have the values they have now, if that is known.
    pub(super) fn add_access(&self, run: &Run, slot: Option<usize>, access: &Access, out: &mut Sink<'_>) {
        let mode = match access.mode {
            AccessMode::Read => Mode::Read,
            AccessMode::Write => Mode::Write,
        };
        let guard = access.guard;
        match &access.object {
            Object::Cells(cells) => {
                let blind = cells.len() == 1;
                cells.iter().for_each(|&c| self.touch_cell(c, mode, guard, blind, out));
            }
            Object::Indexed { place, cells } => {
                let offset = slot.and_then(|slot| self.offset_now(run, slot, &place.place));
                let at = |c: &&u32| Some(self.machine.model().cells[**c as usize].offset as usize) == offset;
                match cells.iter().find(at) {
                    Some(&cell) => self.touch_cell(cell, mode, guard, true, out),
                    None => cells.iter().for_each(|&c| self.touch_cell(c, mode, guard, false, out)),
                }
            }
            Object::Channel(channel) => self.touch_channel(run, slot, *channel, mode, guard, out),
            Object::OwnChannels => {
                let Some(slot) = slot else { return };
                let own = self.machine.model().proctypes[run.state.proctype(slot)].channels.len();
                // An own channel is known by its owner; others may know it by a number only.
                for channel in 0..own {
                    self.touch_known(self.locations.own_channel(run.names[slot], channel), mode, guard, out);
                }
            }
            // Who only adds to something does not look at it, wherever it stands in a sequence.
            Object::NewChannels if self.analysis.unknown_channels => out.touch(CHANNELS, Mode::Accumulate, false),
            Object::NewChannels => {}
            Object::Priorities => out.touch(PRIORITIES, mode, guard),
            Object::Population => out.touch(POPULATION, mode, guard),
            Object::Births => out.touch(BIRTHS, mode, guard),
            Object::Remote(proctype) if access.mode == AccessMode::Read => out.touch(self.locations.processes(*proctype), mode, guard),
            // A new process brings locals that others look at.
            Object::Remote(proctype) if self.analysis.watched[*proctype] => {
                out.touch(self.locations.processes(*proctype), Mode::Accumulate, false);
            }
            Object::Remote(_) => {}
            Object::Everything => out.touch(EVERYTHING, mode, guard),
        }
    }

    /// Where a place is whose indices depend on the process alone; `None` where one of them is wrong.
    fn offset_now(&self, run: &Run, slot: usize, place: &Place) -> Option<usize> {
        let mut eval = Eval::new(&self.machine, &run.state, slot, false);
        eval.offset(place).filter(|_| eval.fault.is_none())
    }

    fn touch_cell(&self, cell: u32, mode: Mode, guard: bool, blind: bool, out: &mut Sink<'_>) {
        let blind = blind && !self.locations.is_coarse(cell);
        out.touch_as(self.locations.cell(cell), mode, guard, blind);
    }

    /// The number of the channel, if it means the same channel as long as the process lives: global channels stay, and so do those of the
    /// process itself and of older ones, since only the youngest process can end.
    fn lasting_channel(&self, run: &Run, slot: Option<usize>, channel: ChannelRef) -> Option<Location> {
        match (channel, slot) {
            (ChannelRef::Global(number), _) => self.locations.channel(&self.machine, &run.state, &run.names, number as i32),
            (ChannelRef::Local(offset), Some(slot)) => {
                let at = run.state.frame(slot) + offset as usize;
                let number = crate::machine::load(run.state.bytes(), at, Kind::Byte);
                self.locations.channel(&self.machine, &run.state, &run.names[..=slot], number)
            }
            _ => None,
        }
    }

    fn touch_channel(&self, run: &Run, slot: Option<usize>, channel: ChannelRef, mode: Mode, guard: bool, out: &mut Sink<'_>) {
        match self.lasting_channel(run, slot, channel) {
            Some(location) => self.touch_known(location, mode, guard, out),
            None => {
                out.touch(CHANNELS, mode, guard);
                if mode == Mode::Write {
                    out.touch(KNOWN_CHANNELS, Mode::Write, false);
                }
            }
        }
    }

    /// A channel that is known, where others may be about any.
    fn touch_known(&self, channel: Location, mode: Mode, guard: bool, out: &mut Sink<'_>) {
        out.touch(channel, mode, guard);
        self.touch_one_of_many(mode, guard, out);
    }

    /// What goes with every operation on a channel that is known, whichever it is.
    pub(super) fn touch_one_of_many(&self, mode: Mode, guard: bool, out: &mut Sink<'_>) {
        if self.analysis.unknown_channels {
            out.touch(KNOWN_CHANNELS, Mode::Read, guard);
            if mode == Mode::Write {
                out.touch(CHANNELS, Mode::Accumulate, false);
            }
        }
    }

    /// What every step of a process of this type touches because others may look at it.
    pub(super) fn add_presence(&self, proctype: usize, out: &mut Sink<'_>) {
        if self.analysis.watched[proctype] {
            out.touch(self.locations.processes(proctype), Mode::Accumulate, false);
        }
        if self.analysis.everything {
            out.touch(EVERYTHING, Mode::Accumulate, false);
        }
    }

    pub(super) fn add_footprint(&self, run: &Run, transition: Transition, footprint: &mut Footprint) {
        let out = &mut Sink { footprint, certain: false };
        let heads = self.heads(run, transition);
        let Some(first) = heads.first() else { return };
        match self.analysis.cluster_of[run.state.proctype(first.slot)] {
            None => {
                let here = &self.analysis.proctypes[run.state.proctype(first.slot)][run.state.location(first.slot) as usize];
                here.guards.iter().for_each(|a| self.add_access(run, Some(first.slot), a, out));
            }
            Some(cluster) => self.add_group(run, &self.analysis.clusters[cluster], out),
        }
        match self.analysis.cluster_of[run.state.proctype(first.slot)] {
            // A way through a sequence of one of the group, whoever it is.
            Some(cluster) if self.choice(run, first) != transition.choice => self.add_anything(run, &self.analysis.clusters[cluster], out),
            _ => heads.iter().for_each(|head| self.add_head(run, head, heads.len() == 1, out)),
        }
    }

    /// What decides about the steps of a group, whichever of its members moves.
    fn add_group(&self, run: &Run, cluster: &Cluster, out: &mut Sink<'_>) {
        cluster.guards.iter().for_each(|a| self.add_access(run, None, a, out));
        if cluster.joined {
            out.touch(BIRTHS, Mode::Read, true);
        }
    }

    fn add_head(&self, run: &Run, head: &Head, alone: bool, out: &mut Sink<'_>) {
        let (proctype, location) = (run.state.proctype(head.slot), run.state.location(head.slot));
        let accesses = &self.analysis.proctypes[proctype][location as usize].edges[head.edge as usize];
        let edge = &self.machine.edges(&run.state, head.slot)[head.edge as usize];
        self.add_presence(proctype, out);
        let own = &mut Sink {
            footprint: &mut *out.footprint,
            certain: alone && !edge.atomic && self.never_fails(proctype, &edge.op),
        };
        accesses.step.iter().for_each(|a| self.add_access(run, Some(head.slot), a, own));
        let mut wild = accesses.wild;
        if let Some(partner) = &head.partner {
            let proctype = run.state.proctype(partner.slot);
            let theirs = &self.analysis.proctypes[proctype][partner.location as usize].edges[partner.edge as usize];
            self.add_presence(proctype, out);
            theirs.step.iter().for_each(|a| self.add_access(run, Some(partner.slot), a, out));
            wild |= theirs.wild;
        }
        if let (true, Some(cluster)) = (wild, self.analysis.cluster_of[proctype]) {
            self.add_anything(run, &self.analysis.clusters[cluster], out);
        }
    }

    /// Whatever any member of a group may do.
    fn add_anything(&self, run: &Run, cluster: &Cluster, out: &mut Sink<'_>) {
        cluster.all.iter().for_each(|a| self.add_access(run, None, a, out));
        cluster.proctypes.iter().for_each(|&p| self.add_presence(p, out));
    }

    /// Whether a statement does all that it says whenever it is executed.
    fn never_fails(&self, proctype: usize, op: &Op) -> bool {
        let collector = Collector::new(&self.machine, &self.fixed, proctype);
        match op {
            Op::Assign(place, value) => {
                // An index over locals counts as right: where it is not, the step is said to touch all elements.
                let known = place.indices.iter().all(|i| collector.local_only(&i.value, &mut Vec::new()));
                known && has_value(value)
            }
            Op::Receive { channel, pattern, .. } => {
                // A variable may name no channel, or one with other fields. Looking into a rendezvous channel is an error.
                let known = matches!(collector.channel(channel), ChannelRef::Global(_)) && !collector.may_meet(channel);
                known
                    && pattern.iter().all(|p| match p {
                        Pattern::Match(e) => has_value(e),
                        Pattern::Store(place) => place.indices.is_empty(),
                    })
            }
            _ => false,
        }
    }
}

/// Whether an expression has a value in every state.
fn has_value(ex: &Ex) -> bool {
    match ex {
        Ex::Const(_) | Ex::Pid | Ex::ProcessCount | Ex::Timeout => true,
        Ex::Load(place) => place.indices.is_empty(),
        Ex::Not(e) | Ex::Negate(e) | Ex::Invert(e) => has_value(e),
        Ex::Binary(Operator::Divide | Operator::Remainder, parts) => {
            has_value(&parts.0) && matches!(parts.1, Ex::Const(divisor) if divisor != 0)
        }
        Ex::Binary(_, parts) => has_value(&parts.0) && has_value(&parts.1),
        Ex::Conditional(parts) => has_value(&parts.0) && has_value(&parts.1) && has_value(&parts.2),
        _ => false,
    }
}
