//! Plain data that threads share at their own risk: [`UnsafeCell`] and [`Cell`], as in [`std::cell`], with accesses that a check can see.
//!
//! A check reports a data race: two accesses, one of which writes, that nothing orders. What orders them is decided by the orderings that the
//! atomic operations between them declare, although the check explores sequentially consistent executions only.

use crate::runtime::current;
use crate::runtime::id::Id;
use crate::runtime::op::Object;
use crate::runtime::races::Kind;
use std::fmt;
use std::panic::Location;

/// As [`std::cell::UnsafeCell`], where accesses through [`Self::with`], [`Self::with_mut`], [`Self::read`] and [`Self::write`] are checked for data
/// races.
#[derive(Default)]
pub struct UnsafeCell<T: ?Sized> {
    id: Id,
    data: std::cell::UnsafeCell<T>,
}

impl<T> UnsafeCell<T> {
    /// Around a value.
    pub const fn new(value: T) -> Self {
        UnsafeCell {
            id: Id::new(),
            data: std::cell::UnsafeCell::new(value),
        }
    }

    /// Around a value that the running thread has made here. [`Self::new`], which is `const`, leaves that to be guessed from who allocated the memory.
    #[track_caller]
    pub fn made_here(value: T) -> Self {
        let cell = UnsafeCell::new(value);
        cell.access(Kind::Write);
        cell
    }

    /// The value.
    #[track_caller]
    pub fn into_inner(self) -> T {
        self.access(Kind::Write);
        self.data.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Reads through a pointer, as long as `f` lasts.
    #[track_caller]
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        let reading = self.read();
        f(reading.pointer)
    }

    /// Writes through a pointer, as long as `f` lasts.
    #[track_caller]
    pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        let writing = self.write();
        f(writing.pointer)
    }

    /// A pointer to read through, as long as it is kept.
    #[track_caller]
    pub fn read(&self) -> ConstPtr<T> {
        ConstPtr {
            _open: self.open(Kind::Read),
            pointer: self.data.get(),
        }
    }

    /// A pointer to write through, as long as it is kept.
    #[track_caller]
    pub fn write(&self) -> MutPtr<T> {
        MutPtr {
            _open: self.open(Kind::Write),
            pointer: self.data.get(),
        }
    }

    /// A pointer for which a check cannot see when it is used.
    pub const fn get(&self) -> *mut T {
        self.data.get()
    }

    /// The value, which nobody else can see now.
    #[track_caller]
    pub fn get_mut(&mut self) -> &mut T {
        self.access(Kind::Write);
        self.data.get_mut()
    }

    #[track_caller]
    fn access(&self, kind: Kind) {
        if let Some(object) = self.object() {
            let at = Location::caller();
            current::with(|execution| execution.access(object, kind, false, at));
        }
    }

    #[track_caller]
    fn open(&self, kind: Kind) -> Option<Open> {
        let object = self.object()?;
        let at = Location::caller();
        current::with(|execution| execution.access(object, kind, true, at));
        Some(Open { object, kind, at })
    }

    #[track_caller]
    fn object(&self) -> Option<Object> {
        let new = current::with(|execution| !execution.knows(&self.id))?;
        let object = self.id.of(self, "UnsafeCell")?;
        if new {
            let address = self.data.get().cast::<u8>() as usize;
            current::with(|execution| execution.first_access(object, address));
        }
        Some(object)
    }
}

/// An access under way.
struct Open {
    object: Object,
    kind: Kind,
    at: &'static Location<'static>,
}

impl Drop for Open {
    fn drop(&mut self) {
        current::with(|execution| execution.close(self.object, self.kind, self.at));
    }
}

/// A pointer to what an [`UnsafeCell`] holds: while it is there, the cell is being read.
pub struct ConstPtr<T: ?Sized> {
    _open: Option<Open>,
    pointer: *const T,
}

/// A pointer to what an [`UnsafeCell`] holds: while it is there, the cell is being written.
pub struct MutPtr<T: ?Sized> {
    _open: Option<Open>,
    pointer: *mut T,
}

impl<T: ?Sized> ConstPtr<T> {
    /// The value.
    ///
    /// # Safety
    /// As to dereference the pointer that [`std::cell::UnsafeCell::get`] returns.
    pub unsafe fn deref(&self) -> &T {
        // SAFETY: the caller's promise.
        unsafe { &*self.pointer }
    }

    /// Does something with the pointer.
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        f(self.pointer)
    }
}

impl<T: ?Sized> MutPtr<T> {
    /// The value.
    ///
    /// # Safety
    /// As to dereference the pointer that [`std::cell::UnsafeCell::get`] returns.
    #[allow(clippy::mut_from_ref, reason = "as in a cell, whoever calls this promises that nobody else does")]
    pub unsafe fn deref(&self) -> &mut T {
        // SAFETY: the caller's promise.
        unsafe { &mut *self.pointer }
    }

    /// Does something with the pointer.
    pub fn with<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.pointer)
    }
}

impl<T> From<T> for UnsafeCell<T> {
    fn from(value: T) -> Self {
        UnsafeCell::new(value)
    }
}

impl<T: ?Sized> fmt::Debug for UnsafeCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnsafeCell").finish_non_exhaustive()
    }
}

impl<T: ?Sized> fmt::Debug for ConstPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pointer.fmt(f)
    }
}

impl<T: ?Sized> fmt::Debug for MutPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pointer.fmt(f)
    }
}

/// As [`std::cell::Cell`]: for those who share it between threads by a promise of their own.
#[derive(Default)]
pub struct Cell<T>(UnsafeCell<T>);

impl<T> Cell<T> {
    /// Around a value.
    pub const fn new(value: T) -> Self {
        Cell(UnsafeCell::new(value))
    }

    /// Replaces the value.
    #[track_caller]
    pub fn set(&self, value: T) {
        drop(self.replace(value));
    }

    /// Replaces the value, and returns what it was.
    #[track_caller]
    pub fn replace(&self, value: T) -> T {
        // SAFETY: a cell is used by one thread at a time; if another one uses it, that is what the check reports. Nothing of it is borrowed.
        self.0.with_mut(|pointer| unsafe { pointer.replace(value) })
    }

    /// Exchanges two values.
    #[track_caller]
    pub fn swap(&self, other: &Self) {
        if !std::ptr::eq(self, other) {
            // SAFETY: as in `replace`; they are two.
            self.0.with_mut(|one| other.0.with_mut(|two| unsafe { one.swap(two) }));
        }
    }

    /// The value.
    #[track_caller]
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }

    /// The value, which nobody else can see now.
    #[track_caller]
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }
}

impl<T: Copy> Cell<T> {
    /// The value.
    #[track_caller]
    pub fn get(&self) -> T {
        // SAFETY: as in `replace`.
        self.0.with(|pointer| unsafe { *pointer })
    }
}

impl<T: Default> Cell<T> {
    /// The value; what it is by default comes in its place.
    #[track_caller]
    pub fn take(&self) -> T {
        self.replace(T::default())
    }
}

impl<T> From<T> for Cell<T> {
    fn from(value: T) -> Self {
        Cell::new(value)
    }
}

impl<T> fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cell").finish_non_exhaustive()
    }
}
