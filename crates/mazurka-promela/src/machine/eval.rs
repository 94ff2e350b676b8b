//! Values of expressions in a state.

use super::state::{State, load, store};
use super::{FaultKind, Machine, Touched, probe};
use crate::model::{Ex, Operator, PRIORITY, Place, Space};

/// An operator applied to two numbers with C's 32-bit arithmetic; `None` for a division by zero.
pub(crate) fn arithmetic(op: Operator, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        Operator::Or => i32::from(a != 0 || b != 0),
        Operator::And => i32::from(a != 0 && b != 0),
        Operator::BitOr => a | b,
        Operator::BitXor => a ^ b,
        Operator::BitAnd => a & b,
        Operator::Equal => i32::from(a == b),
        Operator::NotEqual => i32::from(a != b),
        Operator::Less => i32::from(a < b),
        Operator::Greater => i32::from(a > b),
        Operator::LessEqual => i32::from(a <= b),
        Operator::GreaterEqual => i32::from(a >= b),
        Operator::ShiftLeft => a.wrapping_shl(b as u32),
        Operator::ShiftRight => a.wrapping_shr(b as u32),
        Operator::Add => a.wrapping_add(b),
        Operator::Subtract => a.wrapping_sub(b),
        Operator::Multiply => a.wrapping_mul(b),
        Operator::Divide | Operator::Remainder if b == 0 => return None,
        Operator::Divide => a.wrapping_div(b),
        Operator::Remainder => a.wrapping_rem(b),
    })
}

/// Evaluates expressions for one process in one state. The first error is remembered, and the value is then 0.
pub(crate) struct Eval<'a> {
    pub machine: &'a Machine,
    pub state: &'a State,
    pub slot: usize,
    pub timeout: bool,
    pub fault: Option<FaultKind>,
}

impl<'a> Eval<'a> {
    pub fn new(machine: &'a Machine, state: &'a State, slot: usize, timeout: bool) -> Self {
        Eval {
            machine,
            state,
            slot,
            timeout,
            fault: None,
        }
    }

    /// The value or the error.
    pub fn finish(self, value: i32) -> Result<i32, FaultKind> {
        match self.fault {
            None => Ok(value),
            Some(fault) => Err(fault),
        }
    }

    fn fail(&mut self, fault: FaultKind) -> i32 {
        self.fault.get_or_insert(fault);
        0
    }

    /// The offset of a place in the bytes of the state; `None` for `_`.
    #[inline]
    pub fn offset(&mut self, place: &Place) -> Option<usize> {
        let base = match place.space {
            Space::Global => 0,
            Space::Local => self.state.frame(self.slot),
            Space::Nowhere => return None,
        };
        let mut offset = base + place.offset as usize;
        for index in &place.indices {
            let value = self.value(&index.value);
            if value < 0 || value as u32 >= index.length {
                self.fail(FaultKind::Index {
                    value,
                    length: index.length,
                });
                return Some(base + place.offset as usize);
            }
            offset += value as usize * index.stride as usize;
        }
        Some(offset)
    }

    /// The value of an expression.
    pub fn value(&mut self, ex: &Ex) -> i32 {
        match ex {
            Ex::Const(value) => *value,
            Ex::Load(place) => match self.offset(place) {
                Some(offset) => {
                    self.machine.note_place(self.state, self.slot, place, offset, false);
                    load(self.state.bytes(), offset, place.kind)
                }
                None => 0,
            },
            Ex::Pid => self.slot as i32,
            Ex::ProcessCount => {
                self.machine.recorder.read(Touched::Population);
                self.state.processes() as i32
            }
            Ex::Timeout => {
                self.machine.recorder.read(Touched::Everything);
                i32::from(self.timeout)
            }
            Ex::NonProgress => {
                self.machine.recorder.read(Touched::Everything);
                i32::from(!self.machine.progresses(self.state))
            }
            Ex::Priority(pid) => match self.process(pid) {
                Some(slot) => {
                    self.machine.recorder.read(Touched::Priorities);
                    self.state.priority(slot)
                }
                None => 0,
            },
            Ex::Enabled(pid) => match self.process(pid) {
                Some(slot) if slot == self.slot => self.fail(FaultKind::EnabledSelf),
                Some(slot) => {
                    let recorder = &self.machine.recorder;
                    recorder.read(Touched::Everything);
                    recorder.paused(|| i32::from(self.machine.is_enabled(self.state, slot, self.timeout)))
                }
                None => 0,
            },
            Ex::Not(e) => i32::from(self.value(e) == 0),
            Ex::Negate(e) => self.value(e).wrapping_neg(),
            Ex::Invert(e) => !self.value(e),
            Ex::Binary(op, parts) => {
                let left = self.value(&parts.0);
                match op {
                    Operator::And if left == 0 => return 0,
                    Operator::Or if left != 0 => return 1,
                    _ => {}
                }
                let right = self.value(&parts.1);
                match arithmetic(*op, left, right) {
                    Some(value) => value,
                    None => self.fail(FaultKind::DivisionByZero),
                }
            }
            Ex::Conditional(parts) => {
                if self.value(&parts.0) != 0 {
                    self.value(&parts.1)
                } else {
                    self.value(&parts.2)
                }
            }
            Ex::Probe(kind, channel) => {
                let number = self.value(channel);
                match self.machine.queue(self.state, number) {
                    Ok(queue) => probe(*kind, queue.len(), queue.channel.capacity),
                    Err(fault) => self.fail(fault),
                }
            }
            Ex::Poll { channel, pattern, random } => {
                let number = self.value(channel);
                match self.machine.queue(self.state, number) {
                    Ok(queue) if queue.channel.capacity == 0 => self.fail(FaultKind::PollRendezvous),
                    Ok(queue) if queue.channel.fields.len() < pattern.len() => self.fail(FaultKind::MessageFields {
                        given: pattern.len(),
                        expected: queue.channel.fields.len(),
                    }),
                    Ok(queue) => i32::from(self.find(&queue, pattern, *random).is_some()),
                    Err(fault) => self.fail(fault),
                }
            }
            Ex::RemoteLabel { proctype, pid, location } => match self.remote(*proctype, pid.as_deref()) {
                Some(slot) => i32::from(self.state.location(slot) == *location),
                None => 0,
            },
            Ex::RemoteVariable { proctype, pid, place } => match self.remote(*proctype, pid.as_deref()) {
                Some(slot) => {
                    let mut offset = self.state.frame(slot) + place.offset as usize;
                    for index in &place.indices {
                        let value = self.value(&index.value);
                        if value < 0 || value as u32 >= index.length {
                            return self.fail(FaultKind::Index {
                                value,
                                length: index.length,
                            });
                        }
                        offset += value as usize * index.stride as usize;
                    }
                    load(self.state.bytes(), offset, place.kind)
                }
                None => 0,
            },
        }
    }

    /// The process with this pid, if it exists.
    fn process(&mut self, pid: &Ex) -> Option<usize> {
        let slot = usize::try_from(self.value(pid)).ok()?;
        self.machine.recorder.read(Touched::Population);
        (slot < self.state.processes()).then_some(slot)
    }

    /// The process that a remote reference means, if it exists and has the type.
    fn remote(&mut self, proctype: usize, pid: Option<&Ex>) -> Option<usize> {
        self.machine.recorder.read(Touched::Process(proctype));
        self.machine.recorder.read(Touched::Population);
        match pid {
            Some(pid) => {
                let slot = self.process(pid)?;
                (self.state.proctype(slot) == proctype).then_some(slot)
            }
            None => (0..self.state.processes()).find(|&slot| self.state.proctype(slot) == proctype),
        }
    }
}

impl Machine {
    /// Notes an access to a variable.
    #[inline]
    fn note_place(&self, state: &State, slot: usize, place: &Place, offset: usize, write: bool) {
        let what = match place.space {
            Space::Global => Touched::Cell(offset as u32),
            Space::Local if place.offset == PRIORITY && self.model.priorities => Touched::Priorities,
            Space::Local if write && slot < state.processes() => Touched::Process(state.proctype(slot)),
            Space::Local | Space::Nowhere => return,
        };
        if write {
            self.recorder.write(what);
        } else {
            self.recorder.read(what);
        }
    }

    /// Sets a variable.
    pub(super) fn assign(&self, state: &mut State, slot: usize, place: &Place, value: i32) -> Result<(), FaultKind> {
        let mut eval = Eval::new(self, state, slot, false);
        let offset = eval.offset(place);
        if let Some(fault) = eval.fault {
            return Err(fault);
        }
        if let Some(offset) = offset {
            self.note_place(state, slot, place, offset, true);
            store(state.bytes_mut(), offset, place.kind, value);
        }
        Ok(())
    }
}
