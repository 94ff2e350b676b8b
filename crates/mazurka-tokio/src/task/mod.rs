//! Tasks, as in `tokio::task`.
//!
//! A task that panics fails a check, unless [`mazurka_native::Check::allow_panics`] says otherwise. With
//! [`mazurka_native::Check::cancel_tasks`], tasks may be aborted wherever they wait, though nobody does.

mod join_set;
mod local;

use std::future::Future;

pub use join_set::JoinSet;
pub use local::{AccessError, LocalKey, TaskLocalFuture};
#[doc(hidden)]
pub use mazurka_native::thread_local as __thread_local;

pub use mazurka_native::future::{AbortHandle, JoinError, JoinHandle, spawn_blocking, yield_now};

/// Starts a task. When all others have ended, it may wait for ever, as tokio drops such tasks.
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    mazurka_native::future::spawn_daemon(future)
}

/// Runs a function that may block.
pub fn block_in_place<R>(function: impl FnOnce() -> R) -> R {
    function()
}

/// The same future: tasks have no budget here.
pub async fn unconstrained<F: Future>(future: F) -> F::Output {
    future.await
}

/// Lets others run if the task's budget is used up. It never is.
pub async fn consume_budget() {}
