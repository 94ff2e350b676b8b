//! What steps and guards really access, as locations of the engine: noted by the machine while it runs, not read off the text.

use super::locations::{BIRTHS, CHANNELS, EVERYTHING, KNOWN_CHANNELS, Meaning, POPULATION, PRIORITIES};
use super::{Promela, Run};
use crate::machine::{Note, Touched};
use crate::model;
use mazurka_core::{Access, Footprint, Location, Mode, Program, Transition};

impl Promela {
    /// What a transition accesses that can be taken at `run`. Processes that it starts are named by the caller.
    pub(super) fn notes_of(&self, run: &Run, transition: Transition) -> Vec<Note> {
        for timeout in [false, true] {
            let mut way = None;
            self.paths(run, transition.process, timeout, |choice, _, path, _, _| {
                if choice == transition.choice {
                    way = Some(path.to_vec());
                }
            });
            if let Some(way) = way {
                let mut state = run.state.clone();
                let mut notes = self.machine.recorder().notes(|| self.machine.replay(&mut state, &way, timeout)).1;
                // What decides inside of the step has been decided once it is taken.
                notes.iter_mut().for_each(|note| note.guard = false);
                return notes;
            }
        }
        Vec::new()
    }

    /// Adds the locations of accesses. `declared` tells how channels are known; `names` are those of the processes, by pid.
    pub(super) fn add_notes(&self, notes: &[Note], names: &[u32], declared: &Footprint, out: &mut Footprint) {
        for note in notes {
            let declares = |location: Location| {
                let alike = |a: &Access| a.location == location && (a.guard || !note.guard) && (a.mode != Mode::Read || !note.write);
                declared.accesses().iter().any(alike)
            };
            let mode = if note.write { Mode::Write } else { Mode::Read };
            let mut add = |location: Location, mode: Mode| {
                out.add(Access {
                    location,
                    mode,
                    guard: note.guard,
                    maybe: false,
                });
            };
            match note.what {
                Touched::Cell(offset) => {
                    // A channel variable that is never assigned to is a name.
                    if let (false, Some(&cell)) = (self.fixed.channels.contains_key(&offset), self.fixed.cells.get(&offset)) {
                        add(self.locations.cell(cell), mode);
                    }
                }
                Touched::Channel(owner, channel) => {
                    let location = match owner {
                        None => Some(self.locations.global_channel(channel)),
                        Some(slot) => names.get(slot).map(|&name| self.locations.own_channel(name, channel)),
                    };
                    match location {
                        Some(location) if declares(location) || !declares(CHANNELS) => {
                            add(location, mode);
                            if self.analysis.unknown_channels {
                                add(KNOWN_CHANNELS, Mode::Read);
                            }
                            if self.analysis.unknown_channels && note.write {
                                add(CHANNELS, Mode::Accumulate);
                            }
                        }
                        _ => {
                            add(CHANNELS, mode);
                            if note.write {
                                add(KNOWN_CHANNELS, Mode::Write);
                            }
                        }
                    }
                }
                Touched::NoChannel => add(CHANNELS, Mode::Read),
                Touched::NewChannels if self.analysis.unknown_channels => add(CHANNELS, Mode::Accumulate),
                Touched::NewChannels => {}
                Touched::Population => add(POPULATION, mode),
                Touched::Births => add(BIRTHS, mode),
                Touched::Process(proctype) if self.analysis.watched[proctype] => {
                    let mode = if note.write { Mode::Accumulate } else { Mode::Read };
                    add(self.locations.processes(proctype), mode);
                }
                Touched::Process(_) => {}
                Touched::Priorities => add(PRIORITIES, mode),
                Touched::Everything => add(EVERYTHING, mode),
            }
        }
    }

    /// What finding out about the steps of a process reads.
    pub(super) fn add_guard_reads(&self, run: &Run, transition: Transition, out: &mut Footprint) {
        let mut declared = Footprint::new();
        self.footprint(run, transition, &mut declared);
        let timeouts: &[bool] = if self.machine.uses_timeout() { &[false, true] } else { &[false] };
        let mut notes = Vec::new();
        for &timeout in timeouts {
            // What is read inside of an indivisible sequence decides where there is more than one way through it, or somebody to be met on it.
            let (mut ways, mut lone) = (Vec::new(), Vec::new());
            self.paths(run, transition.process, timeout, |_, head, path, _, _| {
                let proctype = run.state.proctype(head.slot);
                let here = &self.analysis.proctypes[proctype][run.state.location(head.slot) as usize];
                let edge = &here.edges[head.edge as usize];
                if edge.branches || edge.wild {
                    ways.push(path.to_vec());
                } else if self.analysis.cluster_of[proctype].is_some() {
                    lone.push(path.to_vec());
                }
            });
            let recorder = self.machine.recorder();
            let replay = |ways: &[Vec<_>]| {
                ways.iter()
                    .for_each(|way| self.machine.replay(&mut run.state.clone(), way, timeout))
            };
            let ((), noted) = recorder.notes(|| {
                for slot in self.slots(run, transition.process) {
                    self.machine.look_around(&run.state, slot, timeout);
                }
                replay(&lone);
            });
            notes.extend(noted.into_iter().filter(|note| note.guard));
            let ((), noted) = recorder.notes(|| replay(&ways));
            let looked_at = |note: &Note| note.guard || !note.write;
            notes.extend(noted.into_iter().filter(looked_at).map(|note| Note { guard: true, ..note }));
        }
        self.add_notes(&notes, &run.names, &declared, out);
    }

    /// Gives a variable another value, a channel other messages. Not where steps may depend on more than they name.
    pub(super) fn change(&self, run: &mut Run, location: Location, seed: u64) -> bool {
        if self.analysis.everything {
            return false;
        }
        match self.locations.meaning(location) {
            Meaning::Cell(first) => self.change_cell(run, first, seed),
            Meaning::Channel(number) if !self.analysis.unknown_channels => self.change_channel(run, number as i32, seed),
            _ => false,
        }
    }

    fn change_cell(&self, run: &mut Run, first: usize, seed: u64) -> bool {
        let cells = &self.machine.model().cells;
        let alike: Vec<&model::Cell> = match self.locations.is_coarse(first as u32) {
            true => cells.iter().filter(|c| c.variable == cells[first].variable).collect(),
            false => vec![&cells[first]],
        };
        let cell = alike[(seed >> 8) as usize % alike.len()];
        if cell.meaning == model::Meaning::Channel {
            return false;
        }
        let offset = cell.offset as usize;
        let before = crate::machine::load(run.state.bytes(), offset, cell.kind);
        let after = cell.kind.wrap(before.wrapping_add(1 + (seed % 2) as i32));
        crate::machine::store(run.state.bytes_mut(), offset, cell.kind, after);
        before != after
    }

    fn change_channel(&self, run: &mut Run, number: i32, seed: u64) -> bool {
        let Ok(queue) = self.machine.queue(&run.state, number) else {
            return false;
        };
        let (channel, length) = (queue.channel, queue.len());
        if channel.capacity == 0 || channel.meanings.contains(&model::Meaning::Channel) {
            return false;
        }
        let message: Vec<i32> = channel.fields.iter().map(|_| (seed % 3) as i32).collect();
        match length < channel.capacity && (length == 0 || seed.is_multiple_of(2)) {
            true => self.machine.put(&mut run.state, number, &message, false).is_ok(),
            false => self.machine.take(&mut run.state, number, 0).is_ok(),
        }
    }
}
