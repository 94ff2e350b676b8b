//! What a compiled program knows about itself beyond what a search needs; the comparison of values is in [`super::comparable`].

use super::{Machine, Run};
use mazurka_core::{Fingerprint, Footprint, Futures, GuardLocations, Instruments, Liveness, Location, Process, Transition};

impl Liveness<Run> for Machine {
    fn live_fingerprint(&self, run: &Run) -> Fingerprint {
        let mut live = vec![false; self.shared];
        for process in self.processes(run) {
            let slot = self.slot(process);
            let pc = run.cells[slot.base as usize];
            if let Some(reads) = usize::try_from(pc)
                .ok()
                .and_then(|step| self.liveness().from(slot.body as usize, step))
            {
                live.iter_mut().zip(reads).for_each(|(mine, theirs)| *mine |= theirs);
            }
        }
        let shared = (0..self.shared).filter(|i| live[*i]);
        shared.fold(self.outcome(run), |f, i| f ^ self.shared_key.cell(i).hash(run.cells[i]))
    }
}

impl Futures<Run> for Machine {
    fn future(&self, run: &Run, process: Process, out: &mut Footprint) -> bool {
        let slot = self.slot(process);
        let step = usize::try_from(run.cells[slot.base as usize]).ok();
        if let Some(touches) = step.and_then(|step| self.liveness().touches(slot.body as usize, step)) {
            touches.accesses().iter().for_each(|a| out.add(*a));
        }
        true
    }
}

impl GuardLocations for Machine {
    fn may_guard(&self, location: Location) -> bool {
        self.guard_cells.get(location.index()).copied().unwrap_or(true)
    }
}

impl Instruments<Run> for Machine {
    fn guard_reads(&self, run: &Run, transition: Transition, out: &mut Footprint) -> bool {
        self.add_guard_reads(run, transition, out);
        true
    }

    fn perturb(&self, run: &mut Run, location: Location, seed: u64) -> bool {
        let is_shared = location.index() < self.shared;
        if is_shared {
            // Small values are those that programs compare with, and use as indexes.
            let values = [0, 1, 2, 3, -1, 7, i32::MAX, i32::MIN];
            let new = values[seed as usize % values.len()];
            let old = run.cells[location.index()];
            self.set_shared(run, location.0, if new == old { old.wrapping_add(1) } else { new });
        }
        is_shared
    }
}

/// Threads may share a program; its states are theirs alone.
const _: () = {
    const fn is_shared<T: Sync>() {}
    is_shared::<Machine>();
};
