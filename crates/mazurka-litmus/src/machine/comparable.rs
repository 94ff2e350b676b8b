//! What merging asks of a shared-variable program: values, conditions evaluated in other contexts, states up to the names of tasks.

use super::births::Slot;
use super::compile::ENDED;
use super::hash::Key;
use super::origins::{Known, Origins};
use super::{Machine, Run};
use mazurka_core::{Atom, Comparable, Fingerprint, Influence, Knowledge, Location, Predicate, Process, Task, Transition};
use smallvec::SmallVec;

impl Comparable<Run> for Machine {
    fn value(&self, run: &Run, location: Location) -> i64 {
        i64::from(run.cells[location.index()])
    }

    fn guard(&self, run: &Run, process: Process, atoms: &mut SmallVec<[Atom; 4]>) -> Predicate {
        let slot = self.slot(process);
        let (body, step) = (slot.body as usize, run.cells[slot.base as usize] as usize);
        let guarded = &self.bodies[body].steps[step].guarded;
        atoms.extend(Known::new(self, run, process, Knowledge::Locals).atoms(guarded, &mut Vec::new()));
        guarded.predicate
    }

    fn evaluate(&self, predicate: Predicate, atoms: &[i64]) -> u64 {
        self.predicates.evaluate(predicate, atoms)
    }

    fn control(&self, run: &Run, knowledge: Knowledge, tasks: Option<&mut Vec<Task>>) -> Fingerprint {
        let anonymous = tasks.is_some() && self.exchangeable;
        let mut fingerprint = match knowledge {
            // The fingerprint without the tasks, if these are to be added without their names.
            Knowledge::Everything if run.spawned.is_empty() || !anonymous => return run.fingerprint,
            Knowledge::Locals if run.spawned.is_empty() || !anonymous => return run.fingerprint ^ run.shared,
            Knowledge::Everything => (run.fingerprint ^ run.tasks).wrapping_add(run.finished),
            Knowledge::Locals => (run.fingerprint ^ run.shared ^ run.tasks).wrapping_add(run.finished),
            // Nothing that can still fail depends on what finished tasks knew.
            Knowledge::Positions => self.roots.iter().fold(0, |f, slot| f ^ self.position_of_root(run, slot)),
        };
        let mut none = Vec::new();
        let tasks = tasks.unwrap_or(&mut none);
        for process in &run.live {
            let process = Process(*process);
            let slot = self.slot(process);
            if anonymous {
                let state = self.nameless_cells(run, slot);
                // A sum, since there may be several tasks in the same state.
                fingerprint = fingerprint.wrapping_add(scatter(state));
                tasks.push(Task { state, process });
            } else {
                fingerprint ^= self.own_cells(run, slot);
            }
        }
        fingerprint
    }

    fn influence(&self, run: &Run, transition: Transition, knowledge: Knowledge, out: &mut Influence) {
        if let Some(step) = self.next_step(run, self.slot(transition.process)) {
            Origins::step(Known::new(self, run, transition.process, knowledge), step, transition, out);
        }
    }

    fn addressing(&self, run: &Run, process: Process, out: &mut Vec<Location>) {
        let slot = self.slot(process);
        if process.index() < self.roots.len()
            && let Some(step) = self.next_step(run, slot)
        {
            out.extend(step.addressing.iter().map(|l| Location(slot.base + 1 + l)));
        }
    }

    fn overwrites(&self) -> bool {
        self.overwrites
    }

    fn shared_locations(&self) -> std::ops::Range<u32> {
        0..self.shared as u32
    }
}

impl Machine {
    /// The part of the fingerprint that the cells of a process contribute.
    pub(super) fn own_cells(&self, run: &Run, slot: Slot) -> Fingerprint {
        let cells = self.bodies[slot.body as usize].cells;
        (0..cells).fold(0, |f, i| f ^ slot.key.cell(i).hash(run.cells[slot.base as usize + i]))
    }

    /// Where a process that exists from the start is. How many tasks it has started decides the names of those to come.
    fn position_of_root(&self, run: &Run, slot: &Slot) -> Fingerprint {
        let base = slot.base as usize;
        let position = slot.key.hash(run.cells[base].max(ENDED));
        match self.bodies[slot.body as usize].spawns {
            Some(offset) => position ^ slot.key.cell(offset).hash(run.cells[base + offset]),
            None => position,
        }
    }

    /// Where a task is and what it knows. How many tasks it has started so far is a matter of names only.
    pub(super) fn nameless_cells(&self, run: &Run, slot: Slot) -> Fingerprint {
        let body = &self.bodies[slot.body as usize];
        let key = Key::root(slot.body as usize);
        let cells = (0..body.cells).filter(|i| Some(*i) != body.spawns);
        cells.fold(0, |f, i| f ^ key.cell(i).hash(run.cells[slot.base as usize + i]))
    }
}

/// Spreads a fingerprint so that sums of several tell as much as they do.
pub(super) fn scatter(state: Fingerprint) -> Fingerprint {
    let odd = 0x9e37_79b9_7f4a_7c15_d1b5_4a32_d192_ed03;
    let mixed = (state ^ (state >> 67)).wrapping_mul(odd);
    (mixed ^ (mixed >> 61)).wrapping_mul(odd)
}
