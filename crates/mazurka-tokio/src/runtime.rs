//! Runtimes, as in `tokio::runtime`. There is nothing to them: tasks need none.

use crate::task::JoinHandle;
use std::future::Future;
use std::io;
use std::time::Duration;

/// Runs tasks.
#[derive(Debug, Default)]
pub struct Runtime(Handle);

/// Of a runtime.
#[derive(Debug, Clone, Default)]
pub struct Handle(());

/// Makes runtimes. What it is told makes no difference.
#[derive(Debug)]
pub struct Builder(());

/// While it lives, tasks can be started. They always can.
#[derive(Debug)]
pub struct EnterGuard<'a>(std::marker::PhantomData<&'a Handle>);

/// What kind of runtime it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuntimeFlavor {
    /// All tasks in one thread.
    CurrentThread,
    /// Tasks in several threads.
    MultiThread,
}

/// There is no runtime. There always is.
#[derive(Debug)]
pub struct TryCurrentError(());

impl std::fmt::Display for TryCurrentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("there is no runtime")
    }
}

impl std::error::Error for TryCurrentError {}

impl Builder {
    /// Of a runtime in the current thread. In a check, tasks interleave as on several.
    pub fn new_current_thread() -> Self {
        Builder(())
    }

    /// Of a runtime with several threads.
    pub fn new_multi_thread() -> Self {
        Builder(())
    }

    /// Does nothing.
    pub fn enable_all(&mut self) -> &mut Self {
        self
    }

    /// Does nothing.
    pub fn enable_time(&mut self) -> &mut Self {
        self
    }

    /// Does nothing.
    pub fn enable_io(&mut self) -> &mut Self {
        self
    }

    /// Does nothing: there is a thread for each task.
    pub fn worker_threads(&mut self, _: usize) -> &mut Self {
        self
    }

    /// Does nothing.
    pub fn max_blocking_threads(&mut self, _: usize) -> &mut Self {
        self
    }

    /// Does nothing.
    pub fn thread_name(&mut self, _: impl Into<String>) -> &mut Self {
        self
    }

    /// Does nothing.
    pub fn thread_stack_size(&mut self, _: usize) -> &mut Self {
        self
    }

    /// Does nothing: time always stands still until somebody waits for it.
    pub fn start_paused(&mut self, _: bool) -> &mut Self {
        self
    }

    /// The runtime.
    ///
    /// # Errors
    /// Never.
    pub fn build(&mut self) -> io::Result<Runtime> {
        Runtime::new()
    }
}

impl Runtime {
    /// A runtime.
    ///
    /// # Errors
    /// Never.
    pub fn new() -> io::Result<Self> {
        Ok(Runtime::default())
    }

    /// Its handle.
    pub fn handle(&self) -> &Handle {
        &self.0
    }

    /// Runs a future to its end.
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.0.block_on(future)
    }

    /// Starts a task.
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.0.spawn(future)
    }

    /// Runs a function that may block.
    #[track_caller]
    pub fn spawn_blocking<F, R>(&self, function: F) -> JoinHandle<R>
    where
        F: FnOnce() -> R + Send + 'static,
        R: Send + 'static,
    {
        self.0.spawn_blocking(function)
    }

    /// Does nothing.
    pub fn enter(&self) -> EnterGuard<'_> {
        self.0.enter()
    }

    /// Ends it. Tasks that are left go on.
    pub fn shutdown_timeout(self, _: Duration) {}

    /// Ends it. Tasks that are left go on.
    pub fn shutdown_background(self) {}
}

impl Handle {
    /// Of the runtime that runs this code.
    pub fn current() -> Self {
        Handle::default()
    }

    /// The same.
    ///
    /// # Errors
    /// Never.
    pub fn try_current() -> Result<Self, TryCurrentError> {
        Ok(Handle::default())
    }

    /// Runs a future to its end.
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        mazurka_native::future::block_on(future)
    }

    /// Starts a task.
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        crate::spawn(future)
    }

    /// Runs a function that may block.
    #[track_caller]
    pub fn spawn_blocking<F, R>(&self, function: F) -> JoinHandle<R>
    where
        F: FnOnce() -> R + Send + 'static,
        R: Send + 'static,
    {
        crate::task::spawn_blocking(function)
    }

    /// Does nothing.
    pub fn enter(&self) -> EnterGuard<'_> {
        EnterGuard(std::marker::PhantomData)
    }

    /// Always several threads.
    pub fn runtime_flavor(&self) -> RuntimeFlavor {
        RuntimeFlavor::MultiThread
    }
}
