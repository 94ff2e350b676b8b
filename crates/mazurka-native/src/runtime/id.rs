//! What an object remembers of itself: nothing until it is used.

use super::current;
use super::op::Object;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The name of an object in the execution in which it was last used.
#[derive(Debug, Default)]
pub(crate) struct Id(AtomicU64);

impl Id {
    /// Of an object that was not used yet.
    pub const fn new() -> Self {
        Id(AtomicU64::new(0))
    }

    /// The object, if it was used in this execution.
    #[inline]
    pub fn get(&self, execution: u32) -> Option<Object> {
        let known = self.0.load(Relaxed);
        ((known >> 32) as u32 == execution).then_some(Object(known as u32))
    }

    /// Remembers the object.
    pub fn set(&self, execution: u32, object: Object) {
        self.0.store(u64::from(execution) << 32 | u64::from(object.0), Relaxed);
    }

    /// The object that `owner` is, outside of a check `None`. Statics begin every execution with their first value.
    #[inline]
    pub fn of<T: ?Sized>(&self, owner: &T, kind: &'static str) -> Option<Object> {
        if !current::is_active() {
            return None;
        }
        current::object(self, std::ptr::from_ref(owner).cast(), size_of_val(owner), kind)
    }
}
