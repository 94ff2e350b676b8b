//! Looking at futures and evaluating guards.

use super::exec::{Exit, Mover, Stack};
use super::machine::Machine;
use super::settings::AwaitSemantics;
use super::state::{Future, Run, Waiting};
use crate::code::{Arrival, FutureAt, Program};
use crate::value::{Ref, Value, known};
use smallvec::SmallVec;

/// What an evaluated guard says.
pub enum Verdict {
    /// Go on.
    True,
    /// Wait.
    False,
    /// Go on by throwing this.
    Throws(Value),
    /// Go on to say that it was given up: it exceeds a limit.
    GivenUp(Exit),
}

impl Mover<'_> {
    /// The result of a future if it is there; an exception counts as read from now on.
    pub fn result(&mut self, future: Ref) -> Option<Result<Value, Value>> {
        let result = match &self.run.futures.get(future.slot).result {
            Future::Open => return None,
            Future::Value(value) => Ok(value.clone()),
            Future::Forgotten => Ok(Value::UNIT),
            Future::Failed(exception) => {
                let exception = exception.clone();
                self.run.unread.retain(|(r, _)| r.slot != future.slot);
                Err(exception)
            }
        };
        self.take_back(future);
        Some(result)
    }

    /// What the guard will look at, taken from the variables now. `None` if a future is `null`.
    pub(super) fn waiting(&self, guard: u32, stack: &Stack, base: usize) -> Option<Waiting> {
        let it = &self.machine.program.guards[guard as usize];
        let mut futures = SmallVec::new();
        for future in &it.futures {
            if let FutureAt::Local(slot) = future {
                match stack.values[base + *slot as usize] {
                    Value::Future(r) => futures.push(r),
                    _ => return None,
                }
            }
        }
        let args = match &it.condition {
            Some((_, captured)) => captured.iter().map(|slot| stack.values[base + *slot as usize].clone()).collect(),
            None => SmallVec::new(),
        };
        let until = self.until(it, stack, base);
        Some(Waiting {
            guard,
            futures,
            args,
            until,
        })
    }

    /// Whether a guard holds now.
    pub fn holds(&mut self, waiting: &Waiting, this: u32) -> Verdict {
        match self.run.futures_resolved(waiting, &self.machine.program, this) {
            Some(true) => self.condition(waiting, this),
            Some(false) => Verdict::False,
            None => Verdict::Throws(Value::Atom(known::NULL_POINTER)),
        }
    }

    /// Whether the condition of a guard holds now, its futures aside.
    pub fn condition(&mut self, waiting: &Waiting, this: u32) -> Verdict {
        let Some((code, _)) = self.machine.program.guards[waiting.guard as usize].condition else {
            return Verdict::True;
        };
        let mut stack = self.machine.spare.take();
        stack.values.clear();
        stack.frames.clear();
        stack.values.extend(waiting.args.iter().cloned());
        self.enter(&mut stack, code, this);
        let verdict = self.evaluate(&mut stack);
        self.machine.spare.replace(stack);
        match verdict {
            Ok(value) if self.truth(&value) => Verdict::True,
            Ok(_) => Verdict::False,
            Err(Exit::Threw(exception)) => Verdict::Throws(exception),
            Err(exit) => Verdict::GivenUp(exit),
        }
    }

    /// Runs pure code that is loaded to its end. There is no place for a choice in it, and models that would choose there are not opened.
    ///
    /// # Errors
    /// The exception that left it, or the limit that it exceeds.
    pub fn evaluate(&mut self, stack: &mut Stack) -> Result<Value, Exit> {
        match self.exec(stack) {
            Exit::Done(value) => Ok(value),
            exit => Err(exit),
        }
    }
}

impl Machine {
    /// What was assumed about `await`, if the model has one for which it matters.
    pub fn await_note(&self) -> Option<String> {
        let matters = self.program.guards.iter().any(|guard| guard.arrival != Arrival::Fresh);
        matters.then(|| match self.settings.await_semantics {
            AwaitSemantics::Release => "`await` lets other tasks run even if its condition holds (--await release)".to_owned(),
            AwaitSemantics::Formal => "`await` goes on at once if its condition holds (--await formal)".to_owned(),
        })
    }
}

impl Run {
    /// Whether all futures of a guard are resolved; `None` if one of them is `null`.
    pub fn futures_resolved(&self, waiting: &Waiting, program: &Program, this: u32) -> Option<bool> {
        let open = |r: &Ref| matches!(self.futures.get(r.slot).result, Future::Open);
        let mut resolved = !waiting.futures.iter().any(open);
        for future in &program.guards[waiting.guard as usize].futures {
            if let FutureAt::Field(field) = future {
                match &self.objects.get(this).fields[*field as usize] {
                    Value::Future(r) => resolved &= !open(r),
                    _ => return None,
                }
            }
        }
        Some(resolved)
    }
}
