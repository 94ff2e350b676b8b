//! Exceptions on their way out of a task, and what is remembered of where they came from.

use super::exec::{Exit, Mover, Stack};
use crate::code::{Code, Op};
use crate::value::Value;
use mazurka_diagnostics::Span;

impl Mover<'_> {
    /// The exception's way out: to the innermost handler, or out of the task. Gives the exception back in the latter case.
    pub fn unwind(&mut self, stack: &mut Stack, exception: Value) -> Option<Value> {
        while let Some(frame) = stack.frames.last_mut() {
            let code = &self.machine.program.codes[frame.code as usize];
            if let Some(handler) = code.handler(frame.pc - 1) {
                frame.pc = handler.target;
                let base = frame.base as usize;
                stack.values.truncate(base + code.locals as usize);
                stack.values[base + handler.slot as usize] = exception;
                return None;
            }
            stack.values.truncate(frame.base as usize);
            stack.frames.pop();
        }
        Some(exception)
    }

    /// Throws into a task whose activations are loaded, as if its last instruction had done it.
    pub fn throw_into(&mut self, stack: &mut Stack, exception: Value) -> Option<Value> {
        self.remember_trace(stack);
        self.unwind(stack, exception)
    }

    pub fn remember_trace(&mut self, stack: &Stack) {
        self.trace.clear();
        // Deep recursion would make the trace as long as the stack.
        let frames = stack.frames.iter().rev().take(16);
        self.trace.extend(frames.map(|f| (f.code, f.pc.saturating_sub(1))));
    }

    /// Ends a step that is not finished, and remembers where.
    pub fn give_up(&mut self, stack: &Stack, limit: Exit) -> Exit {
        self.remember_trace(stack);
        limit
    }

    /// The variables and fields that the assertion at `pc` reads, each once.
    pub fn looked_at(&mut self, code: &Code, pc: usize, locals: &[Value], this: u32) -> Vec<(Span, Value)> {
        let machine = self.machine;
        let sources = &machine.sources;
        let mut found: Vec<(Span, Value)> = Vec::new();
        for (op, span) in code.statement_before(pc) {
            let value = match op {
                Op::Local(i) => locals.get(i as usize).cloned(),
                Op::Field(i) => {
                    self.note_read(this, i);
                    self.run.objects.get(this).fields.get(i as usize).cloned()
                }
                _ => None,
            };
            if let Some(value) = value
                && !found.iter().any(|(known, _)| sources.text(*known) == sources.text(span))
            {
                found.push((span, value));
            }
        }
        found.reverse();
        found
    }
}
