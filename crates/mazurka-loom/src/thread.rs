//! Threads, as in `loom::thread`: what they take with them need not be `Send`.

use std::{fmt, io};

pub use mazurka_native::thread::{AccessError, LocalKey, ThreadId, panicking, park, yield_now};

/// What a thread of a model takes or gives, whether it may leave its thread or not.
struct Taken<T>(T);

// SAFETY: it is used in models only, whose threads are coroutines of one thread of the operating system.
unsafe impl<T> Send for Taken<T> {}

/// As `loom::thread::Thread`.
#[derive(Clone, Debug)]
pub struct Thread(mazurka_native::thread::Thread);

impl Thread {
    /// Makes the thread's token available: its next `park`, or the one under way, ends.
    #[track_caller]
    pub fn unpark(&self) {
        self.0.unpark();
    }

    /// A number of its own.
    pub fn id(&self) -> ThreadId {
        self.0.id()
    }

    /// Its name, if it was given one. The first thread of a model has none.
    pub fn name(&self) -> Option<&str> {
        self.0.name().filter(|name| *name != "main")
    }
}

/// The thread that calls this.
pub fn current() -> Thread {
    Thread(mazurka_native::thread::current())
}

/// As `loom::thread::JoinHandle`.
pub struct JoinHandle<T> {
    handle: mazurka_native::thread::JoinHandle<Taken<T>>,
    thread: Thread,
}

impl<T> JoinHandle<T> {
    /// Waits for the end of the thread: what it returned, or its panic.
    ///
    /// # Errors
    /// If it panicked.
    #[track_caller]
    pub fn join(self) -> std::thread::Result<T> {
        self.handle.join().map(|taken| taken.0)
    }

    /// The thread.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}

/// As `loom::thread::Builder`.
#[derive(Debug, Default)]
pub struct Builder(mazurka_native::thread::Builder);

impl Builder {
    /// Of a thread without a name.
    pub fn new() -> Self {
        Builder::default()
    }

    /// Names the thread.
    #[must_use]
    pub fn name(self, name: String) -> Self {
        Builder(self.0.name(name))
    }

    /// Not used.
    #[must_use]
    pub fn stack_size(self, size: usize) -> Self {
        Builder(self.0.stack_size(size))
    }

    /// Starts the thread.
    ///
    /// # Errors
    /// Never.
    ///
    /// # Panics
    /// Outside of a model: what the thread takes with it may have to stay in its thread.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + 'static,
        T: 'static,
    {
        assert!(mazurka_native::is_checking(), "threads of loom can only be started in a model");
        let f = Taken(f);
        let start = move || {
            let f = f;
            Taken((f.0)())
        };
        self.0.spawn(start).map(|handle| JoinHandle {
            thread: Thread(handle.thread().clone()),
            handle,
        })
    }
}

/// Starts a thread.
///
/// # Panics
/// Outside of a model.
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + 'static,
    T: 'static,
{
    Builder::new().spawn(f).expect("a new thread")
}
