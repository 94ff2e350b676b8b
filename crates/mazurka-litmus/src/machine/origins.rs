//! A step run on numbers that remember where they come from.

use super::births::Slot;
use super::code::{Fault, Op};
use super::compile::CompiledStep;
use super::interpreter::{Domain, Steps, run};
use super::predicates::{Condition, Source};
use super::{Machine, Run};
use crate::model::Binary;
use mazurka_core::{Atom, Influence, Knowledge, Location, Origin, Process, Transition};
use smallvec::SmallVec;
use std::ops::Range;

/// A number and where it comes from, seen from before the step.
#[derive(Clone, Debug)]
pub(super) struct Value {
    number: i32,
    origin: Origin,
}

impl Value {
    fn constant(number: i32) -> Self {
        Value {
            number,
            origin: Origin::Constant,
        }
    }

    fn shifted(self, by: i32) -> Self {
        Value {
            number: self.number.wrapping_add(by),
            origin: match self.origin {
                Origin::Copy(from, plus) => Origin::Copy(from, plus.wrapping_add(i64::from(by))),
                other => other,
            },
        }
    }

    /// Something computed from several values.
    fn computed(number: i32, from: &[&Value]) -> Self {
        let mut locations: SmallVec<[Location; 4]> = from.iter().flat_map(|v| v.locations()).collect();
        locations.sort_unstable();
        locations.dedup();
        let origin = if locations.is_empty() {
            Origin::Constant
        } else {
            Origin::Computed(locations)
        };
        Value { number, origin }
    }

    /// The locations it depends on.
    fn locations(&self) -> impl Iterator<Item = Location> + '_ {
        let (one, many) = match &self.origin {
            Origin::Constant => (None, &[][..]),
            Origin::Copy(from, _) => (Some(*from), &[][..]),
            Origin::Computed(from) => (None, &from[..]),
        };
        one.into_iter().chain(many.iter().copied())
    }

    /// The value as an atom; what it was computed from must be known.
    fn atom(&self, reads: &mut Vec<Location>) -> Atom {
        match &self.origin {
            Origin::Copy(from, plus) => Atom::Open(*from, *plus),
            Origin::Constant => Atom::Known(i64::from(self.number)),
            Origin::Computed(from) => {
                reads.extend_from_slice(from);
                Atom::Known(i64::from(self.number))
            }
        }
    }
}

/// What a process knows and sees, in the middle of a step.
pub(super) struct Known<'m> {
    machine: &'m Machine,
    run: &'m Run,
    slot: Slot,
    /// Whether locals are private locations here; otherwise what a process knows is looked at.
    private: bool,
    /// The locals that the step has assigned.
    locals: Assigned,
    /// The shared cells that the step has written.
    shared: Assigned,
}

/// Places with new values, few of them.
type Assigned = SmallVec<[(u32, Value); 4]>;

fn assigned(places: &Assigned, place: u32) -> Option<&Value> {
    places.iter().find(|(p, _)| *p == place).map(|(_, value)| value)
}

fn assign(places: &mut Assigned, place: u32, value: Value) {
    match places.iter_mut().find(|(p, _)| *p == place) {
        Some((_, old)) => *old = value,
        None => places.push((place, value)),
    }
}

impl<'m> Known<'m> {
    pub(super) fn new(machine: &'m Machine, run: &'m Run, process: Process, knowledge: Knowledge) -> Self {
        Known {
            machine,
            run,
            slot: machine.slot(process),
            private: knowledge == Knowledge::Positions && process.index() < machine.roots.len(),
            locals: SmallVec::new(),
            shared: SmallVec::new(),
        }
    }

    fn cell(&self, cell: u32) -> Value {
        assigned(&self.shared, cell).cloned().unwrap_or_else(|| Value {
            number: self.run.cells[cell as usize],
            origin: Origin::Copy(Location(cell), 0),
        })
    }

    fn local(&self, local: u32) -> Value {
        assigned(&self.locals, local).cloned().unwrap_or_else(|| {
            let cell = self.slot.base + 1 + local;
            let number = self.run.cells[cell as usize];
            match self.private {
                true => Value {
                    number,
                    origin: Origin::Copy(Location(cell), 0),
                },
                false => Value::constant(number),
            }
        })
    }

    /// The atoms of a condition. Locations whose values must be known are added to `reads`.
    pub(super) fn atoms(&self, condition: &Condition, reads: &mut Vec<Location>) -> SmallVec<[Atom; 4]> {
        let mut atoms = SmallVec::new();
        for source in &condition.atoms {
            match source {
                Source::Local(local) => atoms.push(self.local(*local).atom(reads)),
                Source::Cells(array) => atoms.extend(array.cells().map(|cell| self.cell(cell).atom(reads))),
                Source::Picked { array, index, first } => {
                    // Which element it is must not be left open.
                    for atom in &mut atoms[*first as usize..] {
                        if let Atom::Open(location, _) = *atom {
                            reads.push(location);
                            *atom = Atom::Known(i64::from(self.number(atom)));
                        }
                    }
                    let index = self.machine.predicates.index(condition.predicate, index, &self.numbers(&atoms));
                    atoms.push(match index.and_then(|i| array.picked(i)) {
                        Some(cell) => self.cell(cell).atom(reads),
                        // Nobody looks at it, but those that follow keep their numbers.
                        None => Atom::Known(0),
                    });
                }
            }
        }
        atoms
    }

    /// The value of an atom at this time.
    fn number(&self, atom: &Atom) -> i32 {
        match *atom {
            Atom::Known(number) => number as i32,
            Atom::Open(location, plus) => self.run.cells[location.index()].wrapping_add(plus as i32),
        }
    }

    fn numbers(&self, atoms: &[Atom]) -> SmallVec<[i32; 8]> {
        atoms.iter().map(|atom| self.number(atom)).collect()
    }
}

/// A step in progress.
pub(super) struct Origins<'m, 'o> {
    known: Known<'m>,
    step: &'m CompiledStep,
    transition: Transition,
    stack: SmallVec<[Value; 4]>,
    out: &'o mut Influence,
}

impl<'m, 'o> Origins<'m, 'o> {
    /// Runs the step of a transition.
    pub(super) fn step(mut known: Known<'m>, step: &'m CompiledStep, transition: Transition, out: &'o mut Influence) {
        if let Some((local, _)) = step.choose {
            known.locals.push((local, Value::constant(transition.choice as i32)));
        }
        let mut origins = Origins {
            known,
            step,
            transition,
            stack: SmallVec::new(),
            out,
        };
        // A fault or a jump ends the step; what was done until then stays.
        if origins.guard().is_ok() {
            let _ = run(&step.code, 0, &mut origins);
        }
        let Origins { known, out, .. } = origins;
        for (cell, value) in known.shared {
            out.writes.push((Location(cell), value.origin));
        }
        for (local, value) in known.locals {
            if known.private {
                let cell = Location(known.slot.base + 1 + local);
                if value.origin != Origin::Copy(cell, 0) {
                    out.writes.push((cell, value.origin));
                }
            } else {
                out.reads.extend(value.locations());
            }
        }
    }

    /// A guard that may fail is tested by the step: whether and how it fails is all that is looked at.
    fn guard(&mut self) -> Result<(), Fault> {
        if self.step.guard_faults {
            let chosen = self.step.choose.map(|(local, _)| (local, self.transition.choice as i32));
            self.tested(&self.step.guarded, chosen)?;
        }
        Ok(())
    }

    /// The value of a condition, of which nothing else is looked at.
    fn tested(&mut self, condition: &Condition, chosen: Option<(u32, i32)>) -> Result<i32, Fault> {
        let atoms = self.known.atoms(condition, &mut self.out.reads);
        let numbers = self.known.numbers(&atoms);
        self.out.tests.push((condition.predicate, atoms));
        self.known.machine.predicates.value(condition.predicate, &numbers, chosen)
    }
}

impl Domain for Origins<'_, '_> {
    type Value = Value;
    type Fork = ();
    const PLAIN: bool = false;

    fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    fn pop(&mut self) -> Value {
        self.stack.pop().expect("code pops what it has pushed")
    }

    fn constant(&mut self, value: i32) -> Value {
        Value::constant(value)
    }

    fn local(&mut self, local: u32) -> Value {
        self.known.local(local)
    }

    fn read(&mut self, cell: u32) -> Value {
        self.known.cell(cell)
    }

    fn number(&self, value: &Value) -> Option<i32> {
        Some(value.number)
    }

    fn decides(&mut self, value: &Value) {
        self.out.reads.extend(value.locations());
    }

    fn derived(&mut self, number: i32, from: Value) -> Value {
        Value::computed(number, &[&from])
    }

    fn computed(&mut self, op: Binary, number: Option<i32>, left: Value, right: Value) -> Value {
        match (op, &left.origin, &right.origin) {
            (Binary::Add, _, Origin::Constant) => left.shifted(right.number),
            (Binary::Add, Origin::Constant, _) => right.shifted(left.number),
            (Binary::Subtract, _, Origin::Constant) => left.shifted(right.number.wrapping_neg()),
            _ => Value::computed(number.unwrap_or_default(), &[&left, &right]),
        }
    }

    fn connective(&mut self, left: &Value, code: &[Op], right: Range<usize>) {
        // It decides whether the step fails.
        if code[right].iter().any(|op| op.may_fault()) {
            self.decides(left);
        }
    }

    fn connected(&mut self, left: Value, right: Option<Value>) -> Value {
        let right = right.unwrap_or_else(|| left.clone());
        Value::computed(right.number, &[&left, &right])
    }
}

impl Steps for Origins<'_, '_> {
    fn condition(&mut self, at: usize) -> Result<Option<usize>, Fault> {
        let Some(test) = self.step.tests.iter().find(|t| t.code.start == at) else {
            return Ok(None);
        };
        let number = self.tested(&test.condition, None)?;
        self.stack.push(Value::constant(number));
        Ok(Some(test.code.end))
    }

    fn token(&mut self) -> Value {
        Value::constant(self.known.machine.token(self.transition.process))
    }

    fn set_local(&mut self, local: u32, value: Value) {
        assign(&mut self.known.locals, local, value);
    }

    fn write(&mut self, cell: u32, value: Value) {
        assign(&mut self.known.shared, cell, value);
    }

    /// How much is added is looked at; what it is added to is not.
    fn accumulate(&mut self, cell: u32, value: Value) {
        self.decides(&value);
        let sum = self.known.cell(cell).shifted(value.number);
        self.write(cell, sum);
    }

    fn spawn(&mut self, _: u32, values: u32) {
        let first = self.stack.len() - values as usize;
        for value in self.stack.drain(first..) {
            self.out.reads.extend(value.locations());
        }
    }
}
