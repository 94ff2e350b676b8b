//! What an object remembers of itself: nothing until it is used.

use super::current;
use super::op::Object;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// The name of an object in the execution in which it was last used.
#[derive(Debug, Default)]
pub(crate) struct Id(AtomicU64);

/// Bits for the number of the object; those above are for the execution.
const OBJECT: u32 = 24;
/// Set if it was ever used outside of a check.
const OUTSIDE: u64 = 1 << 63;

impl Id {
    /// Of an object that was not used yet.
    pub const fn new() -> Self {
        Id(AtomicU64::new(0))
    }

    /// The object, if it was used in this execution.
    #[inline]
    pub fn get(&self, execution: u64) -> Option<Object> {
        let known = self.0.load(Relaxed);
        (known >> OBJECT == execution).then_some(Object((known & ((1 << OBJECT) - 1)) as u32))
    }

    /// Remembers the object; false if its number is too large for that.
    pub fn set(&self, execution: u64, object: Object) -> bool {
        let fits = object.0 < 1 << OBJECT;
        if fits {
            self.0.store(execution << OBJECT | u64::from(object.0), Relaxed);
        }
        fits
    }

    /// Whether it was ever used outside of a check.
    pub fn was_outside(&self) -> bool {
        self.0.load(Relaxed) & OUTSIDE != 0
    }

    /// The object that `owner` is, outside of a check `None`. Statics begin every execution with their first value.
    ///
    /// # Panics
    /// If the object was made outside of the check: one execution would see what another has left.
    #[inline]
    #[track_caller]
    pub fn of<T: ?Sized>(&self, owner: &T, kind: &'static str) -> Option<Object> {
        if !current::is_active() {
            if !self.was_outside() {
                self.0.fetch_or(OUTSIDE, Relaxed);
            }
            return None;
        }
        match current::object(self, std::ptr::from_ref(owner).cast(), size_of_val(owner), kind)? {
            Ok(object) => Some(object),
            Err(stranger) => panic!("{}", stranger.explain(kind)),
        }
    }
}

/// The name of an object that is as large as its value, so that it has no room for one: it is known by its address.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ByAddress;

impl ByAddress {
    /// Of an object that was not used yet.
    pub const fn new() -> Self {
        ByAddress
    }

    /// The object that `owner` is, outside of a check `None`. Statics begin every execution with their first value.
    ///
    /// # Panics
    /// If the object was made outside of the check: one execution would see what another has left.
    #[inline]
    #[track_caller]
    pub fn of<T>(&self, owner: &T, kind: &'static str) -> Option<Object> {
        if !current::is_active() {
            return None;
        }
        let address: *const T = owner;
        match current::object_at(address.cast(), size_of::<T>(), value(owner), kind)? {
            Ok(object) => Some(object),
            Err(stranger) => panic!("{}", stranger.explain(kind)),
        }
    }
}

/// The bits of an atomic.
#[inline]
fn value<T>(atomic: &T) -> u64 {
    let address = std::ptr::from_ref(atomic).cast_mut();
    // SAFETY: an atomic of that size is there, borrowed, and aligned to its size; others look at it as an atomic too.
    unsafe {
        match size_of::<T>() {
            1 => u64::from(AtomicU8::from_ptr(address.cast()).load(Relaxed)),
            2 => u64::from(AtomicU16::from_ptr(address.cast()).load(Relaxed)),
            4 => u64::from(AtomicU32::from_ptr(address.cast()).load(Relaxed)),
            _ => AtomicU64::from_ptr(address.cast()).load(Relaxed),
        }
    }
}

/// Why an object cannot be used in a check.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stranger {
    /// It was made before the execution began.
    Older,
    /// It is a static that has been used outside of checks: nobody knows any more how it began.
    UsedOutside,
    /// There are too many.
    OneTooMany,
}

impl Stranger {
    fn explain(self, kind: &str) -> String {
        match self {
            Stranger::Older => format!(
                "this {kind} was made outside of the check, so one execution would see what another has left; make it inside the closure"
            ),
            Stranger::OneTooMany => "a check can tell at most 16 million objects apart".to_owned(),
            Stranger::UsedOutside => {
                format!("this static {kind} was used outside of the check before, so no execution could begin with its first value")
            }
        }
    }
}
