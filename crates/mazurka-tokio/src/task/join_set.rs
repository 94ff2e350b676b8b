//! Sets of tasks, as `tokio::task::JoinSet`: they are joined in the order in which they end.

use super::{AbortHandle, JoinError, JoinHandle};
use crate::sync::mpsc::{Chan, UNBOUNDED};
use mazurka_native::future::spawn_daemon_then;
use mazurka_native::model::Ticket;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// A set of tasks, which are aborted when it is dropped.
pub struct JoinSet<T> {
    tasks: Vec<(u32, JoinHandle<T>)>,
    started: u32,
    ended: Arc<Chan<u32>>,
    ticket: Ticket,
    /// A task that has ended but was not joined yet.
    next: Option<u32>,
}

impl<T> JoinSet<T> {
    /// Without tasks.
    #[track_caller]
    pub fn new() -> Self {
        JoinSet {
            tasks: Vec::new(),
            started: 0,
            ended: Arc::new(Chan::new("JoinSet", UNBOUNDED)),
            ticket: Ticket::new(),
            next: None,
        }
    }

    /// How many tasks are in it.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Aborts all of them. They are still to be joined.
    #[track_caller]
    pub fn abort_all(&mut self) {
        for (_, task) in &self.tasks {
            task.abort();
        }
    }

    /// Lets all of them go on by themselves.
    pub fn detach_all(&mut self) {
        self.tasks.clear();
    }
}

impl<T: Send + 'static> JoinSet<T> {
    /// Starts a task in it.
    #[track_caller]
    pub fn spawn<F>(&mut self, future: F) -> AbortHandle
    where
        F: Future<Output = T> + Send + 'static,
    {
        let (id, tell) = (self.started, Arc::clone(&self.ended));
        self.started += 1;
        let handle = spawn_daemon_then(future, move || {
            // It is never closed.
            let _ = tell.send_at_once(id);
        });
        let abort = handle.abort_handle();
        self.tasks.push((id, handle));
        abort
    }

    /// Runs a function that may block in it.
    #[track_caller]
    pub fn spawn_blocking<F>(&mut self, function: F) -> AbortHandle
    where
        F: FnOnce() -> T + Send + 'static,
    {
        self.spawn(async move { function() })
    }

    /// Waits for the next task that ends; `None` if there are none.
    pub async fn join_next(&mut self) -> Option<Result<T, JoinError>> {
        std::future::poll_fn(|context| self.poll_join_next(context)).await
    }

    /// The next task that has ended, if there is one.
    #[track_caller]
    pub fn try_join_next(&mut self) -> Option<Result<T, JoinError>> {
        if self.tasks.is_empty() {
            return None;
        }
        if self.next.is_none() {
            self.next = Some(self.next_of_known()?);
        }
        let mut context = Context::from_waker(std::task::Waker::noop());
        match self.poll_join_next(&mut context) {
            Poll::Ready(result) => result,
            Poll::Pending => None,
        }
    }

    /// See [`JoinSet::join_next`].
    pub fn poll_join_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, JoinError>>> {
        if self.tasks.is_empty() {
            return Poll::Ready(None);
        }
        while self.next.is_none() {
            let id = ready!(self.ended.poll_receive(&mut self.ticket, context));
            self.next = id.filter(|id| self.tasks.iter().any(|(known, _)| known == id));
        }
        let at = self.tasks.iter().position(|(id, _)| Some(*id) == self.next);
        let Some(at) = at else { return Poll::Ready(None) };
        let result = ready!(std::pin::Pin::new(&mut self.tasks[at].1).poll(context));
        self.tasks.remove(at);
        self.next = None;
        Poll::Ready(Some(result))
    }

    /// Waits for all tasks: their outputs, in the order in which they end.
    ///
    /// # Panics
    /// If one of them does, or was aborted.
    pub async fn join_all(mut self) -> Vec<T> {
        let mut outputs = Vec::new();
        while let Some(result) = self.join_next().await {
            match result {
                Ok(output) => outputs.push(output),
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Err(error) => panic!("{error}"),
            }
        }
        outputs
    }

    /// Aborts all tasks and waits until they have ended.
    pub async fn shutdown(&mut self) {
        self.abort_all();
        while self.join_next().await.is_some() {}
    }

    #[track_caller]
    fn next_of_known(&mut self) -> Option<u32> {
        loop {
            let id = self.ended.try_receive().ok().flatten()?;
            if self.tasks.iter().any(|(known, _)| *known == id) {
                return Some(id);
            }
        }
    }
}

impl<T> Default for JoinSet<T> {
    fn default() -> Self {
        JoinSet::new()
    }
}

impl<T> Drop for JoinSet<T> {
    fn drop(&mut self) {
        self.ended.stop_receiving(&mut self.ticket);
        self.abort_all();
    }
}

impl<T> fmt::Debug for JoinSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinSet").field("len", &self.len()).finish()
    }
}

impl<F, T> FromIterator<F> for JoinSet<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    fn from_iter<I: IntoIterator<Item = F>>(futures: I) -> Self {
        let mut set = JoinSet::new();
        futures.into_iter().for_each(|future| {
            set.spawn(future);
        });
        set
    }
}
