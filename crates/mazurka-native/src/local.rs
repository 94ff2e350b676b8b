//! What every thread has for itself, as [`std::thread_local!`].

use crate::runtime::current;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::thread::LocalKey as Real;

/// As [`std::thread_local!`].
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$attribute:meta])* $vis:vis static $name:ident : $type:ty = const $init:block $(; $($rest:tt)*)?) => {
        $crate::thread_local!(@key ($(#[$attribute])*) ($vis) $name, $type, (const $init), $init);
        $crate::thread_local!($($($rest)*)?);
    };
    ($(#[$attribute:meta])* $vis:vis static $name:ident : $type:ty = $init:expr $(; $($rest:tt)*)?) => {
        $crate::thread_local!(@key ($(#[$attribute])*) ($vis) $name, $type, ($init), $init);
        $crate::thread_local!($($($rest)*)?);
    };
    (@key ($($attribute:tt)*) ($vis:vis) $name:ident, $type:ty, ($($real:tt)*), $init:expr) => {
        $($attribute)*
        $vis const $name: $crate::thread::LocalKey<$type> = {
            static TAG: $crate::thread::LocalTag = $crate::thread::LocalTag::new();
            fn init() -> $type {
                $init
            }
            $crate::thread::real_thread_local! { static REAL: $type = $($real)*; }
            $crate::thread::LocalKey::new(&TAG, &REAL, init)
        };
    };
}

/// A place in memory that is a key's alone.
#[doc(hidden)]
pub struct LocalTag {
    _place: u8,
}

impl LocalTag {
    /// Another one.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        LocalTag { _place: 0 }
    }
}

/// As [`std::thread::LocalKey`]. In a check every thread of it has a value, which is dropped at the end of the thread.
pub struct LocalKey<T: 'static> {
    tag: &'static LocalTag,
    real: &'static Real<T>,
    init: fn() -> T,
}

/// As [`std::thread::AccessError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessError;

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value of the thread was dropped before")
    }
}

impl std::error::Error for AccessError {}

/// The values of one thread in a check.
#[derive(Default)]
pub(crate) struct Locals {
    values: Vec<Local>,
}

/// Drops what was in a box.
type Dropper = unsafe fn(*mut ());

/// A value, by the address of its tag.
#[derive(Clone, Copy)]
struct Local {
    key: usize,
    /// `None` as soon as it is being dropped.
    value: Option<*mut ()>,
    drop: Dropper,
}

impl Locals {
    fn find(&mut self, key: usize) -> Option<&mut Local> {
        self.values.iter_mut().find(|local| local.key == key)
    }

    /// The value that was made last, of those that are there.
    fn next_to_drop(&mut self) -> Option<(*mut (), Dropper)> {
        let last = self.values.iter_mut().rev().find(|local| local.value.is_some())?;
        Some((last.value.take()?, last.drop))
    }
}

/// Drops the values of the running thread, which is at its end: the last first.
pub(crate) fn drop_all() {
    while let Some((value, drop)) = current::with(|execution| execution.running().locals.next_to_drop()).flatten() {
        // SAFETY: the value was made by `LocalKey::value`, with what drops it, and taken out once.
        let _ = crate::runtime::panics::caught(|| unsafe { drop(value) });
    }
}

impl<T: 'static> LocalKey<T> {
    /// Of a tag of its own, the real key, and what makes a value.
    #[doc(hidden)]
    pub const fn new(tag: &'static LocalTag, real: &'static Real<T>, init: fn() -> T) -> Self {
        LocalKey { tag, real, init }
    }

    /// The thread's value in a check.
    fn value(&'static self, init: impl FnOnce() -> T) -> Result<*mut T, AccessError> {
        let key = std::ptr::from_ref(self.tag) as usize;
        let known = current::with(|execution| execution.running().locals.find(key).map(|local| local.value)).flatten();
        match known {
            Some(Some(value)) => Ok(value.cast()),
            Some(None) => Err(AccessError),
            None => {
                let value = Box::into_raw(Box::new(init()));
                let local = Local {
                    key,
                    value: Some(value.cast()),
                    // SAFETY: the value is a `T` in a box, and dropped once.
                    drop: |value| drop(unsafe { Box::from_raw(value.cast::<T>()) }),
                };
                current::with(|execution| execution.running().locals.values.push(local));
                Ok(value)
            }
        }
    }

    /// Does something with the thread's value.
    ///
    /// # Panics
    /// If it was dropped before.
    pub fn with<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        match self.try_with(f) {
            Ok(result) => result,
            Err(error) => panic!("cannot access a thread-local value: {error}"),
        }
    }

    /// Does something with the thread's value.
    ///
    /// # Errors
    /// If it was dropped before.
    pub fn try_with<F, R>(&'static self, f: F) -> Result<R, AccessError>
    where
        F: FnOnce(&T) -> R,
    {
        if !current::is_active() {
            return self.real.try_with(f).map_err(|_| AccessError);
        }
        let value = self.value(self.init)?;
        // SAFETY: the value is there until the thread ends, and only shared references to it are made.
        Ok(f(unsafe { &*value }))
    }

    /// Does something with the thread's value, which is this one if there was none. The value comes back if there was one.
    fn with_first<R>(&'static self, first: T, f: impl FnOnce(Option<T>, &T) -> R) -> R {
        let mut first = Some(first);
        let value = self.value(|| match first.take() {
            Some(value) => value,
            None => unreachable!("it is taken once"),
        });
        match value {
            // SAFETY: as above.
            Ok(value) => f(first, unsafe { &*value }),
            Err(error) => panic!("cannot access a thread-local value: {error}"),
        }
    }
}

impl<T: 'static> LocalKey<Cell<T>> {
    /// Sets the value, without making another first.
    pub fn set(&'static self, value: T) {
        if !current::is_active() {
            return self.real.set(value);
        }
        self.with_first(Cell::new(value), |given, cell| {
            if let Some(given) = given {
                cell.set(given.into_inner());
            }
        });
    }

    /// A copy of the value.
    pub fn get(&'static self) -> T
    where
        T: Copy,
    {
        self.with(Cell::get)
    }

    /// Takes the value, and leaves the default.
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(Cell::take)
    }

    /// Replaces the value.
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> LocalKey<RefCell<T>> {
    /// Does something with the borrowed value.
    pub fn with_borrow<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        self.with(|cell| f(&cell.borrow()))
    }

    /// Does something with the mutably borrowed value.
    pub fn with_borrow_mut<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&mut T) -> R,
    {
        self.with(|cell| f(&mut cell.borrow_mut()))
    }

    /// Sets the value, without making another first.
    pub fn set(&'static self, value: T) {
        if !current::is_active() {
            return self.real.set(value);
        }
        self.with_first(RefCell::new(value), |given, cell| {
            if let Some(given) = given {
                cell.replace(given.into_inner());
            }
        });
    }

    /// Takes the value, and leaves the default.
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(RefCell::take)
    }

    /// Replaces the value.
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}
