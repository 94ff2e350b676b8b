//! What is done once: [`Once`], [`OnceLock`] and [`LazyLock`], as in [`std::sync`].

use crate::runtime::current::{self, visible};
use crate::runtime::id::Id;
use crate::runtime::op::Op;
use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Who does it, who waits, and whether it is done. It is the beginning of what it belongs to, and as a static begins anew with the whole.
struct Core {
    id: Id,
    /// In a check.
    done: AtomicBool,
    /// Outside of checks.
    real: std::sync::Once,
}

/// As [`std::sync::OnceState`].
#[derive(Debug)]
pub struct OnceState {
    poisoned: bool,
}

impl OnceState {
    /// Whether an earlier initialisation has panicked.
    pub fn is_poisoned(&self) -> bool {
        self.poisoned
    }
}

/// What is to be done if an earlier initialisation has panicked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Poison {
    /// To panic too.
    Spreads,
    /// To try again.
    IsIgnored,
}

impl Core {
    const fn new() -> Self {
        Core {
            id: Id::new(),
            done: AtomicBool::new(false),
            real: std::sync::Once::new(),
        }
    }

    /// Runs `f` unless that was done before, by whomever; waits for one that is under way.
    #[track_caller]
    fn call<W>(&self, whole: &W, kind: &'static str, poison: Poison, f: impl FnOnce(&OnceState)) {
        if self.is_completed(whole, kind) {
            return;
        }
        let Some(object) = self.id.of(whole, kind) else {
            return match poison {
                Poison::Spreads => self.real.call_once(|| f(&OnceState { poisoned: false })),
                Poison::IsIgnored => self.real.call_once_force(|state| {
                    f(&OnceState {
                        poisoned: state.is_poisoned(),
                    });
                }),
            };
        };
        let op = match poison {
            Poison::Spreads => Op::Begin(object),
            Poison::IsIgnored => Op::BeginAgain(object),
        };
        let state = match visible(op) {
            Some(1) => OnceState { poisoned: false },
            Some(2) if poison == Poison::IsIgnored => OnceState { poisoned: true },
            Some(2) => panic!("{kind} instance has previously been poisoned"),
            _ => return,
        };
        let result = catch_unwind(AssertUnwindSafe(|| f(&state)));
        visible(Op::End(object, result.is_ok()));
        match result {
            Ok(()) => self.done.store(true, Ordering::Relaxed),
            Err(payload) => resume_unwind(payload),
        }
    }

    #[track_caller]
    fn is_completed<W>(&self, whole: &W, kind: &'static str) -> bool {
        let Some(object) = self.id.of(whole, kind) else {
            return self.real.is_completed();
        };
        visible(Op::Load(object));
        let done = self.is_done();
        current::with(|execution| execution.saw(object, u64::from(done)));
        done
    }

    /// Whether it is done, for who has it alone, or has seen to that.
    fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed) || self.real.is_completed()
    }

    /// Waits until it is done.
    #[track_caller]
    fn wait<W>(&self, whole: &W, kind: &'static str, poison: Poison) {
        let force = poison == Poison::IsIgnored;
        match self.id.of(whole, kind) {
            Some(object) => {
                if visible(Op::AwaitDone(object, force)) == Some(1) {
                    panic!("{kind} instance has previously been poisoned");
                }
            }
            None if force => self.real.wait_force(),
            None => self.real.wait(),
        }
    }
}

/// As [`std::sync::Once`].
pub struct Once(Core);

impl UnwindSafe for Once {}
impl RefUnwindSafe for Once {}

impl Once {
    /// Nothing was done yet.
    pub const fn new() -> Self {
        Once(Core::new())
    }

    /// Runs `f` unless that was done before, by whomever; waits for one that is under way.
    ///
    /// # Panics
    /// If `f` does, or one has panicked before.
    #[track_caller]
    pub fn call_once<F: FnOnce()>(&self, f: F) {
        self.0.call(self, "Once", Poison::Spreads, |_| f());
    }

    /// The same, but tries again if an earlier one has panicked.
    #[track_caller]
    pub fn call_once_force<F: FnOnce(&OnceState)>(&self, f: F) {
        self.0.call(self, "Once", Poison::IsIgnored, f);
    }

    /// Whether it was done.
    #[track_caller]
    pub fn is_completed(&self) -> bool {
        self.0.is_completed(self, "Once")
    }

    /// Waits until it was done.
    ///
    /// # Panics
    /// If it has panicked.
    #[track_caller]
    pub fn wait(&self) {
        self.0.wait(self, "Once", Poison::Spreads);
    }

    /// Waits until it was done, also if it has panicked.
    #[track_caller]
    pub fn wait_force(&self) {
        self.0.wait(self, "Once", Poison::IsIgnored);
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
        self.init(self, "OnceLock", Poison::IsIgnored, f)
    }

    #[track_caller]
    fn init<W>(&self, whole: &W, kind: &'static str, poison: Poison, f: impl FnOnce() -> T) -> &T {
        // SAFETY: who won writes alone: nobody reads before it is done.
        self.core.call(whole, kind, poison, |_| unsafe { *self.value.get() = Some(f()) });
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
        let set = |_: &OnceState| {
            // SAFETY: who won writes alone: nobody reads before it is done.
            unsafe { *self.value.get() = value.take() }
        };
        self.core.call(self, "OnceLock", Poison::IsIgnored, set);
        value.map_or(Ok(()), Err)
    }

    /// Waits until there is a value.
    #[track_caller]
    pub fn wait(&self) -> &T {
        self.core.wait(self, "OnceLock", Poison::IsIgnored);
        match self.there() {
            Some(value) => value,
            None => unreachable!("it was waited for"),
        }
    }

    /// The value, which nobody else can see now.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.value.get_mut().as_mut()
    }

    /// Takes the value out; the next one begins anew.
    pub fn take(&mut self) -> Option<T> {
        std::mem::take(self).into_inner()
    }

    /// The value.
    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }

    fn there(&self) -> Option<&T> {
        // SAFETY: nobody writes any more.
        unsafe { (*self.value.get()).as_ref() }
    }

    /// The value as far as it can be seen without a step, for who prints it.
    fn peek(&self) -> Option<&T> {
        if self.core.is_done() { self.there() } else { None }
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

impl<T: fmt::Debug> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("OnceLock");
        match self.peek() {
            Some(value) => shown.field(value),
            None => shown.field(&format_args!("<uninit>")),
        };
        shown.finish()
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
    /// If its initialisation does, or has done so before.
    #[track_caller]
    pub fn force(this: &Self) -> &T {
        this.cell.init(this, "LazyLock", Poison::Spreads, || match this.init.take() {
            Some(f) => f(),
            None => panic!("LazyLock instance has previously been poisoned"),
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

impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("LazyLock");
        match self.cell.peek() {
            Some(value) => shown.field(value),
            None => shown.field(&format_args!("<uninit>")),
        };
        shown.finish()
    }
}
