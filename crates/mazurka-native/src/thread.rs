//! Threads, as in [`std::thread`].

mod traits;

use crate::runtime::current::{self, publish, visible};
use crate::runtime::guided::Intent;
use crate::runtime::op::Op;
use crate::runtime::panics::caught;
use std::io;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use crate::local::{AccessError, LocalKey};
pub use std::thread::{Result, panicking};

#[doc(hidden)]
pub use crate::local::LocalTag;
#[doc(hidden)]
pub use std::thread_local as real_thread_local;

/// The result of a thread, on its way to who joins it.
type Packet<T> = Arc<Mutex<Option<Result<T>>>>;

/// As [`std::thread::JoinHandle`].
pub struct JoinHandle<T> {
    thread: Thread,
    end: End<T>,
}

/// How to wait for the end of a thread.
enum End<T> {
    Real(std::thread::JoinHandle<T>),
    Checked(Packet<T>),
}

/// As [`std::thread::Thread`].
#[derive(Clone, Debug)]
pub struct Thread(Which);

#[derive(Clone, Debug)]
enum Which {
    Real(std::thread::Thread),
    Checked { process: u32, name: Option<Arc<str>> },
}

/// As [`std::thread::ThreadId`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadId(Number);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Number {
    Real(std::thread::ThreadId),
    Checked(u32),
}

impl Thread {
    /// Makes the thread's token available: its next `park`, or the one under way, ends.
    #[track_caller]
    pub fn unpark(&self) {
        match &self.0 {
            Which::Real(thread) => thread.unpark(),
            Which::Checked { process, .. } => {
                if let Some(token) = current::with(|execution| execution.token(*process)) {
                    visible(Op::Unpark(token));
                }
            }
        }
    }

    /// A number of its own.
    pub fn id(&self) -> ThreadId {
        ThreadId(match &self.0 {
            Which::Real(thread) => Number::Real(thread.id()),
            Which::Checked { process, .. } => Number::Checked(*process),
        })
    }

    /// Its name, if it was given one.
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
            Which::Real(thread) => thread.name(),
            Which::Checked { name, .. } => name.as_deref(),
        }
    }
}

impl<T> JoinHandle<T> {
    /// The thread.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Waits for its end: what it returned, or its panic.
    ///
    /// # Errors
    /// If it panicked.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        self.join_at(Location::caller())
    }

    fn join_at(self, at: &'static Location<'static>) -> Result<T> {
        match self.end {
            End::Real(handle) => handle.join(),
            End::Checked(result) => {
                wait_for(&self.thread, at);
                let result = result.lock().unwrap_or_else(PoisonError::into_inner).take();
                result.unwrap_or_else(|| Err(Box::new("the thread was abandoned")))
            }
        }
    }

    /// Whether it has come to its end. In a check that asks, every end of a thread is a step.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        match &self.end {
            End::Real(handle) => handle.is_finished(),
            End::Checked(_) => has_ended(&self.thread),
        }
    }
}

#[track_caller]
fn has_ended(thread: &Thread) -> bool {
    let Which::Checked { process, .. } = thread.0 else { return true };
    // Outside of the check the execution is over.
    let Some(end) = current::with(|execution| execution.end_to_look_for(process)) else {
        return true;
    };
    let ended = visible(Op::IsFinished(end)) == Some(1);
    current::with(|execution| execution.found(end));
    ended
}

fn wait_for(thread: &Thread, at: &'static Location<'static>) {
    if let Which::Checked { process, .. } = thread.0 {
        publish(Op::Join(process), at);
        current::with(|execution| execution.take_panic(process));
    }
}

/// As [`std::thread::Builder`].
#[derive(Debug, Default)]
pub struct Builder {
    name: Option<String>,
    stack_size: Option<usize>,
}

impl Builder {
    /// Of a thread without a name.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the thread: counterexamples show it.
    #[must_use]
    pub fn name(self, name: String) -> Self {
        Builder { name: Some(name), ..self }
    }

    /// The size of its stack outside of checks.
    #[must_use]
    pub fn stack_size(self, size: usize) -> Self {
        Builder {
            stack_size: Some(size),
            ..self
        }
    }

    /// Starts the thread.
    ///
    /// # Errors
    /// If the operating system has none left; never in a check.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        // SAFETY: `f` and what it returns borrow nothing.
        unsafe { self.spawn_borrowing(f) }
    }

    /// Starts a thread that ends before the scope.
    ///
    /// # Errors
    /// If the operating system has none left; never in a check.
    #[track_caller]
    pub fn spawn_scoped<'scope, F, T>(self, scope: &'scope Scope<'scope, '_>, f: F) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        scope.start(self, f)
    }

    /// Starts a thread that may borrow whatever it likes.
    ///
    /// # Errors
    /// If the operating system has none left; never in a check.
    ///
    /// # Safety
    /// The thread ends before what it borrows.
    #[track_caller]
    pub unsafe fn spawn_unchecked<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send,
        T: Send,
    {
        // SAFETY: the caller's promise.
        unsafe { self.spawn_borrowing(f) }
    }

    /// Starts a thread that may borrow.
    ///
    /// # Safety
    /// The thread ends before what it borrows, or is never resumed again.
    #[track_caller]
    unsafe fn spawn_borrowing<'a, F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'a,
        T: Send + 'a,
    {
        if !current::is_active() {
            let mut builder = std::thread::Builder::new();
            if let Some(name) = self.name {
                builder = builder.name(name);
            }
            if let Some(size) = self.stack_size {
                builder = builder.stack_size(size);
            }
            // SAFETY: the caller's promise.
            return unsafe { builder.spawn_unchecked(f) }.map(|handle| JoinHandle {
                thread: Thread(Which::Real(handle.thread().clone())),
                end: End::Real(handle),
            });
        }
        let at = Location::caller();
        let result: Packet<T> = Arc::default();
        let packet = Arc::clone(&result);
        let main: Box<dyn FnOnce() + 'a> = Box::new(move || {
            let result = caught(f);
            *packet.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            // If nobody wants the result it is dropped here; a panic then is that of this thread.
            let _ = caught(|| drop(packet));
            if let Some(end) = current::with(|execution| execution.own_end()).flatten() {
                publish(Op::Finish(end), at);
            }
        });
        // SAFETY: the caller promises that it is not run when what it borrows is gone.
        let main: Box<dyn FnOnce()> = unsafe { std::mem::transmute(main) };
        let name = self.name.clone();
        // In a graph, what comes after the start of a thread is told from what comes before by an event.
        current::guided_step(|| Intent::Fence(Ordering::Relaxed));
        let process = current::with(|execution| execution.spawn(name, main)).unwrap_or_default();
        let name = self.name.map(Arc::from);
        let thread = Thread(Which::Checked { process, name });
        Ok(JoinHandle {
            thread,
            end: End::Checked(result),
        })
    }
}

/// Starts a thread, as [`std::thread::spawn`].
///
/// # Panics
/// If the operating system has none left; never in a check.
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    Builder::new().spawn(f).expect("a new thread")
}

/// The thread that calls this.
pub fn current() -> Thread {
    let checked = current::with(|execution| {
        if execution.running().dropping > 0 {
            // Who drops it may be what the destructor wants to know.
            execution.drops_must_matter();
        }
        let thread = execution.running();
        (thread.process, thread.name.as_deref().map(Arc::from))
    });
    Thread(match checked {
        Some((process, name)) => Which::Checked { process, name },
        None => Which::Real(std::thread::current()),
    })
}

/// Waits until the thread's token is available, and takes it. In a check it does not wake up without reason.
#[track_caller]
pub fn park() {
    match own_token() {
        Some(token) => {
            visible(Op::Park { token, timed: false });
        }
        None => std::thread::park(),
    }
}

/// Waits at most so long. In a check the time may be over at any moment.
#[track_caller]
pub fn park_timeout(timeout: Duration) {
    match own_token() {
        Some(token) => {
            if visible(Op::Park { token, timed: true }) == Some(1) {
                crate::time::pass(timeout);
            }
        }
        None => std::thread::park_timeout(timeout),
    }
}

fn own_token() -> Option<crate::runtime::op::Object> {
    current::with(|execution| {
        let process = execution.process();
        execution.token(process)
    })
}

/// Lets others run. In a check, a thread that comes here a few times with nothing changed that it has looked at waits for a change.
#[track_caller]
pub fn yield_now() {
    go_round(std::thread::yield_now);
}

/// Waits so long. In a check it is [`yield_now`]: every other thread may be faster or slower.
#[track_caller]
pub fn sleep(time: Duration) {
    crate::time::pass(time);
    go_round(|| std::thread::sleep(time));
}

/// [`sleep`], in milliseconds.
#[track_caller]
pub fn sleep_ms(milliseconds: u32) {
    sleep(Duration::from_millis(milliseconds.into()));
}

/// [`park_timeout`], in milliseconds.
#[track_caller]
pub fn park_timeout_ms(milliseconds: u32) {
    park_timeout(Duration::from_millis(milliseconds.into()));
}

#[track_caller]
pub(crate) fn go_round(real: impl FnOnce()) {
    match current::with(|execution| execution.goes_round()) {
        Some(true) => {
            visible(Op::AwaitNews);
        }
        Some(false) => {}
        None => real(),
    }
}

/// As [`std::thread::available_parallelism`]; in a check two.
///
/// # Errors
/// If it cannot be found out.
pub fn available_parallelism() -> io::Result<std::num::NonZero<usize>> {
    if current::is_active() {
        return Ok(const { std::num::NonZero::new(2).unwrap() });
    }
    std::thread::available_parallelism()
}

/// Waits for a thread; whether it panicked.
type Join = Box<dyn FnOnce(&'static Location<'static>) -> bool + Send>;

/// As [`std::thread::Scope`].
pub struct Scope<'scope, 'env: 'scope> {
    /// Threads that are still to be joined, with their processes. Their results are dropped there.
    open: Mutex<Vec<(u32, Join)>>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// As [`std::thread::ScopedJoinHandle`].
pub struct ScopedJoinHandle<'scope, T> {
    handle: Arc<Mutex<Option<JoinHandle<T>>>>,
    thread: Thread,
    scope: PhantomData<&'scope ()>,
}

/// Runs `f`, which may start threads that borrow from outside of it, and waits for them all, as [`std::thread::scope`].
///
/// # Panics
/// If `f` does, or one of the threads that nobody joined did.
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let scope = Scope {
        open: Mutex::default(),
        scope: PhantomData,
        env: PhantomData,
    };
    let at = Location::caller();
    let result = catch_unwind(AssertUnwindSafe(|| f(&scope)));
    let mut panicked = false;
    while let Some(join) = scope.next_to_join() {
        panicked |= join(at);
    }
    match result {
        Err(payload) => resume_unwind(payload),
        Ok(_) if panicked => panic!("a scoped thread panicked"),
        Ok(result) => result,
    }
}

impl<'scope> Scope<'scope, '_> {
    /// The oldest thread that is still to be joined. That does not depend on who was faster: who was started by a thread of the scope
    /// is younger than that one.
    fn next_to_join(&self) -> Option<Join> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (oldest, _) = open.iter().enumerate().min_by_key(|(_, (process, _))| *process)?;
        Some(open.remove(oldest).1)
    }

    /// Starts a thread that ends before the scope.
    ///
    /// # Panics
    /// If the operating system has none left; never in a check.
    #[track_caller]
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        self.start(Builder::new(), f).expect("a new thread")
    }

    #[track_caller]
    fn start<F, T>(&'scope self, builder: Builder, f: F) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        // SAFETY: the scope joins the thread before it ends, also if it ends by a panic. An execution that is given up leaves the scope where
        // it is for ever, with all that is borrowed.
        let handle = unsafe { builder.spawn_borrowing(f) }?;
        let thread = handle.thread.clone();
        let handle = Arc::new(Mutex::new(Some(handle)));
        let open = Arc::clone(&handle);
        let process = match thread.0 {
            Which::Checked { process, .. } => process,
            Which::Real(_) => 0,
        };
        let join: Box<dyn FnOnce(&'static Location<'static>) -> bool + Send + 'scope> = Box::new(move |at| {
            let handle = open.lock().unwrap_or_else(PoisonError::into_inner).take();
            handle.is_some_and(|handle| handle.join_at(at).is_err())
        });
        // SAFETY: it is called, or dropped, before the scope ends.
        let join: Join = unsafe { std::mem::transmute(join) };
        self.open.lock().unwrap_or_else(PoisonError::into_inner).push((process, join));
        Ok(ScopedJoinHandle {
            handle,
            thread,
            scope: PhantomData,
        })
    }
}

impl<T> ScopedJoinHandle<'_, T> {
    /// The thread.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Whether it has come to its end, as [`JoinHandle::is_finished`].
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        // A check may suspend the thread while it looks, so the handle is not kept locked then.
        if let Which::Checked { .. } = self.thread.0 {
            return has_ended(&self.thread);
        }
        let handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner);
        handle.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for its end: what it returned, or its panic.
    ///
    /// # Errors
    /// If it panicked.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        let handle = self.handle.lock().unwrap_or_else(PoisonError::into_inner).take();
        match handle {
            Some(handle) => handle.join(),
            None => Err(Box::new("the thread was joined before")),
        }
    }
}
