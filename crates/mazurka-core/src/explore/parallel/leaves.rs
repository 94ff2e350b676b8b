//! The leaves that are still to be run, and who waits for one.

use super::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, Ordering};
use std::collections::VecDeque;
use std::sync::PoisonError;

/// Leaves by the worker that found them. It runs them newest first, which keeps most of its execution; others take the oldest, below which there
/// is most to do.
pub(crate) struct Leaves<T> {
    queues: Vec<Mutex<VecDeque<T>>>,
    /// How many were added and are not done.
    open: AtomicUsize,
    /// How many workers look for one.
    idle: AtomicUsize,
    closed: AtomicBool,
    waiting: Mutex<()>,
    changed: Condvar,
}

impl<T> Leaves<T> {
    /// One leaf, which the first of so many workers has found.
    pub fn new(workers: usize, root: T) -> Self {
        let mut queues: Vec<Mutex<VecDeque<T>>> = Vec::with_capacity(workers);
        queues.push(Mutex::new(VecDeque::from([root])));
        queues.resize_with(workers, || Mutex::new(VecDeque::new()));
        Leaves {
            queues,
            open: AtomicUsize::new(1),
            idle: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            waiting: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// A worker found a leaf. It must not be done itself with the one that it was found from.
    pub fn add(&self, worker: usize, leaf: T) {
        self.open.fetch_add(1, Ordering::SeqCst);
        self.queue(worker).push_back(leaf);
        // Who waits has said so before it looked for the last time.
        if self.idle.load(Ordering::SeqCst) > 0 {
            self.wake();
        }
    }

    /// Whether somebody waits and could not take anything from this worker.
    pub fn wanted(&self, worker: usize) -> bool {
        self.idle.load(Ordering::Relaxed) > 0 && self.queue(worker).is_empty()
    }

    /// A leaf for this worker; waits for one if others may still find some. `None` if there will be no more.
    pub fn take(&self, worker: usize) -> Option<T> {
        if let found @ Some(_) = self.find(worker) {
            return found;
        }
        self.idle.fetch_add(1, Ordering::SeqCst);
        let found = self.wait(worker);
        self.idle.fetch_sub(1, Ordering::SeqCst);
        found
    }

    fn wait(&self, worker: usize) -> Option<T> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.closed.load(Ordering::SeqCst) {
                return None;
            }
            if let found @ Some(_) = self.find(worker) {
                return found;
            }
            if self.open.load(Ordering::SeqCst) == 0 {
                return None;
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A leaf that was taken is done, and all that was found from it was added.
    pub fn done(&self) {
        if self.open.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.wake();
        }
    }

    /// Whether every leaf is done.
    pub fn all_done(&self) -> bool {
        self.open.load(Ordering::SeqCst) == 0
    }

    /// Whether [`Leaves::close`] was called.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// Nobody gets a leaf any more.
    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.wake();
    }

    fn wake(&self) {
        // Whoever has looked in vain waits by now.
        drop(self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    fn find(&self, worker: usize) -> Option<T> {
        if self.closed.load(Ordering::SeqCst) {
            return None;
        }
        let own = self.queue(worker).pop_back();
        own.or_else(|| {
            let others = (1..self.queues.len()).map(|offset| (worker + offset) % self.queues.len());
            others.into_iter().find_map(|other| self.queue(other).pop_front())
        })
    }

    fn queue(&self, worker: usize) -> impl std::ops::DerefMut<Target = VecDeque<T>> + '_ {
        self.queues[worker].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
