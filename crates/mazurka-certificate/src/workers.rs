//! Doing the same with several threads, each with a program of its own.

use crate::Rejection;
use mazurka_core::{AnyProgram, Describe};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::ScopedJoinHandle;

/// Calls with a program of its own, in which every process and location has the number that it has in the others.
pub type Lend<'l> = &'l (dyn Fn(&mut (dyn FnMut(&dyn AnyProgram) + Send)) + Sync);

/// Interpreters of user code may need as much as on the main thread.
const STACK: usize = 16 << 20;

/// Who checks a certificate.
#[derive(Clone, Copy)]
pub enum Workers<'l> {
    /// This thread, with the program that it has.
    One,
    /// So many threads, at least one, with programs that are lent to them.
    Several(usize, Lend<'l>),
}

/// What each of them does, until all of it is done.
pub(crate) trait Job: Sync {
    fn work<P>(&self, program: &P) -> Result<(), Rejection>
    where
        P: Describe + ?Sized,
        P::State: Clone;
}

impl Workers<'_> {
    /// Has all of them work, and waits for them.
    pub(crate) fn all_do<P>(self, program: &P, job: &impl Job) -> Result<(), Rejection>
    where
        P: Describe + ?Sized,
        P::State: Clone,
    {
        let Workers::Several(threads, lend) = self else {
            return job.work(program);
        };
        let work = || {
            let mut result = None;
            lend(&mut |program| {
                result = Some(job.work(program).and_then(|()| match program.objection() {
                    Some(wrong) => Err(Rejection::refused(wrong)),
                    None => Ok(()),
                }));
            });
            result.unwrap_or_else(|| Err(gave_up()))
        };
        std::thread::scope(|scope| {
            let start = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let started: Vec<_> = (0..threads.max(1)).map(start).collect();
            // Fewer threads than asked for do the same work; none does nothing.
            let started: Vec<_> = started.into_iter().flatten().collect();
            if started.is_empty() {
                return Err(gave_up());
            }
            let join = |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|_| Err(gave_up()));
            // All of them are waited for, whatever one says.
            let results: Vec<Result<(), Rejection>> = started.into_iter().map(join).collect();
            results.into_iter().collect()
        })
    }
}

fn gave_up() -> Rejection {
    Rejection::refused("one of the threads that check it gave up")
}

/// What is wrong first, in the order of the list.
#[derive(Default)]
pub(crate) struct Wrong(Option<(u64, Rejection)>);

impl Wrong {
    /// Something is, at this place.
    pub fn add(&mut self, place: u64, why: Rejection) {
        if self.0.as_ref().is_none_or(|(first, _)| place < *first) {
            self.0 = Some((place, why));
        }
    }

    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }

    pub fn result(self) -> Result<(), Rejection> {
        self.0.map_or(Ok(()), |(_, why)| Err(why))
    }
}

/// What nobody else has any more.
pub(crate) fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Locks it. Whoever panicked with it is noticed when its thread ends.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
