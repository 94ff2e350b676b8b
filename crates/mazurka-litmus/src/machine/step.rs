//! Taking a step.

use super::births::Slot;
use super::code::{Fault, Op};
use super::comparable::scatter;
use super::compile::{CompiledStep, ENDED};
use super::hash::Key;
use super::interpreter::{self, Ran};
use super::meter::{Meter, Recorder};
use super::values::{DEEP, SHALLOW, Stepping, Values};
use super::{Machine, Run};
use mazurka_core::{Effects, Failure, Footprint, Process, Transition};

impl Machine {
    /// Sets a cell and returns by what the fingerprint changes.
    #[inline(always)]
    fn set(run: &mut Run, cell: usize, key: Key, value: i32) -> u128 {
        let old = std::mem::replace(&mut run.cells[cell], value);
        if old == value { 0 } else { key.hash(old) ^ key.hash(value) }
    }

    #[inline]
    pub(super) fn set_shared(&self, run: &mut Run, cell: u32, value: i32) {
        let change = Self::set(run, cell as usize, self.shared_key.cell(cell as usize), value);
        run.fingerprint ^= change;
        run.shared ^= change;
    }

    #[inline]
    pub(super) fn set_own(run: &mut Run, slot: Slot, offset: usize, value: i32) {
        let change = Self::set(run, slot.base as usize + offset, slot.key.cell(offset), value);
        run.fingerprint ^= change;
        if slot.task {
            run.tasks ^= change;
        }
    }

    /// Gives a new process its cells; `values` are those of its first locals.
    pub(super) fn place(&self, run: &mut Run, slot: Slot, values: &[i32]) {
        let (body, base) = (slot.body as usize, slot.base as usize);
        let cells = self.bodies[body].cells;
        if run.cells.len() < base + cells {
            run.cells.resize(base + cells, 0);
        }
        run.cells[base..base + cells].fill(0);
        if self.bodies[body].steps.is_empty() {
            run.cells[base] = ENDED;
        }
        for (i, local) in self.model.bodies()[body].locals.iter().enumerate() {
            run.cells[base + 1 + i] = values.get(i).copied().unwrap_or(local.initial);
        }
        let own = self.own_cells(run, slot);
        run.fingerprint ^= own;
        if slot.task {
            run.tasks ^= own;
        }
    }

    #[inline]
    pub(super) fn take(&self, run: &mut Run, transition: Transition, effects: &mut Effects) {
        if effects.report_touched {
            self.take_recorded(run, transition, effects);
        } else {
            self.take_metered(run, transition, effects, &mut ());
        }
    }

    /// Takes a step, and adds what it touches to its effects.
    #[cold]
    fn take_recorded(&self, run: &mut Run, transition: Transition, effects: &mut Effects) {
        self.add_guard_reads(run, transition, &mut effects.touched);
        let mut recorder = Recorder::default();
        self.take_metered(run, transition, effects, &mut recorder);
        recorder.add_to(&mut effects.touched);
    }

    /// Adds what evaluating the guard of a pending transition reads.
    pub(super) fn add_guard_reads(&self, run: &Run, transition: Transition, out: &mut Footprint) {
        let slot = self.slot(transition.process);
        let mut recorder = Recorder::default();
        if let Some(step) = self.next_step(run, slot) {
            let _ = self.guard_value(run, slot, step, transition.choice, &mut recorder);
        }
        recorder.add_guards_to(out);
    }

    #[inline(always)]
    fn take_metered<M: Meter>(&self, run: &mut Run, transition: Transition, effects: &mut Effects, meter: &mut M) {
        let slot = self.slot(transition.process);
        let (base, body) = (slot.base as usize, slot.body as usize);
        let Some(step) = self.next_step(run, slot) else { return };
        let pc = run.cells[base];
        let last = self.bodies[body].steps.len() as i32 - 1;
        let guard = if step.guard_faults {
            self.guard_value(run, slot, step, transition.choice, meter).err()
        } else {
            None
        };
        if let Some((local, _)) = step.choose {
            Self::set_own(run, slot, 1 + local as usize, transition.choice as i32);
        }
        let ran = match guard {
            Some(fault) => Err(fault),
            None => {
                let at = Stepping {
                    machine: self,
                    run,
                    process: transition.process,
                    slot,
                    effects,
                };
                match &*step.code {
                    [] => Ok(Ran::On),
                    // The commonest steps need no stack.
                    [op @ (Op::SetShared { .. } | Op::AddShared { .. } | Op::Load { .. })] => {
                        interpreter::write(*op, &mut Values::<_, M, 0>::new(at, base + 1, None, meter)).map(|()| Ran::On)
                    }
                    code if step.deep => interpreter::run(code, 0, &mut Values::<_, M, DEEP>::new(at, base + 1, None, meter)),
                    code => interpreter::run(code, 0, &mut Values::<_, M, SHALLOW>::new(at, base + 1, None, meter)),
                }
            }
        };
        let next = match ran {
            Ok(Ran::On) if pc == last => ENDED,
            Ok(Ran::On) => pc + 1,
            Ok(Ran::Left(to)) => to,
            Err(fault) => {
                effects.failure = Some(Failure {
                    at: self.position(body, pc as usize),
                    ..self.failure(run, slot, &step.asserts, fault)
                });
                self.remember_fault(run, slot, step, fault)
            }
        };
        Self::set_own(run, slot, 0, next);
        if slot.task && next < 0 {
            run.live.retain(|p| *p != transition.process.0);
            self.finish_task(run, slot);
        }
    }

    /// Keeps how a process failed; returns its program counter from now on.
    fn remember_fault(&self, run: &mut Run, slot: Slot, step: &CompiledStep, fault: Fault) -> i32 {
        if let (Fault::OutOfBounds { index, .. }, Some(offset)) = (fault, self.bodies[slot.body as usize].outside) {
            Self::set_own(run, slot, offset, index);
        }
        step.failed_at(fault)
    }

    /// What a finished task knew stays a part of the state, without its name.
    fn finish_task(&self, run: &mut Run, slot: Slot) {
        run.finished = run.finished.wrapping_add(scatter(self.nameless_cells(run, slot)));
    }

    pub(super) fn spawn(&self, run: &mut Run, process: Process, slot: Slot, body: usize, values: &[i32]) -> Process {
        let offset = self.bodies[slot.body as usize]
            .spawns
            .expect("a body with a spawn counts its spawns");
        let nth = run.cells[slot.base as usize + offset];
        Self::set_own(run, slot, offset, nth.wrapping_add(1));
        let (child, place) = self.births.child(process, nth as u32, body, self.bodies[body].cells);
        self.place(run, place, values);
        run.spawned.push(child.0);
        if run.cells[place.base as usize] >= 0 {
            run.live.push(child.0);
        } else {
            self.finish_task(run, place);
        }
        child
    }

    /// What a lock holds while this process has it.
    pub(super) fn token(&self, process: Process) -> i32 {
        if process.index() < self.roots.len() {
            process.0 as i32 + 1
        } else {
            self.slot(process).key.token()
        }
    }
}
