//! Panics of the code under test: remembered instead of printed.

use super::current;
use super::thread::Panic;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// Makes panics of code under test silent; those of others are printed as before.
pub(crate) fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let panic = || Panic {
                message: message(info.payload()),
                at: info.location().map(|at| (at.file().to_owned(), at.line(), at.column())),
            };
            if ends_the_process(info.payload()) {
                current::give_up(panic);
            }
            if current::with(|execution| execution.running().last_panic = Some(panic())).is_none() {
                before(info);
            }
        }));
    });
}

/// Whether a panic cannot be caught. The standard library does not say so; it panics again with this message before it ends the process.
fn ends_the_process(payload: &dyn Any) -> bool {
    let text = payload.downcast_ref::<&str>().copied();
    matches!(
        text,
        Some("panic in a destructor during cleanup" | "panic in a function that cannot unwind")
    )
}

fn message(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}

/// Runs the body of a thread. A panic is its result.
pub(crate) fn caught<T>(body: impl FnOnce() -> T) -> std::thread::Result<T> {
    let result = catch_unwind(AssertUnwindSafe(body));
    if result.is_err() {
        current::with(|execution| execution.panicked());
    }
    result
}
