//! Whose method a call is, as far as the code says: on which object each call of a piece of code is made.
//!
//! The receiver is pushed first, the arguments on top of it. So the operands are followed through the code, each as the instruction that
//! pushed it, and where two ways meet with different operands they become unknown.

use crate::code::{Code, Op, Program};

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// It is `this`.
    This,
    /// It was read from this field of `this`.
    Field(u32),
    /// It was read from this variable.
    Local(u32),
    /// Somewhere else.
    Unknown,
}

/// For each instruction that calls a method of an object, where the object comes from; [`Source::Unknown`] for the others.
pub fn receivers(program: &Program, code: &Code) -> Vec<Source> {
    let mut found = vec![Source::Unknown; code.ops.len()];
    let mut before: Vec<Option<Vec<Source>>> = vec![None; code.ops.len() + 1];
    let mut todo = Vec::new();
    arrive(&mut before, &mut todo, 0, Vec::new());
    // An exception leaves nothing but the variables.
    for handler in &code.handlers {
        arrive(&mut before, &mut todo, handler.target, Vec::new());
    }
    while let Some(pc) = todo.pop() {
        let (Some(op), Some(operands)) = (code.ops.get(pc as usize), before[pc as usize].clone()) else {
            continue;
        };
        if let Op::Async { args, .. } = op {
            found[pc as usize] = under(&operands, u32::from(*args));
        }
        if let Op::Sync { args, .. } = op {
            found[pc as usize] = under(&operands, *args);
        }
        for next in code.successors(pc) {
            let mut operands = operands.clone();
            // The two that keep their operand where they jump.
            if !(matches!(op, Op::And(to) | Op::Or(to) if *to == next)) {
                operate(program, *op, &mut operands);
            }
            arrive(&mut before, &mut todo, next, operands);
        }
    }
    found
}

/// What lies below so many arguments.
fn under(operands: &[Source], args: u32) -> Source {
    let at = operands.len().checked_sub(args as usize + 1);
    at.map_or(Source::Unknown, |at| operands[at])
}

fn arrive(before: &mut [Option<Vec<Source>>], todo: &mut Vec<u32>, pc: u32, operands: Vec<Source>) {
    match &mut before[pc as usize] {
        None => before[pc as usize] = Some(operands),
        Some(known) => {
            let old = known.clone();
            // Counted from the top, as operands are.
            let common = known.len().min(operands.len());
            known.drain(..known.len() - common);
            for (known, new) in known.iter_mut().zip(&operands[operands.len() - common..]) {
                if known != new {
                    *known = Source::Unknown;
                }
            }
            if *known == old {
                return;
            }
        }
    }
    todo.push(pc);
}

/// What an instruction does to the operands.
fn operate(program: &Program, op: Op, operands: &mut Vec<Source>) {
    let (taken, pushed) = match op {
        Op::This => (0, Some(Source::This)),
        Op::Field(field) => (0, Some(Source::Field(field))),
        Op::Local(local) => (0, Some(Source::Local(local))),
        Op::Const(_) | Op::Small(_) | Op::Destiny => (0, Some(Source::Unknown)),
        Op::SetLocal(_)
        | Op::SetField(_)
        | Op::Pop
        | Op::JumpIfFalse(_)
        | Op::And(_)
        | Op::Or(_)
        | Op::Acknowledge
        | Op::Throw
        | Op::Rethrow
        | Op::Die
        | Op::Assert
        | Op::Deadline
        | Op::Return => (1, None),
        Op::Sleep => (2, None),
        Op::Jump(_) | Op::Match { .. } | Op::NoMatch | Op::Next { .. } | Op::Await(_) | Op::Suspend => (0, None),
        Op::Make(_, n) | Op::List(n) | Op::Builtin(_, n) | Op::CallClosure(_, n) | Op::Closure(_, n) | Op::Concat(n) => {
            (n, Some(Source::Unknown))
        }
        Op::Access(_) | Op::Not | Op::Neg | Op::Implements(_) | Op::As(_) | Op::Get { .. } => (1, Some(Source::Unknown)),
        Op::Binary(_) => (2, Some(Source::Unknown)),
        Op::Call(f) | Op::TailCall(f) => (program.codes[f as usize].params, Some(Source::Unknown)),
        Op::New { class, .. } => (program.classes[class as usize].params, Some(Source::Unknown)),
        Op::Async { args, .. } => (u32::from(args) + 1, Some(Source::Unknown)),
        Op::Sync { args, .. } => (args + 1, Some(Source::Unknown)),
        Op::CallThis { args, .. } => (args, Some(Source::Unknown)),
    };
    operands.truncate(operands.len().saturating_sub(taken as usize));
    operands.extend(pushed);
}
