//! Code in which nothing may choose or wait: guards, recover branches and the property are evaluated in the middle of a step, or between steps,
//! where no search can try every value of `random`, or let others run.

use super::{chooses, choosing, telling_time};
use crate::code::{Op, Program};
use mazurka_diagnostics::{Diagnostic, Diagnostics, Span};

/// An error for each `random` that would have to choose where nothing can.
pub fn unchosen(program: &Program) -> Diagnostics {
    let choosing = choosing(&program.codes);
    let (mut wrong, mut waits, mut clocks) = (Diagnostics::new(), Diagnostics::new(), Diagnostics::new());
    let mut check = |code: u32, span: Span, place: &str, help: &str| {
        if choosing[code as usize] {
            let message = format!("`random` cannot be used in {place}, neither directly nor through a function");
            wrong.push(
                Diagnostic::error("not-allowed-here", message)
                    .label(span, "may choose")
                    .with_help(help),
            );
        }
    };
    let telling = telling_time(&program.codes);
    for guard in &program.guards {
        if let Some((code, _)) = guard
            .condition
            .as_ref()
            .filter(|(code, _)| program.timed && telling[*code as usize])
        {
            let _ = code;
            clocks.push(
                Diagnostic::error(
                    "not-allowed-here",
                    "a guard cannot ask what time it is, neither directly nor through a function",
                )
                .label(guard.span, "would change by itself as time passes")
                .with_help("`await duration(min, max);` waits for time to pass"),
            );
        }
        if let Some((code, _)) = guard.condition {
            check(
                code,
                guard.span,
                "a guard",
                "choose before waiting: `Int n = random(2); await n == x;`",
            );
        }
    }
    let waiting = waiting(program, &choosing);
    for code in program.classes.iter().filter_map(|class| class.recover) {
        let span = program.codes[code as usize].span;
        check(code, span, "a recover block", "choose in the method, before what may fail");
        if waiting[code as usize] && !choosing[code as usize] {
            let message =
                "a recover block cannot wait or choose, neither directly nor through a method that it calls or an object that it makes";
            let help = "synchronous calls of other objects wait; `o!m()` starts a task and does not";
            waits.push(
                Diagnostic::error("not-allowed-here", message)
                    .label(span, "may wait")
                    .with_help(help),
            );
        }
    }
    if let Some(code) = program.property {
        let span = program.codes[code as usize].span;
        check(
            code,
            span,
            "a property",
            "a property is about one execution, and must not choose how to judge it",
        );
    }
    wrong.extend(waits);
    wrong.extend(clocks);
    wrong
}

/// Which code may come to a scheduling point, in the initialiser of a new object too.
fn waiting(program: &Program, choosing: &[bool]) -> Vec<bool> {
    let mut waiting = vec![false; program.codes.len()];
    loop {
        let may_wait = |op: Op, waiting: &[bool]| match op {
            Op::Await(_) | Op::Suspend | Op::Sleep | Op::Get { .. } | Op::Sync { .. } => true,
            Op::CallThis { code, .. } => waiting[code as usize],
            Op::New { class, .. } => program.classes[class as usize].init.is_some_and(|code| waiting[code as usize]),
            _ => chooses(op, choosing),
        };
        let mut changed = false;
        for (i, code) in program.codes.iter().enumerate() {
            if !waiting[i] && code.ops.iter().any(|op| may_wait(*op, &waiting)) {
                (waiting[i], changed) = (true, true);
            }
        }
        if !changed {
            return waiting;
        }
    }
}
