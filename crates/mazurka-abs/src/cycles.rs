//! Whether a state of a model may come back.
//!
//! A task that starts another task or makes an object never returns to the state it was in: names of births grow. A `foreach` shortens its
//! list. So only a loop with a scheduling point and without any of these can lead back to the same state. Merging of equal states is sound
//! only where that cannot happen.

use crate::code::{Builtin, Code, Op, Program};

/// Whether no state of the program can be reached again from itself.
pub fn acyclic(program: &Program, choosing: &[bool]) -> bool {
    let stopping = stopping(program, choosing);
    program.codes.iter().all(|code| {
        let stops = |op: Op| may_stop(op, choosing, &stopping);
        (0..code.ops.len() as u32)
            .filter(|pc| stops(code.ops[*pc as usize]))
            .all(|pc| !comes_back(code, pc))
    })
}

/// Which code may come to a scheduling point.
fn stopping(program: &Program, choosing: &[bool]) -> Vec<bool> {
    let mut stopping = vec![false; program.codes.len()];
    loop {
        let mut changed = false;
        for (i, code) in program.codes.iter().enumerate() {
            if !stopping[i] && code.ops.iter().any(|op| may_stop(*op, choosing, &stopping)) {
                stopping[i] = true;
                changed = true;
            }
        }
        if !changed {
            return stopping;
        }
    }
}

fn may_stop(op: Op, choosing: &[bool], stopping: &[bool]) -> bool {
    match op {
        Op::Await(_) | Op::Suspend | Op::Get { known: false } | Op::Sync { .. } | Op::Builtin(Builtin::Random, _) => true,
        Op::Call(f) | Op::TailCall(f) => choosing[f as usize],
        Op::CallThis { code, .. } => stopping[code as usize],
        _ => false,
    }
}

/// Whether the instruction can be reached again from itself without anything that makes the state a new one.
fn comes_back(code: &Code, start: u32) -> bool {
    let mut seen = vec![false; code.ops.len()];
    let mut todo = vec![start];
    while let Some(pc) = todo.pop() {
        let handler = code.handler(pc).map(|h| h.target);
        for next in code.successors(pc).into_iter().chain(handler) {
            if next == start {
                return true;
            }
            let Some(op) = code.ops.get(next as usize) else {
                continue;
            };
            if matches!(op, Op::Async { .. } | Op::New { .. } | Op::Next { .. }) || seen[next as usize] {
                continue;
            }
            seen[next as usize] = true;
            todo.push(next);
        }
    }
    false
}
