//! Code in which nothing may choose: guards, recover branches and the property are evaluated in the middle of a step, or between steps, where
//! no search can try every value of `random`.

use super::choosing;
use crate::code::Program;
use mazurka_diagnostics::{Diagnostic, Diagnostics, Span};

/// An error for each `random` that would have to choose where nothing can.
pub fn unchosen(program: &Program) -> Diagnostics {
    let choosing = choosing(&program.codes);
    let mut wrong = Diagnostics::new();
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
    for guard in &program.guards {
        if let Some((code, _)) = guard.condition {
            check(
                code,
                guard.span,
                "a guard",
                "choose before waiting: `Int n = random(2); await n == x;`",
            );
        }
    }
    for code in program.classes.iter().filter_map(|class| class.recover) {
        let span = program.codes[code as usize].span;
        check(code, span, "a recover block", "choose in the method, before what may fail");
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
    wrong
}
