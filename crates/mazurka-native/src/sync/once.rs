//! What is done once: [`Once`], [`OnceLock`] and [`LazyLock`], as in [`std::sync`].

use crate::runtime::current::visible;
use crate::runtime::id::Id;
use crate::runtime::op::Op;
use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Who does it, who waits, and whether it is done. It is the beginning of what it belongs to, and as a static begins anew with the whole.
struct Core {
    id: Id,
    done: AtomicBool,
    real: std::sync::Mutex<()>,
}

impl Core {
    const fn new() -> Self {
        Core {
            id: Id::new(),
            done: AtomicBool::new(false),
            real: std::sync::Mutex::new(()),
        }
    }

    /// Runs `f` unless that was done before, by whomever; waits for one that is under way.
    #[track_caller]
    fn call_once<W>(&self, whole: &W, kind: &'static str, f: impl FnOnce()) {
        if self.is_completed(whole, kind) {
            return;
        }
        match self.id.of(whole, kind) {
            Some(object) => {
                if visible(Op::Begin(object)) == Some(1) {
                    let result = catch_unwind(AssertUnwindSafe(f));
                    visible(Op::End(object, result.is_ok()));
                    match result {
                        Ok(()) => self.done.store(true, Ordering::Relaxed),
                        Err(payload) => resume_unwind(payload),
                    }
                }
            }
            None => {
                let _guard = self.real.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if !self.done.load(Ordering::Acquire) {
                    f();
                    self.done.store(true, Ordering::Release);
                }
            }
        }
    }

    #[track_caller]
    fn is_completed<W>(&self, whole: &W, kind: &'static str) -> bool {
        if let Some(object) = self.id.of(whole, kind) {
            visible(Op::Load(object));
        }
        self.done.load(Ordering::Acquire)
    }
}

/// As [`std::sync::Once`]. After an initialisation that panicked, the next one tries again.
pub struct Once(Core);

impl Once {
    /// Nothing was done yet.
    pub const fn new() -> Self {
        Once(Core::new())
    }

    /// Runs `f` unless that was done before, by whomever; waits for one that is under way.
    #[track_caller]
    pub fn call_once<F: FnOnce()>(&self, f: F) {
        self.0.call_once(self, "Once", f);
    }

    /// Whether it was done.
    #[track_caller]
    pub fn is_completed(&self) -> bool {
        self.0.is_completed(self, "Once")
    }
}

impl Default for Once {
    fn default() -> Self {
        Once::new()
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").finish_non_exhaustive()
    }
}

/// As [`std::sync::OnceLock`].
pub struct OnceLock<T> {
    core: Core,
    value: UnsafeCell<Option<T>>,
}

// SAFETY: the value is written once, by who won, and read after that only.
unsafe impl<T: Send> Send for OnceLock<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for OnceLock<T> {}

impl<T> OnceLock<T> {
    /// Without a value.
    pub const fn new() -> Self {
        OnceLock {
            core: Core::new(),
            value: UnsafeCell::new(None),
        }
    }

    /// The value, if there is one.
    #[track_caller]
    pub fn get(&self) -> Option<&T> {
        if self.core.is_completed(self, "OnceLock") {
            self.there()
        } else {
            None
        }
    }

    /// The value; if there is none, what `f` makes.
    #[track_caller]
    pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T {
        self.init(self, "OnceLock", f)
    }

    #[track_caller]
    fn init<W>(&self, whole: &W, kind: &'static str, f: impl FnOnce() -> T) -> &T {
        // SAFETY: who won writes alone: nobody reads before it is done.
        self.core.call_once(whole, kind, || unsafe { *self.value.get() = Some(f()) });
        match self.there() {
            Some(value) => value,
            None => unreachable!("it was initialised above"),
        }
    }

    /// Sets the value if there is none.
    ///
    /// # Errors
    /// With `value`, if there is one.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        // SAFETY: who won writes alone: nobody reads before it is done.
        self.core
            .call_once(self, "OnceLock", || unsafe { *self.value.get() = value.take() });
        value.map_or(Ok(()), Err)
    }

    /// The value, which nobody else can see now.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.value.get_mut().as_mut()
    }

    /// The value.
    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }

    fn there(&self) -> Option<&T> {
        // SAFETY: nobody writes any more.
        unsafe { (*self.value.get()).as_ref() }
    }
}

impl<T> Default for OnceLock<T> {
    fn default() -> Self {
        OnceLock::new()
    }
}

impl<T> From<T> for OnceLock<T> {
    fn from(value: T) -> Self {
        let lock = OnceLock::new();
        let _ = lock.set(value);
        lock
    }
}

impl<T> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnceLock").finish_non_exhaustive()
    }
}

/// As [`std::sync::LazyLock`].
pub struct LazyLock<T, F = fn() -> T> {
    cell: OnceLock<T>,
    init: Cell<Option<F>>,
}

// SAFETY: `init` is taken by who initialises the cell only.
unsafe impl<T: Send + Sync, F: Send> Sync for LazyLock<T, F> {}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// To be made by `f` when it is first looked at.
    pub const fn new(f: F) -> Self {
        LazyLock {
            cell: OnceLock::new(),
            init: Cell::new(Some(f)),
        }
    }

    /// The value.
    ///
    /// # Panics
    /// If its initialisation panicked before.
    #[track_caller]
    pub fn force(this: &Self) -> &T {
        this.cell.init(this, "LazyLock", || match this.init.take() {
            Some(f) => f(),
            None => panic!("the initialisation of a `LazyLock` has panicked"),
        })
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[track_caller]
    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}

impl<T, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyLock").finish_non_exhaustive()
    }
}
