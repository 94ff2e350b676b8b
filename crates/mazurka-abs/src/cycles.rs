//! Whether a state of a model may come back.
//!
//! A task that starts another task or makes an object never returns to the state it was in: names of births grow, unless they are given again
//! ([`crate::run::Naming::Forget`]; then nothing is known here). A `foreach` shortens its
//! list. So only a loop, or a function that ends by calling itself, with a scheduling point and without any of these can lead back to the
//! same state. Merging of equal states is sound only where that cannot happen.

use crate::code::{Op, Program};
use crate::lower::chooses;
use rustc_hash::FxHashSet;

/// Whether no state of the program can be reached again from itself.
pub fn acyclic(program: &Program, choosing: &[bool]) -> bool {
    let stopping = stopping(program, choosing);
    program.codes.iter().enumerate().all(|(code, it)| {
        // What follows a tail call is the callee's own.
        let stops = |op: Op| !matches!(op, Op::TailCall(_)) && may_stop(op, choosing, &stopping);
        (0..it.ops.len() as u32)
            .filter(|pc| stops(it.ops[*pc as usize]))
            .all(|pc| !comes_back(program, (code as u32, pc)))
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
        Op::Await(_) | Op::Suspend | Op::Sleep | Op::Get { known: false } | Op::Sync { .. } => true,
        Op::CallThis { code, .. } => stopping[code as usize],
        _ => chooses(op, choosing),
    }
}

/// Whether the instruction, of a code, can be reached again from itself without anything that makes the state a new one.
fn comes_back(program: &Program, start: (u32, u32)) -> bool {
    let mut seen = FxHashSet::default();
    let mut todo = vec![start];
    while let Some((code, pc)) = todo.pop() {
        let it = &program.codes[code as usize];
        let callee = match it.ops[pc as usize] {
            Op::TailCall(f) => Some((f, 0)),
            _ => None,
        };
        let handler = it.handler(pc).map(|h| h.target);
        let here = it.successors(pc).into_iter().chain(handler).map(|pc| (code, pc));
        for next in here.chain(callee) {
            if next == start {
                return true;
            }
            let Some(op) = program.codes[next.0 as usize].ops.get(next.1 as usize) else {
                continue;
            };
            if !matches!(op, Op::Async { .. } | Op::New { .. } | Op::Next { .. }) && seen.insert(next) {
                todo.push(next);
            }
        }
    }
    false
}
