//! The store may panic on a file that is not its own; here that is an answer like any other.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Mutex;

/// The hook belongs to the process.
static HOOK: Mutex<()> = Mutex::new(());

/// What `work` returns; `None` if it panics, of which nothing is printed.
pub fn quietly<T>(work: impl FnOnce() -> T) -> Option<T> {
    let _alone = HOOK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    // What it leaves behind is not looked at again.
    let result = catch_unwind(AssertUnwindSafe(work));
    set_hook(hook);
    result.ok()
}
