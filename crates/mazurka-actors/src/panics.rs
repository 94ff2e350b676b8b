//! Catching panics of user code without noise.

use mazurka_core::{Failure, FailureKind, Position};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static CAUGHT: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// Runs user code; a panic in it becomes a failure and prints nothing.
pub(crate) fn catch<R>(f: impl FnOnce() -> R) -> Result<R, Failure> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !INSIDE.get() {
                return others(info);
            }
            let text = info.payload();
            let message = text
                .downcast_ref::<&str>()
                .map(|s| (*s).to_owned())
                .or_else(|| text.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "a panic without a message".to_owned());
            let at = info.location().map(|l| Position {
                file: l.file().to_owned(),
                line: l.line(),
                column: l.column(),
            });
            let kind = if message.starts_with("assertion") {
                FailureKind::Assertion
            } else {
                FailureKind::Panic
            };
            CAUGHT.set(Some(Failure { kind, message, at }));
        }));
    });
    let before = INSIDE.replace(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    INSIDE.set(before);
    result.map_err(|_| {
        CAUGHT.take().unwrap_or(Failure {
            kind: FailureKind::Panic,
            message: "a panic without a message".to_owned(),
            at: None,
        })
    })
}
