//! Activations of code on the stack of a task.

use super::exec::{Mover, Stack};
use super::state::{Frame, NOBODY};
use crate::value::{Ref, Value};

impl Mover<'_> {
    /// Starts the code `callee`, whose arguments are on the stack.
    pub fn enter(&mut self, stack: &mut Stack, callee: u32, this: u32) {
        let code = &self.machine.program.codes[callee as usize];
        let base = stack.values.len() - code.params as usize;
        stack.values.resize(base + code.locals as usize, Value::Null);
        stack.frames.push(Frame {
            code: callee,
            pc: 0,
            base: base as u32,
            this,
        });
    }

    /// Drops arguments that a method of the old dialect does not take; false if some are missing.
    pub(super) fn adjust(&self, stack: &mut Stack, callee: u32, args: usize) -> bool {
        let params = self.machine.program.codes[callee as usize].params as usize;
        if args > params {
            stack.values.truncate(stack.values.len() - (args - params));
        }
        args >= params
    }

    pub(super) fn this(&self, this: u32) -> Value {
        if this == NOBODY {
            return Value::Null;
        }
        Value::Object(Ref {
            slot: this,
            id: self.run.objects.get(this).id,
        })
    }
}
