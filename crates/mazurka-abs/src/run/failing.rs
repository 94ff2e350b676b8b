//! Steps that fail: exceptions that nothing catches, what becomes of their objects, and steps that are given up.

use super::exec::{Exit, Mover, Stack};
use super::machine::Machine;
use super::state::{Frame, Future, NOBODY};
use super::work::{BIRTH, MAX_DEPTH};
use crate::value::print::Printer;
use crate::value::{Ref, Value, known};
use mazurka_core::{Effects, Failure, FailureKind};
use std::rc::Rc;

impl Machine {
    /// Lets the class's recover branches look at an exception that left a task. Keeps the trace of the exception itself.
    ///
    /// # Errors
    /// The limit that a branch exceeds.
    pub(super) fn recover(&self, mover: &mut Mover<'_>, stack: &mut Stack, bottom: Frame, exception: &Value) -> Result<bool, Exit> {
        if bottom.this == NOBODY {
            return Ok(false);
        }
        let class = mover.run.objects.get(bottom.this).class;
        let Some(code) = self.program.classes[class as usize].recover else {
            return Ok(false);
        };
        let trace = std::mem::take(&mut mover.trace);
        stack.values.clear();
        stack.frames.clear();
        stack.values.push(exception.clone());
        mover.enter(stack, code, bottom.this);
        match mover.evaluate(stack) {
            // Models whose recover branches may wait are not opened: what they do is no part of what the task goes on with.
            Err(Exit::Stop(_)) => Err(Exit::Endless),
            Err(limit) if !matches!(limit, Exit::Threw(_)) => Err(limit),
            recovered => {
                mover.trace = trace;
                Ok(recovered.is_ok_and(|value| value.is_true()))
            }
        }
    }

    /// An exception left a task: it goes to the future if somebody can ask for it, else it is a failure.
    pub(super) fn fail(
        &self,
        mover: &mut Mover<'_>,
        effects: &mut Effects,
        (observed, private): (bool, bool),
        recovered: bool,
        bottom: Frame,
        exception: Value,
    ) {
        let slot = mover.slot;
        if !recovered {
            let failure = self.uncaught(mover, bottom, &exception);
            if failure.kind == FailureKind::Assertion || !observed {
                effects.failure = Some(failure);
            } else {
                let future = Ref { slot, id: mover.id };
                mover.run.unread.push((future, Rc::new(failure)));
            }
        }
        let result = if observed { Future::Failed(exception) } else { Future::Forgotten };
        // Who failed in a step of its own is named in the state by that.
        let free = effects.failure.is_none() && mover.leaves_no_names(private);
        mover.run.resolve(slot, result, free);
    }

    fn uncaught(&self, mover: &Mover<'_>, bottom: Frame, exception: &Value) -> Failure {
        let printer = Printer {
            symbols: &self.program.symbols,
            ids: &self.ids,
            short: false,
        };
        let assertion = exception.ctor() == Some(known::ASSERTION_FAIL);
        let place = |(code, pc): (u32, u32)| self.position(self.span(code, pc));
        let mut message = if assertion {
            "assertion failed".to_owned()
        } else {
            format!("uncaught {}", printer.show(exception))
        };
        for (depth, &(code, pc)) in mover.trace.iter().enumerate() {
            let name = &self.program.codes[code as usize].name;
            message.push_str(if depth == 0 { " in " } else { ", called from " });
            message.push_str(name);
            if depth > 0
                && let Some(position) = place((code, pc))
            {
                message.push_str(&format!(" ({position})"));
            }
        }
        if mover.trace.is_empty() {
            message.push_str(&format!(" in {}", self.program.codes[bottom.code as usize].name));
        }
        if let (true, Some(&(code, pc))) = (assertion, mover.trace.first()) {
            message.push_str(&format!(": {}", self.guard_text(self.span(code, pc))));
            let values: Vec<String> = mover
                .asserted
                .iter()
                .map(|(at, v)| format!("{} is {}", self.sources.text(*at), printer.show_quoted(v)))
                .collect();
            if !values.is_empty() {
                message.push_str(&format!(", where {}", values.join(" and ")));
            }
        }
        // The user's own code comes first: what a library function was doing says little.
        let own = |(code, _): &(u32, u32)| !self.program.codes[*code as usize].name.starts_with("ABS.StdLib.");
        let at = mover
            .trace
            .iter()
            .find(|at| own(at))
            .or(mover.trace.first())
            .copied()
            .and_then(place)
            .or_else(|| self.position(self.program.codes[bottom.code as usize].span));
        Failure {
            kind: if assertion {
                FailureKind::Assertion
            } else {
                FailureKind::Exception
            },
            message,
            at,
        }
    }

    /// A step of this code, or of what it calls, that the machine did not finish.
    pub(super) fn given_up(&self, mover: &Mover<'_>, code: u32, exit: &Exit) -> Failure {
        // Who calls itself for ever is on top; who loops for ever is below the functions that it happens to be in.
        let culprit = match exit {
            Exit::TooDeep => mover.trace.first(),
            _ => mover.trace.last(),
        };
        let (code, pc) = culprit.copied().unwrap_or((code, 0));
        let name = &self.program.codes[code as usize].name;
        let message = match exit {
            Exit::TooMany => {
                let most = self.settings.choices;
                format!("{name} chooses among more than {most} random numbers; `--choices` allows more")
            }
            Exit::TooLarge => format!("{name} computes a number or text that is too large for this tool"),
            Exit::Opaque(what) => format!("{name}: {what}"),
            Exit::TooDeep => format!("{name} is called more than {MAX_DEPTH} deep"),
            _ => format!(
                "{name} reached no scheduling point within {} calls and rounds of loops (a new object or task counts for {BIRTH}, and long values by their length): an endless loop? `--step-budget` allows more",
                self.settings.step_budget
            ),
        };
        Failure {
            kind: FailureKind::Limit,
            message,
            at: self.position(self.span(code, pc)),
        }
    }
}
