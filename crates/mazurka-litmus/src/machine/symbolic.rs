//! One step run with values that remember where they come from.

use super::births::Slot;
use super::code::apply;
use super::predicates::{chosen_local, count_tests, is_open_index};
use super::{Machine, Run};
use crate::model::{Binary, Expr, Local, Place, Statement};
use mazurka_core::{Atom, Influence, Knowledge, Location, Origin, Process, Transition};
use smallvec::SmallVec;

/// A value and where it comes from, seen from before the step.
#[derive(Clone, Debug)]
struct Value {
    value: i32,
    origin: Origin,
}

impl Value {
    fn constant(value: i32) -> Self {
        Value {
            value,
            origin: Origin::Constant,
        }
    }

    fn shifted(self, by: i32) -> Self {
        Value {
            value: self.value.wrapping_add(by),
            origin: match self.origin {
                Origin::Copy(from, plus) => Origin::Copy(from, plus.wrapping_add(i64::from(by))),
                other => other,
            },
        }
    }

    /// The value of something computed from several.
    fn computed(value: i32, from: &[&Value]) -> Self {
        let mut locations: SmallVec<[Location; 4]> = SmallVec::new();
        from.iter().for_each(|v| v.locations().for_each(|l| locations.push(l)));
        locations.sort_unstable();
        locations.dedup();
        let origin = if locations.is_empty() {
            Origin::Constant
        } else {
            Origin::Computed(locations)
        };
        Value { value, origin }
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
}

/// The end of a step before its last statement.
enum Stop {
    Fault,
    Left,
}

/// A step in progress.
pub(super) struct Symbolic<'m> {
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

impl<'m> Symbolic<'m> {
    pub(super) fn new(machine: &'m Machine, run: &'m Run, process: Process, knowledge: Knowledge) -> Self {
        Symbolic {
            machine,
            run,
            slot: machine.slot(process),
            private: knowledge == Knowledge::Positions && process.index() < machine.roots.len(),
            locals: SmallVec::new(),
            shared: SmallVec::new(),
        }
    }

    /// Runs the step.
    pub(super) fn step(mut self, transition: Transition, out: &mut Influence) {
        let body = self.slot.body as usize;
        let pc = self.run.cells[self.slot.base as usize] as usize;
        let step = &self.machine.model.bodies()[body].steps[pc];
        if let Some(Statement::Choose(local, _)) = step.statements.first() {
            self.locals.push((local.0 as u32, Value::constant(transition.choice as i32)));
        }
        // A fault or a jump ends the step; what was done until then stays.
        if self.guard(body, pc, &step.statements, out).is_ok() {
            let first_test = self.machine.predicates.first_test(body, pc);
            let _ = self.statements(&step.statements, first_test, transition.process, out);
        }
        for (cell, value) in self.shared {
            out.writes.push((Location(cell), value.origin));
        }
        for (local, value) in self.locals {
            if self.private {
                let cell = Location(self.slot.base + 1 + local);
                if value.origin != Origin::Copy(cell, 0) {
                    out.writes.push((cell, value.origin));
                }
            } else {
                out.reads.extend(value.locations());
            }
        }
    }

    /// A guard that may fail is tested by the step: whether and how it fails is all that is looked at.
    fn guard(&self, body: usize, pc: usize, statements: &[Statement], out: &mut Influence) -> Result<(), Stop> {
        if let (predicate, Some(guard)) = self.machine.predicates.guard(body, pc)
            && self.machine.bodies[body].steps[pc].guard_faults
        {
            let mut atoms = SmallVec::new();
            self.atoms(guard, chosen_local(statements), &mut atoms, &mut out.reads);
            out.tests.push((predicate, atoms));
            self.number(guard)?;
        }
        Ok(())
    }

    fn statements(&mut self, statements: &[Statement], mut test: u32, process: Process, out: &mut Influence) -> Result<(), Stop> {
        for s in statements {
            match s {
                Statement::Choose(..) | Statement::Await(_) => {}
                Statement::Lock(p) => {
                    let token = self.machine.token(process);
                    self.assign(p, Value::constant(token), out)?;
                }
                Statement::Unlock(p) => self.assign(p, Value::constant(0), out)?,
                Statement::Assign(p, e) => {
                    // The index is evaluated first, but looked up only when the value is known.
                    let (index, value) = (self.index(p, out)?, self.evaluate(e, out)?);
                    let cell = self.picked(p, index)?;
                    self.store(p, cell, value);
                }
                Statement::Add(p, e) => {
                    let index = self.index(p, out)?;
                    let cell = self.picked(p, index)?;
                    let (old, by) = (self.load(p, cell), self.evaluate(e, out)?);
                    self.store(p, cell, sum(old, by));
                }
                Statement::Accumulate(p, e) => {
                    let index = self.index(p, out)?;
                    let cell = self.picked(p, index)?;
                    let (old, by) = (self.load(p, cell), self.evaluate(e, out)?);
                    // How much is added is looked at; what it is added to is not.
                    out.reads.extend(by.locations());
                    self.store(p, cell, old.shifted(by.value));
                }
                Statement::If(e, then, other) => {
                    let holds = self.test(e, test, out)?;
                    let in_then = count_tests(then);
                    if holds {
                        self.statements(then, test + 1, process, out)?;
                    } else {
                        self.statements(other, test + 1 + in_then, process, out)?;
                    }
                    test += 1 + in_then + count_tests(other);
                }
                Statement::Assert(e, _) => {
                    if !self.test(e, test, out)? {
                        return Err(Stop::Fault);
                    }
                    test += 1;
                }
                Statement::Spawn(_, values) => {
                    for e in values {
                        let value = self.evaluate(e, out)?;
                        out.reads.extend(value.locations());
                    }
                }
                Statement::Goto(_) | Statement::End => return Err(Stop::Left),
            }
        }
        Ok(())
    }

    /// Tests a condition: only its value is looked at.
    fn test(&self, e: &Expr, site: u32, out: &mut Influence) -> Result<bool, Stop> {
        let mut atoms = SmallVec::new();
        self.atoms(e, None, &mut atoms, &mut out.reads);
        out.tests.push((self.machine.predicates.test(site), atoms));
        self.number(e).map(|v| v != 0)
    }

    /// The atoms of a condition, see [`super::predicates`]. Locations whose values must be known are added to `reads`.
    pub(super) fn atoms(&self, e: &Expr, chosen: Option<Local>, out: &mut SmallVec<[Atom; 4]>, reads: &mut Vec<Location>) {
        match e {
            Expr::Int(_) => {}
            Expr::Local(l) if Some(*l) == chosen => {}
            Expr::Local(l) => out.push(atom(&self.local(l.0 as u32), reads)),
            Expr::Shared(v, None) => out.push(atom(&self.cell(self.machine.bases[*v]), reads)),
            Expr::Shared(v, Some(index)) => {
                let (base, length) = (self.machine.bases[*v], self.machine.model.variables()[*v].initial.len() as u32);
                if is_open_index(index, chosen) {
                    self.atoms(index, chosen, out, reads);
                    (base..base + length).for_each(|c| out.push(atom(&self.cell(c), reads)));
                    return;
                }
                // Which element it is must not be left open.
                let mut own = SmallVec::new();
                self.atoms(index, chosen, &mut own, reads);
                for a in &mut own {
                    if let Atom::Open(location, plus) = *a {
                        reads.push(location);
                        *a = Atom::Known(i64::from(self.run.cells[location.index()]).wrapping_add(plus));
                    }
                }
                out.extend(own);
                let at = self.number(index).ok().and_then(|i| u32::try_from(i).ok());
                out.push(match at.filter(|i| *i < length) {
                    Some(i) => atom(&self.cell(base + i), reads),
                    // Nobody looks at it, but those that follow keep their numbers.
                    None => Atom::Known(0),
                });
            }
            Expr::Not(a) | Expr::Negate(a) => self.atoms(a, chosen, out, reads),
            Expr::Binary(_, a, b) => {
                self.atoms(a, chosen, out, reads);
                self.atoms(b, chosen, out, reads);
            }
        }
    }

    fn cell(&self, cell: u32) -> Value {
        assigned(&self.shared, cell).cloned().unwrap_or_else(|| Value {
            value: self.run.cells[cell as usize],
            origin: Origin::Copy(Location(cell), 0),
        })
    }

    fn local(&self, local: u32) -> Value {
        assigned(&self.locals, local).cloned().unwrap_or_else(|| {
            let cell = self.slot.base + 1 + local;
            let value = self.run.cells[cell as usize];
            match self.private {
                true => Value {
                    value,
                    origin: Origin::Copy(Location(cell), 0),
                },
                false => Value::constant(value),
            }
        })
    }

    /// The value of an expression, no matter where it comes from.
    fn number(&self, e: &Expr) -> Result<i32, Stop> {
        let cell = |cell: u32| assigned(&self.shared, cell).map_or(self.run.cells[cell as usize], |v| v.value);
        Ok(match e {
            Expr::Int(v) => *v,
            Expr::Local(l) => {
                let (local, base) = (l.0 as u32, self.slot.base + 1);
                assigned(&self.locals, local).map_or(self.run.cells[(base + local) as usize], |v| v.value)
            }
            Expr::Shared(v, None) => cell(self.machine.bases[*v]),
            Expr::Shared(v, Some(index)) => cell(self.inside(*v, self.number(index)?)?),
            Expr::Not(a) => i32::from(self.number(a)? == 0),
            Expr::Negate(a) => self.number(a)?.wrapping_neg(),
            Expr::Binary(op @ (Binary::And | Binary::Or), a, b) => match self.number(a)? != 0 {
                left if left == (*op == Binary::Or) => i32::from(left),
                _ => i32::from(self.number(b)? != 0),
            },
            Expr::Binary(op, a, b) => apply(*op, self.number(a)?, self.number(b)?).ok_or(Stop::Fault)?,
        })
    }

    /// The element that an index picks. Which one it is, is looked at.
    fn element(&self, variable: usize, index: &Expr, out: &mut Influence) -> Result<u32, Stop> {
        let at = self.evaluate(index, out)?;
        out.reads.extend(at.locations());
        self.inside(variable, at.value)
    }

    /// The cell of an element.
    fn inside(&self, variable: usize, index: i32) -> Result<u32, Stop> {
        let length = self.machine.model.variables()[variable].initial.len();
        match usize::try_from(index) {
            Ok(i) if i < length => Ok(self.machine.bases[variable] + i as u32),
            _ => Err(Stop::Fault),
        }
    }

    fn evaluate(&self, e: &Expr, out: &mut Influence) -> Result<Value, Stop> {
        Ok(match e {
            Expr::Int(v) => Value::constant(*v),
            Expr::Local(l) => self.local(l.0 as u32),
            Expr::Shared(v, None) => self.cell(self.machine.bases[*v]),
            Expr::Shared(v, Some(index)) => self.cell(self.element(*v, index, out)?),
            Expr::Not(a) => {
                let a = self.evaluate(a, out)?;
                Value::computed(i32::from(a.value == 0), &[&a])
            }
            Expr::Negate(a) => {
                let a = self.evaluate(a, out)?;
                Value::computed(a.value.wrapping_neg(), &[&a])
            }
            Expr::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                let a = self.evaluate(a, out)?;
                if b.may_fault() {
                    // It decides whether the step fails.
                    out.reads.extend(a.locations());
                }
                let left = a.value != 0;
                if left == (*op == Binary::Or) {
                    return Ok(Value::computed(i32::from(left), &[&a]));
                }
                let b = self.evaluate(b, out)?;
                Value::computed(i32::from(b.value != 0), &[&a, &b])
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.evaluate(a, out)?, self.evaluate(b, out)?);
                match (op, &b.origin) {
                    (Binary::Add, _) => sum(a, b),
                    (Binary::Subtract, Origin::Constant) => a.shifted(b.value.wrapping_neg()),
                    _ => {
                        if matches!(op, Binary::Divide | Binary::Remainder) {
                            out.reads.extend(b.locations());
                        }
                        let value = apply(*op, a.value, b.value).ok_or(Stop::Fault)?;
                        Value::computed(value, &[&a, &b])
                    }
                }
            }
        })
    }

    /// The index of a place. Which element it picks is looked at.
    fn index(&self, place: &Place, out: &mut Influence) -> Result<Option<i32>, Stop> {
        let Place::Shared(_, Some(index)) = place else {
            return Ok(None);
        };
        let at = self.evaluate(index, out)?;
        out.reads.extend(at.locations());
        Ok(Some(at.value))
    }

    /// The cell of a shared place.
    fn picked(&self, place: &Place, index: Option<i32>) -> Result<Option<u32>, Stop> {
        match (place, index) {
            (Place::Local(_), _) => Ok(None),
            (Place::Shared(v, _), None) => Ok(Some(self.machine.bases[*v])),
            (Place::Shared(v, _), Some(index)) => self.inside(*v, index).map(Some),
        }
    }

    fn load(&self, place: &Place, cell: Option<u32>) -> Value {
        match (place, cell) {
            (_, Some(cell)) => self.cell(cell),
            (Place::Local(l), None) => self.local(l.0 as u32),
            (Place::Shared(..), None) => Value::constant(0),
        }
    }

    fn store(&mut self, place: &Place, cell: Option<u32>, value: Value) {
        match (place, cell) {
            (Place::Local(l), _) => assign(&mut self.locals, l.0 as u32, value),
            (Place::Shared(..), Some(cell)) => assign(&mut self.shared, cell, value),
            (Place::Shared(..), None) => {}
        }
    }

    fn assign(&mut self, place: &Place, value: Value, out: &mut Influence) -> Result<(), Stop> {
        let index = self.index(place, out)?;
        let cell = self.picked(place, index)?;
        self.store(place, cell, value);
        Ok(())
    }
}

/// A value as an atom; what it was computed from must be known.
fn atom(value: &Value, reads: &mut Vec<Location>) -> Atom {
    match &value.origin {
        Origin::Copy(from, plus) => Atom::Open(*from, *plus),
        Origin::Constant => Atom::Known(i64::from(value.value)),
        Origin::Computed(from) => {
            reads.extend_from_slice(from);
            Atom::Known(i64::from(value.value))
        }
    }
}

fn sum(a: Value, b: Value) -> Value {
    match (&a.origin, &b.origin) {
        (_, Origin::Constant) => a.shifted(b.value),
        (Origin::Constant, _) => b.shifted(a.value),
        _ => Value::computed(a.value.wrapping_add(b.value), &[&a, &b]),
    }
}
