//! Cells whose accesses are checked for data races, as in `loom::cell`.

use std::fmt;

pub use mazurka_native::cell::{Cell, ConstPtr, MutPtr};

/// As `loom::cell::UnsafeCell`.
#[derive(Default)]
pub struct UnsafeCell<T: ?Sized>(mazurka_native::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    /// Around a value, which is written here.
    #[track_caller]
    pub fn new(value: T) -> Self {
        UnsafeCell(mazurka_native::cell::UnsafeCell::made_here(value))
    }

    /// The value.
    #[track_caller]
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Reads through a pointer, as long as `f` lasts.
    #[track_caller]
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*const T) -> R,
    {
        self.0.with(f)
    }

    /// Writes through a pointer, as long as `f` lasts.
    #[track_caller]
    pub fn with_mut<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*mut T) -> R,
    {
        self.0.with_mut(f)
    }

    /// A pointer to read through, as long as it is kept.
    #[track_caller]
    pub fn get(&self) -> ConstPtr<T> {
        self.0.read()
    }

    /// A pointer to write through, as long as it is kept.
    #[track_caller]
    pub fn get_mut(&self) -> MutPtr<T> {
        self.0.write()
    }
}

impl<T> From<T> for UnsafeCell<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        UnsafeCell::new(value)
    }
}

impl<T: ?Sized> fmt::Debug for UnsafeCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
