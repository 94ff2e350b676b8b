//! Taking a step.

use super::births::Slot;
use super::code::{Computed, DEEP, Fault, Op, SHALLOW, Stack, Values, compute, is_inside};
use super::comparable::scatter;
use super::compile::{CompiledStep, ENDED};
use super::hash::Key;
use super::meter::{Meter, Recorder};
use super::{Machine, Run};
use mazurka_core::{Effects, Failure, Footprint, Process, Transition};

impl Machine {
    /// Sets a cell and returns by what the fingerprint changes.
    #[inline]
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
        if !effects.report_touched {
            self.take_metered(run, transition, effects, &mut ());
            return;
        }
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

    fn take_metered<M: Meter>(&self, run: &mut Run, transition: Transition, effects: &mut Effects, meter: &mut M) {
        let slot = self.slot(transition.process);
        let (base, body) = (slot.base as usize, slot.body as usize);
        let Some(step) = self.next_step(run, slot) else { return };
        let pc = run.cells[base];
        let last = self.bodies[body].steps.len() as i32 - 1;
        let mut next = if pc == last { ENDED } else { pc + 1 };
        let guard = if step.guard_faults {
            self.guard_value(run, slot, step, transition.choice, meter).err()
        } else {
            None
        };
        if let Some((local, _)) = step.choose {
            Self::set_own(run, slot, 1 + local as usize, transition.choice as i32);
        }
        let fault = match &*step.code {
            _ if guard.is_some() => guard,
            // The commonest steps need no stack.
            [Op::SetShared { cell, value }] => {
                meter.write(*cell);
                self.set_shared(run, *cell, *value);
                None
            }
            [Op::AddShared { cell, value, commutes }] => {
                self.add_shared(run, *cell, *value, *commutes, meter);
                None
            }
            [Op::Load { local, cell }] => {
                meter.read(*cell);
                Self::set_own(run, slot, 1 + *local as usize, run.cells[*cell as usize]);
                None
            }
            [] => None,
            code if step.deep => self.execute::<DEEP, M>(run, transition.process, slot, code, &mut next, effects, meter),
            code => self.execute::<SHALLOW, M>(run, transition.process, slot, code, &mut next, effects, meter),
        };
        if let Some(fault) = fault {
            effects.failure = Some(Failure {
                at: self.position(body, pc as usize),
                ..self.failure(run, slot, &step.asserts, fault)
            });
            next = self.remember_fault(run, slot, step, fault);
        }
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

    fn add_shared<M: Meter>(&self, run: &mut Run, cell: u32, value: i32, commutes: bool, meter: &mut M) {
        if commutes {
            meter.accumulate(cell);
        } else {
            meter.read(cell);
            meter.write(cell);
        }
        let sum = run.cells[cell as usize].wrapping_add(value);
        self.set_shared(run, cell, sum);
    }

    #[expect(clippy::too_many_arguments, reason = "the state of an interpreter's loop")]
    fn execute<const N: usize, M: Meter>(
        &self,
        run: &mut Run,
        process: Process,
        slot: Slot,
        code: &[Op],
        next: &mut i32,
        effects: &mut Effects,
        meter: &mut M,
    ) -> Option<Fault> {
        let mut stack = Stack::<N>::new();
        let mut at = 0;
        while let Some(op) = code.get(at) {
            at += 1;
            let values = Values {
                cells: &run.cells,
                locals: slot.base as usize + 1,
                chosen: None,
            };
            match compute(*op, values, &mut stack, meter) {
                Computed::Next => continue,
                Computed::Skip(n) => {
                    at += n as usize;
                    continue;
                }
                Computed::Fault(fault) => return Some(fault),
                Computed::Other => {}
            }
            match *op {
                Op::StoreLocal(l) => {
                    let value = stack.pop();
                    Self::set_own(run, slot, 1 + l as usize, value);
                }
                Op::StoreShared(cell) => {
                    let value = stack.pop();
                    meter.write(cell);
                    self.set_shared(run, cell, value);
                }
                Op::StoreElement { base, length } => {
                    let value = stack.pop();
                    let index = stack.pop();
                    if !is_inside(index, length) {
                        return Some(Fault::OutOfBounds { base, index });
                    }
                    meter.write(base + index as u32);
                    self.set_shared(run, base + index as u32, value);
                }
                Op::SetShared { cell, value } => {
                    meter.write(cell);
                    self.set_shared(run, cell, value);
                }
                Op::AddShared { cell, value, commutes } => self.add_shared(run, cell, value, commutes, meter),
                Op::Accumulate(cell) => {
                    let value = stack.pop();
                    self.add_shared(run, cell, value, true, meter);
                }
                Op::AccumulateElement(base) => {
                    let value = stack.pop();
                    let index = stack.pop();
                    self.add_shared(run, base + index as u32, value, true, meter);
                }
                Op::Load { local, cell } => {
                    meter.read(cell);
                    let value = run.cells[cell as usize];
                    Self::set_own(run, slot, 1 + local as usize, value);
                }
                Op::Token => stack.push(self.token(process)),
                Op::JumpIfZero(to) => {
                    if stack.pop() == 0 {
                        at = to as usize;
                    }
                }
                Op::Jump(to) => at = to as usize,
                Op::Assert(id) => {
                    if stack.pop() == 0 {
                        return Some(Fault::Assertion(id));
                    }
                }
                Op::Spawn { body, values } => {
                    let child = self.spawn(run, process, slot, body as usize, stack.pop_many(values as usize));
                    effects.births.push(child);
                }
                Op::Goto(to) => {
                    *next = to;
                    return None;
                }
                _ => unreachable!("computed above"),
            }
        }
        None
    }

    fn spawn(&self, run: &mut Run, process: Process, slot: Slot, body: usize, values: &[i32]) -> Process {
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
