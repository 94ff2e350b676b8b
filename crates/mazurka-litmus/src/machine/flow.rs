//! Which locations a step touches: the step is run on what is known before it.
//!
//! *Static* footprints know the locals only: a branch on a shared value is taken both ways, an index computed from shared values may be
//! any. *Dynamic* ones know the shared values too, so exactly one way is taken, but for guards. Both run the same code here.

use super::code::{apply, is_inside};
use super::compile::{alternatives, guard_of};
use crate::model::{Binary, Body, Expr, Model, Place, Statement, Step};
use mazurka_core::{Access, Footprint, Location, Mode};
use smallvec::SmallVec;

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Known(i32),
    /// Depends on locals whose values are not given.
    Opaque,
    /// Depends on shared values.
    Unknown,
}

impl Value {
    /// Something computed from two values that are not both known.
    fn with(self, other: Value) -> Value {
        if self == Value::Unknown || other == Value::Unknown {
            Value::Unknown
        } else {
            Value::Opaque
        }
    }

    /// This value or that one, depending on shared values.
    fn or(self, other: Value) -> Value {
        match (self, other) {
            (Value::Known(a), Value::Known(b)) if a == b => self,
            // The locals may be such that both are the same.
            (Value::Opaque, Value::Known(_) | Value::Opaque) | (Value::Known(_), Value::Opaque) => Value::Opaque,
            _ => Value::Unknown,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Written {
    No,
    /// On some ways through the step.
    Maybe,
    /// On every way.
    Always,
}

/// How a location was touched so far, and the value that the step itself left there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Touch {
    location: u32,
    read: bool,
    written: Written,
    accumulated: bool,
    value: Value,
}

/// The state after a part of the step.
#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    locals: SmallVec<[Value; 8]>,
    touches: SmallVec<[Touch; 8]>,
    /// False after `goto`, `end` or a failure.
    alive: bool,
    /// Whether some way through the step has ended already, so that what follows may not happen.
    some_ended: bool,
}

/// An analysis of one step.
pub(super) struct Flow<'a> {
    model: &'a Model,
    bases: &'a [u32],
    /// The shared values, if they are known.
    memory: Option<&'a [i32]>,
    state: State,
    needs_locals: bool,
}

impl<'a> Flow<'a> {
    /// For any locals: [`Flow::footprint`] gives `None` if the footprint depends on them.
    pub(super) fn without_locals(model: &'a Model, bases: &'a [u32], body: &Body) -> Self {
        let locals = body.locals.iter().map(|_| Value::Opaque).collect();
        Self::new(model, bases, None, locals)
    }

    /// For these locals and, if given, these shared values.
    pub(super) fn with_locals(model: &'a Model, bases: &'a [u32], locals: &[i32], memory: Option<&'a [i32]>) -> Self {
        Self::new(model, bases, memory, locals.iter().map(|v| Value::Known(*v)).collect())
    }

    fn new(model: &'a Model, bases: &'a [u32], memory: Option<&'a [i32]>, locals: SmallVec<[Value; 8]>) -> Self {
        let state = State {
            locals,
            touches: SmallVec::new(),
            alive: true,
            some_ended: false,
        };
        Flow {
            model,
            bases,
            memory,
            state,
            needs_locals: false,
        }
    }

    /// The footprint of a step with that choice; `None` if it depends on locals that are not known.
    pub(super) fn footprint(&mut self, step: &Step, choice: u32, monotone: bool) -> Option<Footprint> {
        let mut out = Footprint::new();
        self.add_footprint(step, choice, monotone, &mut out);
        (!self.needs_locals).then_some(out)
    }

    pub(super) fn add_footprint(&mut self, step: &Step, choice: u32, monotone: bool, out: &mut Footprint) {
        let chosen = match step.statements.first() {
            Some(Statement::Choose(local, n)) => Some((local.0, *n)),
            _ => None,
        };
        if let Some(guard) = guard_of(&step.statements) {
            // The guards of all alternatives count, whichever is taken, and all that they may read in any context: while a step waits, others
            // change what its guard looks at.
            let memory = self.memory.take();
            for c in 0..alternatives(chosen) {
                if let Some((local, _)) = chosen {
                    self.state.locals[local] = Value::Known(c as i32);
                }
                let before = self.state.clone();
                self.evaluate(&guard);
                let after = std::mem::replace(&mut self.state, before);
                for t in after.touches {
                    out.add(Access {
                        location: Location(t.location),
                        mode: Mode::Read,
                        guard: true,
                        maybe: false,
                    });
                }
            }
            self.memory = memory;
        }
        if let Some((local, _)) = chosen {
            self.state.locals[local] = Value::Known(choice as i32);
        }
        self.statements(&step.statements);
        for t in &self.state.touches {
            let location = Location(t.location);
            match (t.written, t.accumulated, t.read) {
                (Written::Always, _, false) => out.overwrite(location),
                (Written::Always | Written::Maybe, _, _) | (Written::No, true, true) => out.update(location),
                (Written::No, true, false) => out.accumulate(location),
                (Written::No, false, _) => out.read(location),
            }
        }
        out.monotone_guard = monotone;
    }

    fn statements(&mut self, statements: &[Statement]) {
        for s in statements {
            if !self.state.alive {
                return;
            }
            self.statement(s);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Choose(..) => {}
            Statement::Await(e) => {
                self.evaluate(e);
            }
            // What a lock holds is read by guards only.
            Statement::Lock(p) | Statement::Unlock(p) => {
                let index = self.index(p);
                self.write(p, index, Value::Unknown);
            }
            Statement::Assign(p, e) => {
                let (index, value) = (self.index(p), self.evaluate(e));
                self.write(p, index, value);
            }
            Statement::Add(p, e) => {
                let sum = Expr::Binary(Binary::Add, Box::new(p.clone().into()), Box::new(e.clone()));
                let (index, value) = (self.index(p), self.evaluate(&sum));
                self.write(p, index, value);
            }
            Statement::Accumulate(Place::Local(l), e) => {
                let value = self.evaluate(&(*l + e.clone()));
                self.state.locals[l.0] = value;
            }
            Statement::Accumulate(Place::Shared(v, index), e) => {
                let locations = self.locations(*v, index.as_deref());
                let value = self.evaluate(e);
                // Of several elements only one is added to.
                let value = if locations.len() == 1 { value } else { Value::Unknown };
                for location in locations {
                    self.accumulate(location, value);
                }
            }
            Statement::If(condition, then, other) => match self.evaluate(condition) {
                Value::Known(0) => self.statements(other),
                Value::Known(_) => self.statements(then),
                unknown => {
                    self.needs_locals |= unknown == Value::Opaque;
                    let before = self.state.clone();
                    self.statements(then);
                    let after = std::mem::replace(&mut self.state, before);
                    self.statements(other);
                    self.join(after);
                }
            },
            Statement::Assert(condition, _) => match self.evaluate(condition) {
                Value::Known(0) => self.state.alive = false,
                Value::Known(_) => {}
                unknown => {
                    self.needs_locals |= unknown == Value::Opaque;
                    self.state.some_ended = true;
                }
            },
            Statement::Spawn(_, values) => values.iter().for_each(|e| {
                self.evaluate(e);
            }),
            Statement::Goto(_) | Statement::End => self.state.alive = false,
        }
    }

    /// What two ways through the step have in common with this one and `other`.
    fn join(&mut self, other: State) {
        let state = &mut self.state;
        // What a way leaves that has ended, nobody sees.
        let (this_ended, other_ended) = (!state.alive, !other.alive);
        let value = |this: Value, other: Value| {
            if this_ended {
                other
            } else if other_ended {
                this
            } else {
                this.or(other)
            }
        };
        for (a, b) in state.locals.iter_mut().zip(&other.locals) {
            *a = value(*a, *b);
        }
        for t in &mut state.touches {
            match other.touches.iter().find(|u| u.location == t.location) {
                None => {
                    if t.written != Written::No {
                        t.written = Written::Maybe;
                    }
                    t.value = value(t.value, Value::Unknown);
                }
                Some(u) => {
                    t.read |= u.read;
                    t.accumulated |= u.accumulated;
                    if t.written != u.written {
                        t.written = Written::Maybe;
                    }
                    t.value = value(t.value, u.value);
                }
            }
        }
        for u in other.touches {
            if !state.touches.iter().any(|t| t.location == u.location) {
                let written = if u.written == Written::No { Written::No } else { Written::Maybe };
                state.touches.push(Touch {
                    written,
                    value: value(Value::Unknown, u.value),
                    ..u
                });
            }
        }
        state.some_ended |= other.some_ended || state.alive != other.alive;
        state.alive |= other.alive;
    }

    /// Evaluates from left to right, like the code: what comes after a fault is not touched.
    fn evaluate(&mut self, e: &Expr) -> Value {
        if !self.state.alive {
            return Value::Unknown;
        }
        match e {
            Expr::Int(v) => Value::Known(*v),
            Expr::Local(l) => self.state.locals[l.0],
            Expr::Shared(v, index) => {
                let locations = self.locations(*v, index.as_deref());
                let only = locations.len() == 1;
                let mut value = Value::Unknown;
                for location in locations {
                    value = self.read(location);
                }
                if only { value } else { Value::Unknown }
            }
            Expr::Not(a) => self.unary(a, |v| i32::from(v == 0)),
            Expr::Negate(a) => self.unary(a, i32::wrapping_neg),
            Expr::Binary(op @ (Binary::And | Binary::Or), a, b) => self.connective(*op == Binary::Or, a, b),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.evaluate(a), self.evaluate(b));
                if matches!(op, Binary::Divide | Binary::Remainder) {
                    match b {
                        Value::Known(0) => {
                            self.state.alive = false;
                            return Value::Unknown;
                        }
                        Value::Known(_) => {}
                        unknown => {
                            self.needs_locals |= unknown == Value::Opaque;
                            self.state.some_ended = true;
                        }
                    }
                }
                match (a, b) {
                    (Value::Known(a), Value::Known(b)) => apply(*op, a, b).map_or(Value::Unknown, Value::Known),
                    (a, b) => a.with(b),
                }
            }
        }
    }

    /// `a || b`, or else `a && b`: `b` is looked at only if `a` does not decide.
    fn connective(&mut self, or: bool, a: &Expr, b: &Expr) -> Value {
        let a = match self.evaluate(a) {
            Value::Known(v) if (v != 0) == or => return Value::Known(i32::from(or)),
            Value::Known(_) => return self.unary(b, |v| i32::from(v != 0)),
            unknown => unknown,
        };
        let before = self.state.clone();
        self.evaluate(b);
        if self.state != before {
            self.needs_locals |= a == Value::Opaque;
            let after = std::mem::replace(&mut self.state, before);
            self.join(after);
        }
        // Where `a` depends on locals only, they may decide.
        a
    }

    fn unary(&mut self, a: &Expr, f: impl Fn(i32) -> i32) -> Value {
        match self.evaluate(a) {
            Value::Known(v) => Value::Known(f(v)),
            other => other,
        }
    }

    /// The value of the index of a place, which is evaluated before what is written there.
    fn index(&mut self, place: &Place) -> Option<Value> {
        match place {
            Place::Shared(_, Some(index)) => Some(self.evaluate(index)),
            Place::Shared(_, None) | Place::Local(_) => None,
        }
    }

    fn locations(&mut self, v: usize, index: Option<&Expr>) -> std::ops::Range<u32> {
        let index = index.map(|i| self.evaluate(i));
        self.picked(v, index)
    }

    /// The locations that a variable with this index can be: one if the index is known, all elements otherwise.
    fn picked(&mut self, v: usize, index: Option<Value>) -> std::ops::Range<u32> {
        let (base, length) = (self.bases[v], self.model.variables()[v].initial.len() as u32);
        let Some(index) = index else {
            return base..base + 1;
        };
        match index {
            Value::Known(i) if is_inside(i, length) => base + i as u32..base + i as u32 + 1,
            Value::Known(_) => {
                self.state.alive = false;
                base..base
            }
            unknown => {
                self.needs_locals |= unknown == Value::Opaque;
                self.state.some_ended = true;
                base..base + length
            }
        }
    }

    fn touch(&mut self, location: u32) -> &mut Touch {
        let touches = &mut self.state.touches;
        let at = touches.iter().position(|t| t.location == location).unwrap_or_else(|| {
            let value = self.memory.map_or(Value::Unknown, |m| Value::Known(m[location as usize]));
            touches.push(Touch {
                location,
                read: false,
                written: Written::No,
                accumulated: false,
                value,
            });
            touches.len() - 1
        });
        &mut touches[at]
    }

    fn read(&mut self, location: u32) -> Value {
        if !self.state.alive {
            return Value::Unknown;
        }
        let touch = self.touch(location);
        // What the step itself has written for certain is not read from outside.
        touch.read |= touch.written != Written::Always;
        touch.value
    }

    fn write(&mut self, place: &Place, index: Option<Value>, value: Value) {
        match place {
            Place::Local(l) => self.state.locals[l.0] = value,
            Place::Shared(v, _) => {
                if !self.state.alive {
                    return;
                }
                let locations = self.picked(*v, index);
                let certain = locations.len() == 1 && !self.state.some_ended;
                let only = locations.len() == 1;
                for location in locations {
                    let touch = self.touch(location);
                    if certain {
                        touch.written = Written::Always;
                    } else if touch.written == Written::No {
                        touch.written = Written::Maybe;
                    }
                    touch.value = if only { value } else { Value::Unknown };
                }
            }
        }
    }

    fn accumulate(&mut self, location: u32, amount: Value) {
        if !self.state.alive {
            return;
        }
        let touch = self.touch(location);
        touch.accumulated |= touch.written != Written::Always;
        touch.value = match (touch.value, amount) {
            (Value::Known(a), Value::Known(b)) => Value::Known(a.wrapping_add(b)),
            (a, b) => a.with(b),
        };
    }
}
