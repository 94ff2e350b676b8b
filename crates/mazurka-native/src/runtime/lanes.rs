//! Threads of the operating system on which code under test runs.
//!
//! All coroutines of a check run in one thread, the one that searches, as long as nobody panics. The standard library counts panics for each thread
//! of the operating system, and a destructor that takes a step suspends its coroutine in the middle of one. So a coroutine that is being unwound keeps
//! the thread that it was in when the panic began, and the others are resumed elsewhere until it is through.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Work for another thread.
type Work = Box<dyn FnOnce()>;

/// How it ended: by itself, or by a panic.
type Done = Result<(), Box<dyn Any + Send>>;

/// What may be handed to another thread while this one waits, or never uses it again.
struct Handed<T>(T);

// SAFETY: it is made for values that one thread hands to another, and does not touch until it has them back.
unsafe impl<T> Send for Handed<T> {}

impl<T> Handed<T> {
    /// The value. A method, so that closures capture the whole.
    fn take(self) -> T {
        self.0
    }
}

/// A thread of the operating system that does what it is told, one thing after the other. It ends when nobody can tell it anything any more.
pub(crate) struct OsThread {
    work: Sender<Handed<Work>>,
    done: Receiver<Done>,
}

impl OsThread {
    /// A new one.
    pub fn start(name: &str) -> Self {
        let (work, to_do) = channel::<Handed<Work>>();
        let (report, done) = channel();
        let main = move || {
            for work in to_do {
                let work = work.take();
                let result = catch_unwind(AssertUnwindSafe(work));
                if report.send(result).is_err() {
                    break;
                }
            }
        };
        let builder = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK);
        if let Err(e) = builder.spawn(main) {
            panic!("the operating system has no thread for the check: {e}");
        }
        OsThread { work, done }
    }

    /// Has `work` done there, and waits for it.
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        let mut result = None;
        let into = &mut result;
        let work: Box<dyn FnOnce() + '_> = Box::new(move || *into = Some(work()));
        // SAFETY: this thread waits until it is done.
        let work: Work = unsafe { std::mem::transmute::<Box<dyn FnOnce() + '_>, Work>(work) };
        self.send(work);
        self.ended(self.done.recv().map_err(|_| RecvTimeoutError::Disconnected));
        result.unwrap_or_else(|| unreachable!("it was done"))
    }

    /// Has `work` done there. Looks every now and then whether it got stuck: then nothing comes of it, and neither the thread nor what it was given
    /// is seen again.
    pub fn run_watched<R: 'static>(
        &self,
        work: impl FnOnce() -> R + 'static,
        every: Duration,
        mut is_stuck: impl FnMut() -> bool,
    ) -> Option<R> {
        let (give, result) = channel();
        self.send(Box::new(move || drop(give.send(Handed(work())))));
        while !self.ended(self.done.recv_timeout(every)) {
            if is_stuck() {
                return None;
            }
        }
        result.try_recv().ok().map(Handed::take)
    }

    fn send(&self, work: Work) {
        assert!(self.work.send(Handed(work)).is_ok(), "a thread of the check has ended");
    }

    /// Whether the work was done.
    fn ended(&self, result: Result<Done, RecvTimeoutError>) -> bool {
        match result {
            Ok(Ok(())) => true,
            Ok(Err(payload)) => resume_unwind(payload),
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => panic!("a thread of the check has ended"),
        }
    }
}

/// As much as the main thread of a program usually has.
const STACK: usize = 8 * 1024 * 1024;

/// Which of the threads a coroutine is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lane {
    /// The one that searches.
    Home,
    /// Another one.
    Other(u32),
}

/// The threads that code under test can run in.
#[derive(Default)]
pub(crate) struct Lanes {
    /// Whether a coroutine is being unwound in the thread that searches.
    home_is_taken: bool,
    others: Vec<(OsThread, bool)>,
}

impl Lanes {
    /// One in which nobody is being unwound.
    pub fn free(&mut self) -> Lane {
        if !self.home_is_taken {
            return Lane::Home;
        }
        let free = self.others.iter().position(|(_, taken)| !taken);
        Lane::Other(free.unwrap_or_else(|| {
            self.others.push((OsThread::start("mazurka"), false));
            self.others.len() - 1
        }) as u32)
    }

    /// Another thread than the one that searches.
    pub fn other(&self, n: u32) -> &OsThread {
        &self.others[n as usize].0
    }

    /// Says whether a coroutine that is being unwound keeps a lane.
    #[inline]
    pub fn take(&mut self, lane: Lane, taken: bool) {
        match lane {
            Lane::Home => self.home_is_taken = taken,
            Lane::Other(n) => self.others[n as usize].1 = taken,
        }
    }

    /// The execution is over. Threads whose coroutines were given up in the middle of a panic are of no use any more.
    pub fn give_up(&mut self) {
        self.others.retain(|(_, taken)| !taken);
    }

    /// Whether that holds for the thread that searches. Everything still works, but slower.
    pub fn is_spoilt(&self) -> bool {
        self.home_is_taken
    }

    /// The search goes on in another thread.
    pub fn moved(&mut self) {
        self.home_is_taken = false;
    }
}
