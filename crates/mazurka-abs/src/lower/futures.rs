//! What is known about futures when a `get` or `await` is reached.
//!
//! A future is *fresh* from its call up to the next scheduling point: no other task can have run, so it is not resolved. It is *known* to
//! be resolved after an `await` or `get` of it, for ever if it is in a variable, up to the next scheduling point or call if it is in a field.
//! A `get` of a known future does not block; an `await` of a fresh one always releases. All others look at the future in a step of their own,
//! because what a step touches must not depend on values that it reads on its way.

use crate::code::{Arrival, Builtin, ClosureOf, Code, FutureAt, Guard, Kind, Op, Pattern};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fact {
    Fresh,
    Known,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Holder {
    Local(u32),
    Field(u32),
}

type Facts = FxHashMap<Holder, Fact>;

struct Tables<'a> {
    patterns: &'a [Pattern],
    choosing: Vec<bool>,
    holding_inits: bool,
}

/// Marks the `get`s of known futures and says how each `await` starts.
pub fn annotate(codes: &mut [Code], guards: &mut [Guard], patterns: &[Pattern]) {
    let choosing = choosing(codes);
    let holding = |op: &Op| match op {
        Op::Get { .. } | Op::Sync { .. } | Op::CallThis { .. } | Op::Await(_) | Op::Call(_) => true,
        op => chooses(*op, &choosing),
    };
    let tables = Tables {
        patterns,
        holding_inits: codes
            .iter()
            .any(|code| matches!(code.kind, Kind::Init(_)) && code.ops.iter().any(holding)),
        choosing,
    };
    for code in codes {
        if code.ops.iter().any(|op| matches!(op, Op::Get { .. } | Op::Await(_))) {
            annotate_code(code, guards, &tables);
        }
    }
}

/// The variables that a pattern binds hold something else from now on.
fn forget_bound(pattern: &Pattern, facts: &mut Facts) {
    match pattern {
        Pattern::Bind(slot) => {
            facts.remove(&Holder::Local(*slot));
        }
        Pattern::Construct(_, args) => args.iter().for_each(|p| forget_bound(p, facts)),
        _ => {}
    }
}

/// Which functions may come to a `random`, where others can run.
pub fn choosing(codes: &[Code]) -> Vec<bool> {
    coming_to(codes, |builtin| builtin == Builtin::Random)
}

/// Which functions may ask what time it is, or how long it is to the deadline.
pub fn telling_time(codes: &[Code]) -> Vec<bool> {
    coming_to(codes, |builtin| matches!(builtin, Builtin::CurrentMs | Builtin::LowlevelDeadline))
}

fn coming_to(codes: &[Code], such: impl Fn(Builtin) -> bool + Copy) -> Vec<bool> {
    let mut coming = vec![false; codes.len()];
    loop {
        let mut changed = false;
        for (i, code) in codes.iter().enumerate() {
            let now = code.ops.iter().any(|op| comes_to(*op, &coming, such));
            if now && !coming[i] {
                coming[i] = true;
                changed = true;
            }
        }
        if !changed {
            return coming;
        }
    }
}

/// Whether an instruction may come to such a function, if these functions may. A function that is passed on is taken for called.
fn comes_to(op: Op, coming: &[bool], such: impl Fn(Builtin) -> bool) -> bool {
    match op {
        Op::Builtin(builtin, _) => such(builtin),
        Op::Call(f) | Op::TailCall(f) => coming[f as usize],
        Op::Closure(ctor, _) => matches!(ClosureOf::decode(ctor), Some(ClosureOf::Function(f)) if coming[f as usize]),
        _ => false,
    }
}

/// Whether an instruction may come to a `random`, if these functions may.
pub fn chooses(op: Op, choosing: &[bool]) -> bool {
    comes_to(op, choosing, |builtin| builtin == Builtin::Random)
}

fn annotate_code(code: &mut Code, guards: &mut [Guard], tables: &Tables<'_>) {
    let mut before: Vec<Option<Facts>> = vec![None; code.ops.len() + 1];
    let landed = landed(code);
    let mut todo = vec![0u32];
    before[0] = Some(Facts::default());
    for handler in &code.handlers {
        before[handler.target as usize] = Some(Facts::default());
        todo.push(handler.target);
    }
    while let Some(pc) = todo.pop() {
        let Some(facts) = before[pc as usize].clone() else {
            continue;
        };
        let after = transfer(code, pc, facts, guards, tables, &landed);
        for next in code.successors(pc) {
            let joined = match &before[next as usize] {
                None => after.clone(),
                Some(old) => old
                    .iter()
                    .filter(|(holder, fact)| after.get(holder) == Some(fact))
                    .map(|(h, f)| (*h, *f))
                    .collect(),
            };
            if before[next as usize].as_ref() != Some(&joined) {
                before[next as usize] = Some(joined);
                todo.push(next);
            }
        }
    }
    for (pc, facts) in before.iter().enumerate().take(code.ops.len()) {
        let Some(facts) = facts else {
            continue;
        };
        match code.ops[pc] {
            Op::Get { known: false } => {
                let known = pushed(&code.ops, pc, &landed).is_some_and(|h| facts.get(&h) == Some(&Fact::Known));
                code.ops[pc] = Op::Get { known };
            }
            Op::Await(guard) => {
                let guard = &mut guards[guard as usize];
                let fact = |f: &FutureAt| facts.get(&holder(*f)).copied();
                // Time that has to pass has not passed yet.
                let waits = !guard.durations.is_empty();
                guard.arrival = if waits || guard.futures.iter().any(|f| fact(f) == Some(Fact::Fresh)) {
                    Arrival::Fresh
                } else if guard.futures.iter().all(|f| fact(f) == Some(Fact::Known)) {
                    Arrival::Local
                } else {
                    Arrival::Look
                };
            }
            _ => {}
        }
    }
}

fn holder(future: FutureAt) -> Holder {
    match future {
        FutureAt::Local(slot) => Holder::Local(slot),
        FutureAt::Field(field) => Holder::Field(field),
    }
}

/// The instructions that something jumps to. What lies on the stack there need not come from the instruction before: a conditional
/// expression ends there.
fn landed(code: &Code) -> Vec<bool> {
    let mut landed = vec![false; code.ops.len() + 1];
    for pc in 0..code.ops.len() as u32 {
        for next in code.successors(pc).into_iter().filter(|next| *next != pc + 1) {
            landed[next as usize] = true;
        }
    }
    landed
}

/// The instruction that pushed what the one at `pc` pops, if that is certain.
fn pusher(ops: &[Op], pc: usize, landed: &[bool]) -> Option<Op> {
    if landed[pc] { None } else { ops.get(pc.checked_sub(1)?).copied() }
}

/// What the instruction before `pc` pushed, if it is a variable or field.
fn pushed(ops: &[Op], pc: usize, landed: &[bool]) -> Option<Holder> {
    match &pusher(ops, pc, landed)? {
        Op::Local(slot) => Some(Holder::Local(*slot)),
        Op::Field(field) => Some(Holder::Field(*field)),
        _ => None,
    }
}

/// Others may run here: futures made before may be resolved, fields may hold others.
fn others_run(facts: &mut Facts) {
    facts.retain(|holder, fact| *fact == Fact::Known && matches!(holder, Holder::Local(_)));
}

fn transfer(code: &Code, pc: u32, mut facts: Facts, guards: &[Guard], tables: &Tables<'_>, landed: &[bool]) -> Facts {
    let pc = pc as usize;
    let ops = &code.ops;
    match ops[pc] {
        Op::SetLocal(slot) | Op::SetField(slot) => {
            let target = if matches!(ops[pc], Op::SetLocal(_)) {
                Holder::Local(slot)
            } else {
                Holder::Field(slot)
            };
            let fact = match pusher(ops, pc, landed) {
                Some(Op::Async { discard: false, .. }) => Some(Fact::Fresh),
                Some(Op::Local(other)) => facts.get(&Holder::Local(other)).copied(),
                Some(Op::Field(other)) => facts.get(&Holder::Field(other)).copied(),
                _ => None,
            };
            facts.remove(&target);
            if let Some(fact) = fact {
                facts.insert(target, fact);
            }
        }
        Op::Next { element, list, .. } => {
            facts.remove(&Holder::Local(element));
            facts.remove(&Holder::Local(list));
        }
        Op::Match { pattern, .. } => forget_bound(&tables.patterns[pattern as usize], &mut facts),
        Op::Get { .. } => {
            others_run(&mut facts);
            if let Some(holder) = pushed(ops, pc, landed) {
                facts.insert(holder, Fact::Known);
            }
        }
        Op::Await(guard) => {
            others_run(&mut facts);
            for future in &guards[guard as usize].futures {
                facts.insert(holder(*future), Fact::Known);
            }
        }
        Op::Suspend | Op::Sleep | Op::Sync { .. } | Op::CallThis { .. } => others_run(&mut facts),
        Op::New { .. } if tables.holding_inits => others_run(&mut facts),
        op if chooses(op, &tables.choosing) => others_run(&mut facts),
        _ => {}
    }
    facts
}
