//! What a process, and those that it starts, may touch from a state on, as locations of the engine; and which variables nobody reads any more.

use super::fingerprint::Hasher;
use super::footprints::Sink;
use super::locations::BIRTHS;
use super::{Promela, Run};
use crate::analysis::{Access, AccessMode, ChannelRef, Future, Object};
use mazurka_core::{Fingerprint, Footprint, Futures, Liveness, Location, Mode, Process, locked};
use std::sync::Arc;

/// Where a future begins: at a location of a process type, or anywhere in a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Beginning {
    Location(usize, u32),
    Group(usize),
}

impl Promela {
    fn future_from(&self, from: Beginning) -> Arc<Future> {
        let mut known = locked(&self.futures);
        let future = known.entry(from).or_insert_with(|| {
            Arc::new(match from {
                Beginning::Location(proctype, location) => self.analysis.future(&self.machine, &self.fixed, proctype, location),
                Beginning::Group(cluster) => self.analysis.future_of_group(&self.machine, cluster),
            })
        });
        Arc::clone(future)
    }

    /// Where the future of the process in this slot begins.
    fn beginning(&self, run: &Run, slot: usize) -> Beginning {
        let proctype = run.state.proctype(slot);
        match self.analysis.cluster_of[proctype] {
            Some(cluster) => Beginning::Group(cluster),
            None => Beginning::Location(proctype, run.state.location(slot)),
        }
    }

    /// Which global cells some process, living or to come, may still read.
    fn live_cells(&self, run: &Run) -> Vec<bool> {
        let mut live = vec![false; self.machine.model().cells.len()];
        for slot in 0..run.state.processes() {
            let future = self.future_from(self.beginning(run, slot));
            let reads = future.own.iter().chain(&future.others).filter(|a| a.mode == AccessMode::Read);
            for access in reads {
                if let Object::Cells(cells) | Object::Indexed { cells, .. } = &access.object {
                    cells.iter().for_each(|&cell| live[cell as usize] = true);
                }
            }
        }
        live
    }

    /// Adds an access of a process that is not there yet, or of any of a group: a channel that it gets from somebody may be any of those
    /// that there are, or none; one that it brings with it has no location yet, but those who may be about any channel may be about it.
    fn add_foreign(&self, run: &Run, access: &Access, out: &mut Sink<'_>) {
        self.add_access(run, None, access, out);
        if let Object::Channel(ChannelRef::Any | ChannelRef::Local(_)) | Object::OwnChannels = access.object {
            let mode = match access.mode {
                AccessMode::Read => Mode::Read,
                AccessMode::Write => Mode::Write,
            };
            self.channels(run)
                .into_iter()
                .for_each(|channel| out.touch(channel, mode, access.guard));
            self.touch_one_of_many(mode, access.guard, out);
        }
    }

    /// The channels that there are.
    fn channels(&self, run: &Run) -> Vec<Location> {
        let model = self.machine.model();
        let global = (0..model.global_channels.len()).map(|index| self.locations.global_channel(index));
        let own = run.names.iter().enumerate().flat_map(|(slot, &name)| {
            let channels = model.proctypes[run.state.proctype(slot)].channels.len();
            (0..channels).map(move |channel| self.locations.own_channel(name, channel))
        });
        global.chain(own).collect()
    }
}

impl Futures<Run> for Promela {
    fn future(&self, run: &Run, process: Process, footprint: &mut Footprint) -> bool {
        let Some(slot) = self.slots(run, process).next() else {
            return false;
        };
        let out = &mut Sink { footprint, certain: false };
        let proctype = run.state.proctype(slot);
        let future = self.future_from(self.beginning(run, slot));
        self.add_presence(proctype, out);
        future.own.iter().for_each(|a| self.add_access(run, Some(slot), a, out));
        future.others.iter().for_each(|a| self.add_foreign(run, a, out));
        future.proctypes.iter().for_each(|&p| self.add_presence(p, out));
        if future.joins {
            out.touch(BIRTHS, Mode::Read, true);
        }
        true
    }
}

impl Liveness<Run> for Promela {
    fn live_fingerprint(&self, run: &Run) -> Fingerprint {
        let mut buffer = Vec::new();
        let mut bytes = self.machine.key(&run.state, &mut buffer).to_vec();
        for (cell, live) in self.machine.model().cells.iter().zip(self.live_cells(run)) {
            if !live {
                let at = cell.offset as usize;
                bytes[at..at + cell.kind.size() as usize].fill(0);
            }
        }
        let mut hasher = Hasher::new();
        hasher.bytes(&bytes);
        self.hash_rest(run, hasher)
    }
}
