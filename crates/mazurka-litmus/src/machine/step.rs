//! Taking a step.

use super::births::Slot;
use super::code::{DEEP, Fault, Op, SHALLOW, Stack, Values, compute};
use super::compile::{ENDED, FAILED};
use super::hash::Key;
use super::{Footprints, Machine, Run};
use crate::model::Expr;
use mazurka_core::{Effects, Failure, FailureKind, Process, Transition};

impl Machine {
    /// Sets a cell and returns by what the fingerprint changes.
    #[inline]
    fn set(run: &mut Run, cell: usize, key: Key, value: i32) -> u128 {
        let old = std::mem::replace(&mut run.cells[cell], value);
        if old == value { 0 } else { key.hash(old) ^ key.hash(value) }
    }

    #[inline]
    fn set_shared(&self, run: &mut Run, cell: u32, value: i32) {
        let change = Self::set(run, cell as usize, self.shared_key.cell(cell as usize), value);
        run.fingerprint ^= change;
        run.shared ^= change;
    }

    #[inline]
    fn set_own(run: &mut Run, slot: Slot, offset: usize, value: i32) {
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

    pub(super) fn take(&self, run: &mut Run, transition: Transition, effects: &mut Effects) {
        let slot = self.slot(transition.process);
        let (base, body) = (slot.base as usize, slot.body as usize);
        let Some(step) = self.next_step(run, slot) else { return };
        let pc = run.cells[base];
        if effects.report_touched && !step.exact {
            let source = &self.model.bodies()[body].steps[pc as usize];
            self.flow(run, slot, Footprints::Dynamic)
                .add_footprint(source, transition.choice, step.monotone, &mut effects.touched);
        }
        if let Some((local, _)) = step.choose {
            Self::set_own(run, slot, 1 + local as usize, transition.choice as i32);
        }
        let last = self.bodies[body].steps.len() as i32 - 1;
        let mut next = if pc == last { ENDED } else { pc + 1 };
        let fault = match &*step.code {
            // The commonest steps need no stack.
            [Op::SetShared { cell, value }] => {
                self.set_shared(run, *cell, *value);
                None
            }
            [Op::AddShared { cell, value }] => {
                let sum = run.cells[*cell as usize].wrapping_add(*value);
                self.set_shared(run, *cell, sum);
                None
            }
            [Op::Load { local, cell }] => {
                Self::set_own(run, slot, 1 + *local as usize, run.cells[*cell as usize]);
                None
            }
            [] => None,
            code if step.deep => self.execute::<DEEP>(run, transition.process, slot, code, &mut next, effects),
            code => self.execute::<SHALLOW>(run, transition.process, slot, code, &mut next, effects),
        };
        if let Some(fault) = fault {
            effects.failure = Some(Failure {
                at: self.position(body, pc as usize),
                ..self.failure(run, slot, &step.asserts, fault)
            });
            next = FAILED - (((pc << 12) | fault.code()) & 0x3fff_ffff);
        }
        Self::set_own(run, slot, 0, next);
        if slot.task && next < 0 {
            run.live.retain(|p| *p != transition.process.0);
        }
    }

    fn execute<const N: usize>(
        &self,
        run: &mut Run,
        process: Process,
        slot: Slot,
        code: &[Op],
        next: &mut i32,
        effects: &mut Effects,
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
            match compute(*op, values, &mut stack) {
                Some(Ok(())) => continue,
                Some(Err(fault)) => return Some(fault),
                None => {}
            }
            match *op {
                Op::StoreLocal(l) => {
                    let value = stack.pop();
                    Self::set_own(run, slot, 1 + l as usize, value);
                }
                Op::StoreShared(cell) => {
                    let value = stack.pop();
                    self.set_shared(run, cell, value);
                }
                Op::StoreElement { base, length } => {
                    let value = stack.pop();
                    let index = stack.pop();
                    if index < 0 || index as u32 >= length {
                        return Some(Fault::OutOfBounds { base, index });
                    }
                    self.set_shared(run, base + index as u32, value);
                }
                Op::SetShared { cell, value } => self.set_shared(run, cell, value),
                Op::AddShared { cell, value } => {
                    let sum = run.cells[cell as usize].wrapping_add(value);
                    self.set_shared(run, cell, sum);
                }
                Op::Load { local, cell } => {
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
                    let offset = self.bodies[slot.body as usize]
                        .spawns
                        .expect("a body with a spawn counts its spawns");
                    let nth = run.cells[slot.base as usize + offset];
                    Self::set_own(run, slot, offset, nth.wrapping_add(1));
                    let (child, place) = self
                        .births
                        .child(process, nth as u32, body as usize, self.bodies[body as usize].cells);
                    self.place(run, place, stack.pop_many(values as usize));
                    run.spawned.push(child.0);
                    if run.cells[place.base as usize] >= 0 {
                        run.live.push(child.0);
                    }
                    effects.births.push(child);
                }
                Op::Goto(to) => {
                    *next = to;
                    return None;
                }
                Op::Const(_)
                | Op::Local(_)
                | Op::Shared(_)
                | Op::SharedWith { .. }
                | Op::Element { .. }
                | Op::Only { .. }
                | Op::Not
                | Op::Negate
                | Op::Binary(_)
                | Op::With(..) => {
                    unreachable!("computed above")
                }
            }
        }
        None
    }

    /// What a lock holds while this process has it.
    pub(super) fn token(&self, process: Process) -> i32 {
        if process.index() < self.roots.len() {
            process.0 as i32 + 1
        } else {
            self.slot(process).key.token()
        }
    }

    fn failure(&self, run: &Run, slot: Slot, asserts: &[(Expr, Option<String>)], fault: Fault) -> Failure {
        let body = &self.model.bodies()[slot.body as usize];
        let (kind, message) = match fault {
            Fault::Assertion(id) => {
                let (condition, message) = &asserts[id as usize];
                let text = crate::text::expression_text(&self.model, body, condition);
                let values = self.values_in(run, slot, condition);
                let said = message.as_ref().map_or(String::new(), |m| format!("{m}: "));
                (FailureKind::Assertion, format!("{said}{} asserts {text}, but {values}", body.name))
            }
            Fault::DivisionByZero => (FailureKind::Exception, format!("{} divides by zero", body.name)),
            Fault::OutOfBounds { base, index } => {
                let variable = self
                    .bases
                    .iter()
                    .position(|b| *b == base)
                    .map_or("?", |v| &self.model.variables()[v].name);
                (
                    FailureKind::Exception,
                    format!("{} uses {variable}[{index}], which is outside the array", body.name),
                )
            }
        };
        Failure { kind, message, at: None }
    }

    /// The variables of an expression with their values: `x is 2, y is 0`.
    fn values_in(&self, run: &Run, slot: Slot, e: &Expr) -> String {
        fn collect(e: &Expr, out: &mut Vec<Expr>) {
            match e {
                Expr::Int(_) => {}
                Expr::Local(_) => out.push(e.clone()),
                Expr::Shared(_, index) => {
                    index.iter().for_each(|i| collect(i, out));
                    out.push(e.clone());
                }
                Expr::Not(a) | Expr::Negate(a) => collect(a, out),
                Expr::Binary(_, a, b) => {
                    collect(a, out);
                    collect(b, out);
                }
            }
        }
        let body = &self.model.bodies()[slot.body as usize];
        let mut atoms = Vec::new();
        collect(e, &mut atoms);
        let mut parts: Vec<String> = Vec::new();
        for atom in &atoms {
            let part = format!(
                "{} is {}",
                crate::text::expression_text(&self.model, body, atom),
                self.value_of(run, slot, atom)
            );
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        if parts.is_empty() {
            "it is constant".to_string()
        } else {
            parts.join(", ")
        }
    }

    /// The value of an expression, 0 where it has none.
    fn value_of(&self, run: &Run, slot: Slot, e: &Expr) -> i32 {
        match e {
            Expr::Int(v) => *v,
            Expr::Local(l) => run.cells[slot.base as usize + 1 + l.0],
            Expr::Shared(v, index) => {
                let i = index.as_ref().map_or(0, |i| self.value_of(run, slot, i));
                let inside = usize::try_from(i).ok().filter(|i| *i < self.model.variables()[*v].initial.len());
                inside.map_or(0, |i| run.cells[self.bases[*v] as usize + i])
            }
            Expr::Not(a) => i32::from(self.value_of(run, slot, a) == 0),
            Expr::Negate(a) => self.value_of(run, slot, a).wrapping_neg(),
            Expr::Binary(op, a, b) => super::code::apply(*op, self.value_of(run, slot, a), self.value_of(run, slot, b)).unwrap_or(0),
        }
    }
}
