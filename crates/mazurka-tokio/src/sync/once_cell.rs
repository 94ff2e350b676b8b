//! A value that is made once, as `tokio::sync::OnceCell`.

use mazurka_native::model::{Model, Rule, Step, Ticket};
use std::cell::UnsafeCell;
use std::error::Error;
use std::fmt;
use std::future::Future;

const EMPTY: u32 = 0;
const UNDER_WAY: u32 = 1;
const DONE: u32 = 2;

/// The answer says how it was; if it was empty, it is under way now.
static BEGIN: Rule = Rule {
    name: "begin",
    awaits: "the value of",
    touches: |t| {
        t.guard(0).update(0);
    },
    enabled: |state, _| state.numbers[0] != UNDER_WAY,
    apply: |state, _| {
        let was = state.numbers[0];
        if was == EMPTY {
            state.numbers[0] = UNDER_WAY;
        }
        was
    },
    holds: true,
    ..Rule::STEP
};

static TRY_BEGIN: Rule = Rule {
    name: "try to begin",
    awaits: "",
    touches: |t| {
        t.update(0);
    },
    enabled: |_, _| true,
    looks: true,
    ..BEGIN
};

/// It is as the argument says. What comes in its upper half was answered to who gave up.
static END: Rule = Rule {
    name: "end",
    touches: |t| {
        t.update(0);
    },
    apply: |state, call| {
        if call.argument >> 32 == u64::from(EMPTY) {
            state.numbers[0] = call.argument as u32;
        }
        0
    },
    ..Rule::STEP
};

static LOOK: Rule = Rule {
    name: "look at",
    touches: |t| {
        t.read(0);
    },
    apply: |state, _| state.numbers[0],
    looks: true,
    ..Rule::STEP
};

/// A value that is made once.
pub struct OnceCell<T> {
    model: Model<()>,
    value: UnsafeCell<Option<T>>,
}

// SAFETY: the value is written by the one who has begun, before it is done, and only read after that.
unsafe impl<T: Send> Send for OnceCell<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for OnceCell<T> {}

/// Why a value was not set; it comes back.
#[derive(PartialEq, Eq)]
pub enum SetError<T> {
    /// There is one.
    AlreadyInitializedError(T),
    /// Somebody else is making one.
    InitializingError(T),
}

impl<T> OnceCell<T> {
    /// Without a value.
    pub const fn new() -> Self {
        OnceCell {
            model: Model::new("OnceCell", 0, 1, ()),
            value: UnsafeCell::new(None),
        }
    }

    /// The same.
    pub const fn const_new() -> Self {
        OnceCell::new()
    }

    /// The value, if there is one.
    #[track_caller]
    pub fn get(&self) -> Option<&T> {
        (self.model().step(&LOOK, 0, |how, ()| how) == DONE).then(|| self.made()).flatten()
    }

    /// Whether there is a value.
    #[track_caller]
    pub fn initialized(&self) -> bool {
        self.get().is_some()
    }

    /// Sets the value.
    ///
    /// # Errors
    /// If there is one, or one is being made.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), SetError<T>> {
        match self.model().step(&TRY_BEGIN, 0, |was, ()| was) {
            EMPTY => {
                Making(self).done(value);
                Ok(())
            }
            DONE => Err(SetError::AlreadyInitializedError(value)),
            _ => Err(SetError::InitializingError(value)),
        }
    }

    /// The value; if there is none, this future makes it. If it is dropped, another one does.
    #[track_caller]
    pub fn get_or_init<F: Future<Output = T>>(&self, init: impl FnOnce() -> F) -> impl Future<Output = &T> {
        let made = self.get_or_try_init(|| {
            let value = init();
            async { Ok::<T, std::convert::Infallible>(value.await) }
        });
        async {
            match made.await {
                Ok(value) => value,
                Err(never) => match never {},
            }
        }
    }

    /// The value; if there is none, this future makes it, unless it fails.
    ///
    /// # Errors
    /// If it fails.
    #[track_caller]
    pub fn get_or_try_init<E, F: Future<Output = Result<T, E>>>(&self, init: impl FnOnce() -> F) -> impl Future<Output = Result<&T, E>> {
        let ticket = Ticket::new();
        async move {
            if Step::new(self.model(), &BEGIN, u64::from(EMPTY), &END, ticket).await == EMPTY {
                let making = Making(self);
                let value = init().await?;
                making.done(value);
            }
            Ok(self.made().expect("a value that is done"))
        }
    }

    /// The value, which nobody else can see now.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.value.get_mut().as_mut()
    }

    /// The value.
    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }

    #[track_caller]
    fn model(&self) -> &Model<()> {
        self.model.within(self);
        &self.model
    }

    /// The value, when it is done.
    fn made(&self) -> Option<&T> {
        // SAFETY: it is done, and nobody writes it any more.
        unsafe { (*self.value.get()).as_ref() }
    }
}

/// A value that is being made. If that ends early, there is none.
struct Making<'a, T>(&'a OnceCell<T>);

impl<T> Making<'_, T> {
    fn done(self, value: T) {
        // SAFETY: this is the one who has begun, and it is not done.
        unsafe { *self.0.value.get() = Some(value) };
        self.0.model.step(&END, u64::from(DONE), |_, ()| ());
        std::mem::forget(self);
    }
}

impl<T> Drop for Making<'_, T> {
    fn drop(&mut self) {
        self.0.model.step(&END, u64::from(EMPTY), |_, ()| ());
    }
}

impl<T> Default for OnceCell<T> {
    fn default() -> Self {
        OnceCell::new()
    }
}

impl<T> fmt::Debug for OnceCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnceCell").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for SetError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SetError::AlreadyInitializedError(_) => "AlreadyInitializedError",
            SetError::InitializingError(_) => "InitializingError",
        })
    }
}

impl<T> fmt::Display for SetError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl<T> Error for SetError<T> {}
