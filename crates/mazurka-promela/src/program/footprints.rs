//! What a transition may touch, as locations of the engine.

use super::locations::{BIRTHS, CHANNELS, EVERYTHING, POPULATION};
use super::moves::first_edge;
use super::{Promela, Run};
use crate::analysis::{Access, AccessMode, ChannelRef, EdgeAccesses, Object};
use crate::machine::{Eval, Partner};
use crate::model::{Kind, Op};
use mazurka_core::{Footprint, Location, Mode};

/// A footprint that is being put together.
struct Sink<'a> {
    footprint: &'a mut Footprint,
    /// Whether what is added is certain to happen, and reads nothing that it replaces.
    certain: bool,
}

impl Sink<'_> {
    fn touch(&mut self, location: Location, mode: Mode, guard: bool) {
        self.touch_as(location, mode, guard, false);
    }

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
    /// Adds the locations of an access of the process at `slot`. With `exact`, indices over locals have the values they have now.
    fn add_access(&self, run: &Run, slot: usize, access: &Access, exact: bool, out: &mut Sink<'_>) {
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
                let mut eval = Eval::new(&self.machine, &run.state, slot, false);
                let offset = eval.offset(&place.place).filter(|_| exact);
                let known = offset.filter(|_| eval.fault.is_none()).and_then(|offset| {
                    let cells = cells.iter().copied();
                    cells
                        .into_iter()
                        .find(|&c| self.machine.model().cells[c as usize].offset as usize == offset)
                });
                match known {
                    Some(cell) => self.touch_cell(cell, mode, guard, true, out),
                    None => cells.iter().for_each(|&c| self.touch_cell(c, mode, guard, false, out)),
                }
            }
            Object::Channel(channel) => self.touch_channel(run, slot, *channel, mode, guard, out),
            Object::OwnChannels => {
                let own = self.machine.model().proctypes[run.state.proctype(slot)].channels.len();
                for channel in 0..own {
                    out.touch(self.locations.own_channel(run.names[slot], channel), mode, guard);
                }
            }
            Object::Population => out.touch(POPULATION, mode, guard),
            Object::Births => out.touch(BIRTHS, mode, guard),
            Object::Remote(proctype) => out.touch(self.locations.processes(*proctype), mode, guard),
            Object::Everything => out.touch(EVERYTHING, mode, guard),
        }
    }

    fn touch_cell(&self, cell: u32, mode: Mode, guard: bool, blind: bool, out: &mut Sink<'_>) {
        let blind = blind && !self.locations.is_coarse(cell);
        out.touch_as(self.locations.cell(cell), mode, guard, blind);
    }

    fn touch_channel(&self, run: &Run, slot: usize, channel: ChannelRef, mode: Mode, guard: bool, out: &mut Sink<'_>) {
        let number = match channel {
            ChannelRef::Global(number) => Some(number as i32),
            ChannelRef::Local(offset) => {
                let frame = run.state.frame(slot);
                Some(crate::machine::load(run.state.bytes(), frame + offset as usize, Kind::Byte))
            }
            ChannelRef::Any => None,
        };
        match number.and_then(|n| self.locations.channel(&self.machine, &run.state, &run.names, n)) {
            Some(location) => {
                out.touch(location, mode, guard);
                if self.analysis.unknown_channels {
                    out.touch(CHANNELS, Mode::Accumulate, false);
                }
            }
            None => out.touch(CHANNELS, Mode::Write, guard),
        }
    }

    /// What every step of the process touches because others may look at it or move it.
    fn add_presence(&self, run: &Run, slot: usize, out: &mut Sink<'_>) {
        let proctype = run.state.proctype(slot);
        if self.analysis.accepting[proctype] {
            out.touch(self.locations.control(run.names[slot]), Mode::Write, false);
        }
        if self.analysis.watched[proctype] {
            out.touch(self.locations.processes(proctype), Mode::Accumulate, false);
        }
        if self.analysis.everything {
            out.touch(EVERYTHING, Mode::Accumulate, false);
        }
    }

    /// What a process that offers a rendezvous looks at: everyone who might take it.
    fn add_search(&self, out: &mut Sink<'_>) {
        for (proctype, _) in self.analysis.accepting.iter().enumerate().filter(|(_, a)| **a) {
            out.touch(self.locations.processes(proctype), Mode::Read, true);
            // Whether a message fits may depend on what the receiver compares it with.
            for accesses in &self.analysis.proctypes[proctype] {
                if accesses.edges.iter().any(|e| e.accepts) {
                    self.add_foreign(&accesses.guards, true, out);
                }
            }
        }
        out.touch(BIRTHS, Mode::Read, true);
    }

    /// Accesses of a process whose locals are not known: whole variables, and no channel in particular.
    fn add_foreign(&self, accesses: &[Access], guard: bool, out: &mut Sink<'_>) {
        for access in accesses {
            let mode = match access.mode {
                AccessMode::Read => Mode::Read,
                AccessMode::Write => Mode::Write,
            };
            match &access.object {
                Object::Cells(cells) | Object::Indexed { cells, .. } => {
                    cells.iter().for_each(|&c| self.touch_cell(c, mode, guard, false, out));
                }
                Object::Population => out.touch(POPULATION, mode, guard),
                Object::Births => out.touch(BIRTHS, mode, guard),
                Object::Remote(proctype) => out.touch(self.locations.processes(*proctype), mode, guard),
                Object::Everything => out.touch(EVERYTHING, mode, guard),
                Object::Channel(_) | Object::OwnChannels => {}
            }
        }
    }

    pub(super) fn add_footprint(&self, run: &Run, slot: usize, choice: u32, footprint: &mut Footprint) {
        let out = &mut Sink { footprint, certain: false };
        let here = &self.analysis.proctypes[run.state.proctype(slot)][run.state.location(slot) as usize];
        self.add_presence(run, slot, out);
        for access in &here.guards {
            self.add_access(run, slot, access, true, out);
        }
        let edges = self.machine.edges(&run.state, slot);
        let offers = |i: usize| here.edges[i].offers && self.offered(&run.state, slot, &edges[i].op).is_some();
        if (0..edges.len()).any(offers) {
            self.add_search(out);
        }
        match first_edge(choice) {
            Some(edge) if (edge as usize) < edges.len() => self.add_edge(run, slot, edge as usize, choice, offers(edge as usize), out),
            // So many edges that the choice does not tell which: all of them.
            _ => (0..edges.len()).for_each(|i| self.add_edge(run, slot, i, choice, offers(i), out)),
        }
    }

    fn add_edge(&self, run: &Run, slot: usize, edge: usize, choice: u32, offers: bool, out: &mut Sink<'_>) {
        let accesses = &self.analysis.proctypes[run.state.proctype(slot)][run.state.location(slot) as usize].edges[edge];
        if !offers {
            let edge = &self.machine.edges(&run.state, slot)[edge];
            out.certain = !edge.atomic && !matches!(edge.op, Op::Deterministic(_));
            self.add_step(run, slot, accesses, true, out);
            out.certain = false;
            return;
        }
        for access in &accesses.own {
            self.add_access(run, slot, access, true, out);
        }
        let op = &self.machine.edges(&run.state, slot)[edge].op;
        let Some(channel) = self.offered(&run.state, slot, op) else {
            return;
        };
        let mut partners: Vec<Partner> = Vec::new();
        self.possible_partners(run, slot, channel, |partner| partners.push(partner));
        // A way through the receiver's sequence has a number of its own: then any receiver may be meant.
        let exact = partners.iter().any(|p| self.meeting(run, edge as u32, p) == choice);
        for partner in &partners {
            if exact && self.meeting(run, edge as u32, partner) != choice {
                continue;
            }
            self.add_presence(run, partner.slot, out);
            let there = &self.analysis.proctypes[run.state.proctype(partner.slot)][partner.location as usize];
            self.add_foreign(&there.guards, true, out);
            self.add_step(run, partner.slot, &there.edges[partner.edge as usize], false, out);
        }
    }

    fn add_step(&self, run: &Run, slot: usize, accesses: &EdgeAccesses, exact: bool, out: &mut Sink<'_>) {
        for access in &accesses.step {
            self.add_access(run, slot, access, exact, out);
        }
        if accesses.wild {
            out.touch(EVERYTHING, Mode::Write, true);
        }
    }
}
