//! Which locations a step touches: the step is run on what is known before it.
//!
//! *Static* footprints know the locals only: a branch on a shared value is taken both ways, an index computed from shared values may be
//! any. *Dynamic* ones know the shared values too, so exactly one way is taken, but for guards. Both run the same code here.

use super::code::Array;
use super::compile::{CompiledStep, alternatives};
use super::interpreter::{Domain, Steps, evaluate, run};
use crate::model::Binary;
use mazurka_core::{Footprint, Location};
use smallvec::{SmallVec, smallvec};

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
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
    /// Whether some way through the step has ended already, so that what follows may not happen.
    some_ended: bool,
}

/// An analysis of one step.
pub(super) struct MayTouch<'a> {
    /// The shared values, if they are known.
    memory: Option<&'a [i32]>,
    state: State,
    stack: SmallVec<[Value; 8]>,
    needs_locals: bool,
}

impl<'a> MayTouch<'a> {
    /// For any locals: [`MayTouch::footprint`] gives `None` if the footprint depends on them.
    pub(super) fn without_locals(locals: usize) -> Self {
        Self::new(None, smallvec![Value::Opaque; locals])
    }

    /// For these locals and, if given, these shared values.
    pub(super) fn with_locals(locals: &[i32], memory: Option<&'a [i32]>) -> Self {
        Self::new(memory, locals.iter().map(|v| Value::Known(*v)).collect())
    }

    fn new(memory: Option<&'a [i32]>, locals: SmallVec<[Value; 8]>) -> Self {
        let state = State {
            locals,
            touches: SmallVec::new(),
            some_ended: false,
        };
        MayTouch {
            memory,
            state,
            stack: SmallVec::new(),
            needs_locals: false,
        }
    }

    /// The footprint of a step with that choice; `None` if it depends on locals that are not known.
    pub(super) fn footprint(&mut self, step: &CompiledStep, choice: u32) -> Option<Footprint> {
        let mut out = Footprint::new();
        self.add_footprint(step, choice, &mut out);
        (!self.needs_locals).then_some(out)
    }

    pub(super) fn add_footprint(&mut self, step: &CompiledStep, choice: u32, out: &mut Footprint) {
        if let Some(guard) = &step.guard {
            // The guards of all alternatives count, whichever is taken, and all that they may read in any context: while a step waits, others
            // change what its guard looks at.
            let memory = self.memory.take();
            for c in 0..alternatives(step.choose) {
                self.choose(step, c);
                let mut before = self.fork();
                let _ = evaluate(guard, self);
                self.swap(&mut before);
                before.state.touches.iter().for_each(|t| out.guard(Location(t.location)));
            }
            self.memory = memory;
        }
        self.choose(step, choice);
        let guard = step.guard.as_ref().filter(|_| step.guard_faults);
        if guard.is_none_or(|guard| evaluate(guard, self).is_ok()) {
            let _ = run(&step.code, 0, self);
        }
        for t in &self.state.touches {
            let location = Location(t.location);
            match (t.written, t.accumulated, t.read) {
                (Written::Always, _, false) => out.overwrite(location),
                (Written::Always | Written::Maybe, _, _) | (Written::No, true, true) => out.update(location),
                (Written::No, true, false) => out.accumulate(location),
                (Written::No, false, _) => out.read(location),
            }
        }
        out.monotone_guard = step.monotone;
    }

    fn choose(&mut self, step: &CompiledStep, choice: u32) {
        if let Some((local, _)) = step.choose {
            self.state.locals[local as usize] = Value::Known(choice as i32);
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
}

impl State {
    /// What two ways through the step have in common with this one and `other`.
    fn join(&mut self, other: State, ended: bool, other_ended: bool) {
        // What a way leaves that has ended, nobody sees.
        let value = |this: Value, other: Value| {
            if ended {
                other
            } else if other_ended {
                this
            } else {
                this.or(other)
            }
        };
        for (a, b) in self.locals.iter_mut().zip(&other.locals) {
            *a = value(*a, *b);
        }
        for t in &mut self.touches {
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
            if !self.touches.iter().any(|t| t.location == u.location) {
                let written = if u.written == Written::No { Written::No } else { Written::Maybe };
                self.touches.push(Touch {
                    written,
                    value: value(Value::Unknown, u.value),
                    ..u
                });
            }
        }
        self.some_ended |= other.some_ended || ended != other_ended;
    }
}

/// A state, and how many values were on the stack.
pub(super) struct Fork {
    state: State,
    height: usize,
}

impl Domain for MayTouch<'_> {
    type Value = Value;
    type Fork = Fork;
    const PLAIN: bool = false;

    fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or(Value::Unknown)
    }

    fn constant(&mut self, value: i32) -> Value {
        Value::Known(value)
    }

    fn local(&mut self, local: u32) -> Value {
        self.state.locals[local as usize]
    }

    fn read(&mut self, cell: u32) -> Value {
        let touch = self.touch(cell);
        // What the step itself has written for certain is not read from outside.
        touch.read |= touch.written != Written::Always;
        touch.value
    }

    fn read_any(&mut self, array: Array) -> Value {
        array.cells().for_each(|cell| {
            self.read(cell);
        });
        Value::Unknown
    }

    fn number(&self, value: &Value) -> Option<i32> {
        match value {
            Value::Known(number) => Some(*number),
            Value::Opaque | Value::Unknown => None,
        }
    }

    fn decides(&mut self, value: &Value) {
        self.needs_locals |= *value == Value::Opaque;
        self.state.some_ended |= self.number(value).is_none();
    }

    fn derived(&mut self, number: i32, _: Value) -> Value {
        Value::Known(number)
    }

    fn computed(&mut self, _: Binary, number: Option<i32>, left: Value, right: Value) -> Value {
        number.map_or_else(|| left.with(right), Value::Known)
    }

    /// Where the left operand depends on locals only, they may decide.
    fn connected(&mut self, left: Value, right: Option<Value>) -> Value {
        right.unwrap_or(left)
    }

    fn fork(&mut self) -> Fork {
        Fork {
            state: self.state.clone(),
            height: self.stack.len(),
        }
    }

    fn swap(&mut self, fork: &mut Fork) {
        std::mem::swap(&mut self.state, &mut fork.state);
        self.stack.truncate(fork.height);
    }

    fn join(&mut self, other: Fork, condition: &Value, ended: bool, other_ended: bool) {
        if self.state != other.state || ended != other_ended {
            self.needs_locals |= *condition == Value::Opaque;
            self.state.join(other.state, ended, other_ended);
        }
    }
}

impl Steps for MayTouch<'_> {
    /// What a lock holds is read by guards only.
    fn token(&mut self) -> Value {
        Value::Unknown
    }

    fn set_local(&mut self, local: u32, value: Value) {
        self.state.locals[local as usize] = value;
    }

    fn write(&mut self, cell: u32, value: Value) {
        let certain = !self.state.some_ended;
        let touch = self.touch(cell);
        if certain {
            touch.written = Written::Always;
        } else if touch.written == Written::No {
            touch.written = Written::Maybe;
        }
        touch.value = value;
    }

    fn write_any(&mut self, array: Array, _: Value) {
        array.cells().for_each(|cell| self.write(cell, Value::Unknown));
    }

    fn accumulate(&mut self, cell: u32, amount: Value) {
        let touch = self.touch(cell);
        touch.accumulated |= touch.written != Written::Always;
        touch.value = match (touch.value, amount) {
            (Value::Known(a), Value::Known(b)) => Value::Known(a.wrapping_add(b)),
            (a, b) => a.with(b),
        };
    }

    /// Of several elements only one is added to.
    fn accumulate_any(&mut self, array: Array, _: Value) {
        array.cells().for_each(|cell| self.accumulate(cell, Value::Unknown));
    }

    fn spawn(&mut self, _: u32, values: u32) {
        self.stack.truncate(self.stack.len() - values as usize);
    }
}
