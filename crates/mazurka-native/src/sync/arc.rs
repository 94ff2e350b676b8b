//! Shared ownership, as [`std::sync::Arc`].

use crate::runtime::current::{self, visible};
use crate::runtime::id::Id;
use crate::runtime::op::Op;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::sync::{Arc as Real, Weak as RealWeak};

/// As [`std::sync::Arc`].
///
/// Who drops the last reference runs the destructor of the value. If that takes steps in a check (it locks, or sends), it makes a
/// difference who it is. A check finds out, and begins again with every drop of an `Arc` as a step.
pub struct Arc<T: ?Sized> {
    tag: ManuallyDrop<Real<Id>>,
    value: ManuallyDrop<Real<T>>,
}

/// As [`std::sync::Weak`].
pub struct Weak<T: ?Sized> {
    tag: Real<Id>,
    value: RealWeak<T>,
}

impl<T> Arc<T> {
    /// Around a value.
    pub fn new(value: T) -> Self {
        Arc::from_std(Real::new(value))
    }

    /// The value, if this is the only reference.
    ///
    /// # Errors
    /// With the reference, if there are others.
    #[track_caller]
    pub fn try_unwrap(this: Self) -> Result<T, Self> {
        this.step();
        let (tag, value) = this.parts();
        Real::try_unwrap(value).map_err(|value| Arc {
            tag: ManuallyDrop::new(tag),
            value: ManuallyDrop::new(value),
        })
    }

    /// The value, if this is the last reference.
    #[track_caller]
    pub fn into_inner(this: Self) -> Option<T> {
        this.step();
        Real::into_inner(this.parts().1)
    }
}

impl<T: ?Sized> Arc<T> {
    /// Of one of the standard library: the way to `Arc<dyn Trait>` and `Arc<[T]>`.
    pub fn from_std(value: Real<T>) -> Self {
        Arc {
            tag: ManuallyDrop::new(Real::new(Id::new())),
            value: ManuallyDrop::new(value),
        }
    }

    /// The value, if this is the only reference.
    #[track_caller]
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        this.step();
        Real::get_mut(&mut this.value)
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

    /// A reference that does not keep the value alive.
    #[track_caller]
    pub fn downgrade(this: &Self) -> Weak<T> {
        count(&this.tag);
        Weak {
            tag: Real::clone(&this.tag),
            value: Real::downgrade(&this.value),
        }
    }

    /// Looks at the number of references, or changes it. If drops are no steps yet, they must become ones.
    #[track_caller]
    fn step(&self) {
        current::with(|execution| execution.drops_must_matter());
        if let Some(object) = self.tag.of(&**self.tag, "Arc") {
            visible(Op::Update(object));
        }
    }

    fn parts(self) -> (Real<Id>, Real<T>) {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not dropped, so each part is taken out once.
        unsafe { (ManuallyDrop::take(&mut this.tag), ManuallyDrop::take(&mut this.value)) }
    }
}

/// The number of references changes: a step, if that matters.
#[track_caller]
fn count(tag: &Real<Id>) {
    if current::with(|execution| execution.drops_matter()) == Some(true)
        && let Some(object) = tag.of(&**tag, "Arc")
    {
        visible(Op::Update(object));
    }
}

impl<T: ?Sized> Drop for Weak<T> {
    fn drop(&mut self) {
        count(&self.tag);
    }
}

impl<T: ?Sized> Drop for Arc<T> {
    fn drop(&mut self) {
        count(&self.tag);
        current::with(|execution| execution.dropping(true));
        // SAFETY: `self` is gone after this, so each part is dropped once.
        unsafe {
            ManuallyDrop::drop(&mut self.value);
            ManuallyDrop::drop(&mut self.tag);
        }
        current::with(|execution| execution.dropping(false));
    }
}

impl<T: ?Sized> Weak<T> {
    /// A reference that keeps the value alive, if it is there.
    #[track_caller]
    pub fn upgrade(&self) -> Option<Arc<T>> {
        current::with(|execution| execution.drops_must_matter());
        if let Some(object) = self.tag.of(&*self.tag, "Arc") {
            visible(Op::Update(object));
        }
        Some(Arc {
            value: ManuallyDrop::new(self.value.upgrade()?),
            tag: ManuallyDrop::new(Real::clone(&self.tag)),
        })
    }
}

impl<T> Weak<T> {
    /// To nothing.
    pub fn new() -> Self {
        Weak {
            tag: Real::new(Id::new()),
            value: RealWeak::new(),
        }
    }
}

impl<T> Default for Weak<T> {
    fn default() -> Self {
        Weak::new()
    }
}

impl<T: ?Sized> Clone for Weak<T> {
    fn clone(&self) -> Self {
        Weak {
            tag: Real::clone(&self.tag),
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
        count(&self.tag);
        Arc {
            tag: self.tag.clone(),
            value: self.value.clone(),
        }
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
