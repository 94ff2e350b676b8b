//! Shared ownership, as [`std::sync::Arc`].

use crate::runtime::current::{self, visible};
use crate::runtime::leaks;
use crate::runtime::op::{Object, Op};
use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::{Arc as Real, Weak as RealWeak};

/// As [`std::sync::Arc`].
///
/// Who drops the last reference runs the destructor of the value. If that takes steps in a check (it locks, or sends), it makes a
/// difference who it is. A check finds out, and begins again with every drop of an `Arc` as a step.
#[repr(transparent)]
pub struct Arc<T: ?Sized> {
    value: ManuallyDrop<Real<T>>,
}

/// As [`std::sync::Weak`].
#[repr(transparent)]
pub struct Weak<T: ?Sized> {
    value: RealWeak<T>,
}

impl<T> Arc<T> {
    /// Around a value.
    #[track_caller]
    pub fn new(value: T) -> Self {
        Arc::from_std(Real::new(value))
    }

    /// Around a value that stays where it is.
    #[track_caller]
    pub fn pin(value: T) -> Pin<Self> {
        // SAFETY: what is shared is never moved.
        unsafe { Pin::new_unchecked(Arc::new(value)) }
    }

    /// The value, if this is the only reference.
    ///
    /// # Errors
    /// With the reference, if there are others.
    #[track_caller]
    pub fn try_unwrap(this: Self) -> Result<T, Self> {
        this.step();
        let object = this.watched();
        let place = place(Arc::as_ptr(&this));
        let result = Real::try_unwrap(this.real()).map_err(Arc::of_real);
        if result.is_ok() {
            leaks::gone(place);
        }
        heard(object, result.is_ok());
        result
    }

    /// The value, if this is the last reference.
    #[track_caller]
    pub fn into_inner(this: Self) -> Option<T> {
        this.step();
        let object = this.watched();
        if let Some(object) = object {
            current::with(|execution| execution.drops(object, false));
        }
        let place = place(Arc::as_ptr(&this));
        let result = Real::into_inner(this.real());
        if result.is_some() {
            leaks::gone(place);
        }
        heard(object, result.is_some());
        result
    }
}

impl<T: ?Sized> Arc<T> {
    /// Of one of the standard library: the way to `Arc<dyn Trait>` and `Arc<[T]>`.
    #[track_caller]
    pub fn from_std(value: Real<T>) -> Self {
        leaks::made(place(Real::as_ptr(&value)), "Arc");
        Arc::of_real(value)
    }

    fn of_real(value: Real<T>) -> Self {
        Arc {
            value: ManuallyDrop::new(value),
        }
    }

    /// The reference as a pointer, which [`Self::from_raw`] makes one again.
    pub fn into_raw(this: Self) -> *const T {
        Real::into_raw(this.real())
    }

    /// A reference that was made a pointer.
    ///
    /// # Safety
    /// As of [`std::sync::Arc::from_raw`], for pointers of [`Self::into_raw`].
    pub unsafe fn from_raw(pointer: *const T) -> Self {
        // SAFETY: the caller's promise.
        Arc::of_real(unsafe { Real::from_raw(pointer) })
    }

    /// One reference more to what is there.
    ///
    /// # Safety
    /// As of [`std::sync::Arc::increment_strong_count`].
    #[track_caller]
    pub unsafe fn increment_strong_count(pointer: *const T) {
        // SAFETY: the caller's promise.
        let this = ManuallyDrop::new(unsafe { Arc::from_raw(pointer) });
        std::mem::forget(Arc::clone(&this));
    }

    /// One reference less to what is there.
    ///
    /// # Safety
    /// As of [`std::sync::Arc::decrement_strong_count`].
    #[track_caller]
    pub unsafe fn decrement_strong_count(pointer: *const T) {
        // SAFETY: the caller's promise.
        drop(unsafe { Arc::from_raw(pointer) });
    }

    /// The value, if this is the only reference.
    #[track_caller]
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        this.step();
        let object = this.watched();
        let result = Real::get_mut(&mut this.value);
        heard(object, result.is_some());
        result
    }

    /// Whether two references are to the same value.
    pub fn ptr_eq(this: &Self, other: &Self) -> bool {
        Real::ptr_eq(&this.value, &other.value)
    }

    /// Where the value is.
    pub fn as_ptr(this: &Self) -> *const T {
        Real::as_ptr(&this.value)
    }

    /// How many references there are.
    #[track_caller]
    pub fn strong_count(this: &Self) -> usize {
        this.step();
        Real::strong_count(&this.value)
    }

    /// How many references there are that do not keep the value alive.
    #[track_caller]
    pub fn weak_count(this: &Self) -> usize {
        this.step();
        Real::weak_count(&this.value)
    }

    /// A reference that does not keep the value alive.
    #[track_caller]
    pub fn downgrade(this: &Self) -> Weak<T> {
        count(Arc::as_ptr(this));
        Weak {
            value: Real::downgrade(&this.value),
        }
    }

    /// Looks at the number of references, or changes it. If drops are no steps yet, they must become ones.
    #[track_caller]
    fn step(&self) {
        current::with(|execution| execution.drops_must_matter());
        if let Some(object) = object(Arc::as_ptr(self)) {
            visible(Op::Update(object));
        }
    }

    /// The object, if accesses to plain data are watched: to give up a reference orders them.
    fn watched(&self) -> Option<Object> {
        current::with(|execution| execution.watched())?.then(|| object(Arc::as_ptr(self)))?
    }

    fn real(self) -> Real<T> {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not dropped, so the reference is taken out once.
        unsafe { ManuallyDrop::take(&mut this.value) }
    }
}

/// Who finds that it has the only reference has heard what was done through the others.
fn heard(object: Option<Object>, only: bool) {
    if let Some(object) = object.filter(|_| only) {
        current::with(|execution| execution.heard(object));
    }
}

/// Where the references to a value are counted, just before it.
fn place<T: ?Sized>(value: *const T) -> usize {
    value.cast::<u8>() as usize - 1
}

/// The object that a shared value is. One that was made outside of the check is none.
fn object<T: ?Sized>(value: *const T) -> Option<Object> {
    current::with(|execution| execution.object_at(place(value) as *const u8, 8, 0, "Arc").ok())?
}

/// The number of references changes: a step, if that matters.
#[track_caller]
fn count<T: ?Sized>(value: *const T) {
    if current::with(|execution| execution.drops_matter()) == Some(true)
        && let Some(object) = object(value)
    {
        visible(Op::Update(object));
    }
}

impl<T: ?Sized> Drop for Weak<T> {
    fn drop(&mut self) {
        count(self.value.as_ptr());
    }
}

impl<T: ?Sized> Drop for Arc<T> {
    fn drop(&mut self) {
        count(Arc::as_ptr(self));
        let last = Real::strong_count(&self.value) == 1;
        let lane = self
            .watched()
            .and_then(|object| current::with(|execution| execution.drops(object, last))?);
        current::with(|execution| execution.dropping(true));
        let place = place(Arc::as_ptr(self));
        // SAFETY: `self` is gone after this, so the reference is dropped once.
        unsafe { ManuallyDrop::drop(&mut self.value) };
        if last {
            leaks::gone(place);
        }
        current::with(|execution| execution.dropping(false));
        if let Some(lane) = lane {
            current::with(|execution| execution.dropped(lane));
        }
    }
}

impl<T: ?Sized> Weak<T> {
    /// A reference that keeps the value alive, if it is there.
    #[track_caller]
    pub fn upgrade(&self) -> Option<Arc<T>> {
        self.step();
        let upgraded = Arc::of_real(self.value.upgrade()?);
        heard(upgraded.watched(), true);
        Some(upgraded)
    }
}

impl<T: ?Sized> Weak<T> {
    /// How many references keep the value alive.
    #[track_caller]
    pub fn strong_count(&self) -> usize {
        self.step();
        self.value.strong_count()
    }

    /// How many references do not, as long as there is one that does.
    #[track_caller]
    pub fn weak_count(&self) -> usize {
        self.step();
        self.value.weak_count()
    }

    /// Whether two references are to the same value.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.value.ptr_eq(&other.value)
    }

    /// Where the value is, or was.
    pub fn as_ptr(&self) -> *const T {
        self.value.as_ptr()
    }

    /// Looks at the number of references: then every change of it is a step.
    #[track_caller]
    fn step(&self) {
        if is_to_nothing(&self.value) {
            return;
        }
        current::with(|execution| execution.drops_must_matter());
        if let Some(object) = object(self.value.as_ptr()) {
            visible(Op::Update(object));
        }
    }
}

/// Whether it was made to nothing.
fn is_to_nothing<T: ?Sized>(weak: &RealWeak<T>) -> bool {
    weak.as_ptr().cast::<u8>() as usize == usize::MAX
}

impl<T> Weak<T> {
    /// To nothing.
    pub fn new() -> Self {
        Weak { value: RealWeak::new() }
    }
}

impl<T> Default for Weak<T> {
    fn default() -> Self {
        Weak::new()
    }
}

impl<T: ?Sized> Clone for Weak<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        count(self.value.as_ptr());
        Weak {
            value: RealWeak::clone(&self.value),
        }
    }
}

impl<T: ?Sized> fmt::Debug for Weak<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(Weak)")
    }
}

impl<T: ?Sized> Clone for Arc<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        count(Arc::as_ptr(self));
        Arc::of_real(Real::clone(&self.value))
    }
}

impl<T: ?Sized> Deref for Arc<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: ?Sized> AsRef<T> for Arc<T> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T: ?Sized> Borrow<T> for Arc<T> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T: Default> Default for Arc<T> {
    fn default() -> Self {
        Arc::new(T::default())
    }
}

impl<T> From<T> for Arc<T> {
    fn from(value: T) -> Self {
        Arc::new(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Arc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for Arc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + PartialEq> PartialEq for Arc<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: ?Sized + Eq> Eq for Arc<T> {}

impl<T: ?Sized + Hash> Hash for Arc<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}
