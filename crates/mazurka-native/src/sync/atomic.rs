//! Atomics, as in [`std::sync::atomic`]. A check explores them as sequentially consistent, whatever orderings are named.

mod memory;

use crate::runtime::current;
use crate::runtime::happens_before::Touch;
use crate::runtime::id::ByAddress as Id;
use crate::runtime::op::{Object, Op};
use crate::runtime::races::Kind;
#[doc(hidden)]
pub use memory::*;
use std::panic::Location;
pub use std::sync::atomic::{Ordering, compiler_fence};

/// A fence. Under sequential consistency it does nothing but order the plain data around it.
pub fn fence(order: Ordering) {
    current::with(|execution| execution.fenced(order));
    std::sync::atomic::fence(order);
}

/// Takes the step, if a check is running.
#[track_caller]
#[inline]
fn step<T>(id: &Id, owner: &T, kind: &'static str, op: impl FnOnce(Object) -> Op) -> Option<Object> {
    let object = id.of(owner, kind)?;
    current::visible(op(object));
    Some(object)
}

/// The running thread uses the value as plain data.
#[track_caller]
fn plain<T>(id: &Id, owner: &T, kind: &'static str, access: Kind) {
    if let Some(object) = id.of(owner, kind) {
        let at = Location::caller();
        current::with(|execution| execution.access(object, access, false, at));
    }
}

fn saw(object: Object, value: u64, order: Ordering) {
    current::with(|execution| {
        execution.saw(object, value);
        execution.declared(object, Touch::Load, order);
    });
}

fn wrote(object: Object, before: u64, value: u64, order: Ordering) {
    current::with(|execution| {
        execution.wrote(object, before, value);
        execution.declared(object, Touch::Store, order);
    });
}

/// The value was read and, unless `touch` is a load, replaced in one.
fn updated(object: Object, before: u64, value: u64, touch: Touch, order: Ordering) {
    current::with(|execution| {
        execution.saw(object, before);
        execution.wrote(object, before, value);
        execution.declared(object, touch, order);
    });
}

macro_rules! atomic {
    ($name:ident $(<$generic:ident>)?, $value:ty, $word:expr) => {
        #[doc = concat!("As [`std::sync::atomic::", stringify!($name), "`].")]
        #[derive(Default)]
        #[repr(transparent)]
        pub struct $name $(<$generic>)? {
            id: Id,
            real: std::sync::atomic::$name $(<$generic>)?,
        }

        impl $(<$generic>)? $name $(<$generic>)? {
            const KIND: &'static str = stringify!($name);

            /// With this value.
            pub const fn new(value: $value) -> Self {
                $name {
                    id: Id::new(),
                    real: std::sync::atomic::$name::new(value),
                }
            }

            /// The value.
            #[track_caller]
            pub fn load(&self, order: Ordering) -> $value {
                match step(&self.id, self, Self::KIND, Op::Load) {
                    None => self.real.load(order),
                    Some(object) => {
                        let value = self.real.load(order);
                        saw(object, $word(value), order);
                        value
                    }
                }
            }

            /// Replaces the value.
            #[track_caller]
            pub fn store(&self, value: $value, order: Ordering) {
                match step(&self.id, self, Self::KIND, Op::Store) {
                    None => self.real.store(value, order),
                    Some(object) => {
                        let before = self.real.load(Ordering::SeqCst);
                        self.real.store(value, order);
                        wrote(object, $word(before), $word(value), order);
                    }
                }
            }

            /// Replaces the value, and returns what it was.
            #[track_caller]
            pub fn swap(&self, value: $value, order: Ordering) -> $value {
                self.change(order, |real| real.swap(value, order))
            }

            /// Replaces the value if it is `current`; what it was, as `Err` if it was not.
            #[track_caller]
            pub fn compare_exchange(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.try_change(success, failure, |real| real.compare_exchange(current, new, success, failure))
            }

            /// Replaces the value if it is `current`; what it was. Not deprecated, as in `std`: loom's is not, and some deny warnings.
            #[track_caller]
            pub fn compare_and_swap(&self, current: $value, new: $value, order: Ordering) -> $value {
                let failure = match order {
                    Ordering::Release => Ordering::Relaxed,
                    Ordering::AcqRel => Ordering::Acquire,
                    order => order,
                };
                self.compare_exchange(current, new, order, failure).unwrap_or_else(|value| value)
            }

            /// As [`Self::compare_exchange`]. In a check it never fails without reason.
            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.try_change(success, failure, |real| real.compare_exchange(current, new, success, failure))
            }

            /// Loads, computes, and tries to replace, until that succeeds or `f` gives up.
            #[track_caller]
            pub fn fetch_update<F>(&self, set: Ordering, fetch: Ordering, mut f: F) -> Result<$value, $value>
            where
                F: FnMut($value) -> Option<$value>,
            {
                let mut before = self.load(fetch);
                while let Some(new) = f(before) {
                    match self.compare_exchange_weak(before, new, set, fetch) {
                        Ok(value) => return Ok(value),
                        Err(value) => before = value,
                    }
                }
                Err(before)
            }

            /// The value, which nobody else can see now.
            pub fn get_mut(&mut self) -> &mut $value {
                self.real.get_mut()
            }

            /// The value.
            pub fn into_inner(self) -> $value {
                self.real.into_inner()
            }

            #[track_caller]
            fn change(&self, order: Ordering, with: impl FnOnce(&std::sync::atomic::$name $(<$generic>)?) -> $value) -> $value {
                let updated = self.try_change(order, order, |real| Ok(with(real)));
                updated.unwrap_or_else(|value| value)
            }

            #[track_caller]
            fn try_change(
                &self,
                success: Ordering,
                failure: Ordering,
                with: impl FnOnce(&std::sync::atomic::$name $(<$generic>)?) -> Result<$value, $value>,
            ) -> Result<$value, $value> {
                match step(&self.id, self, Self::KIND, Op::Update) {
                    None => with(&self.real),
                    Some(object) => {
                        let before = self.real.load(Ordering::SeqCst);
                        let result = with(&self.real);
                        let after = self.real.load(Ordering::SeqCst);
                        let (touch, order) = match result {
                            Ok(_) => (Touch::Update, success),
                            Err(_) => (Touch::Load, failure),
                        };
                        updated(object, $word(before), $word(after), touch, order);
                        result
                    }
                }
            }

            /// The value, read as plain data: whoever changes it at the same time races with this.
            ///
            /// # Safety
            /// Nobody else changes it at the same time.
            #[track_caller]
            pub unsafe fn unsync_load(&self) -> $value {
                plain(&self.id, self, Self::KIND, Kind::Read);
                self.real.load(Ordering::Relaxed)
            }

            /// Changes the value, which nobody else can see now.
            #[track_caller]
            pub fn with_mut<R>(&mut self, f: impl FnOnce(&mut $value) -> R) -> R {
                plain(&self.id, self, Self::KIND, Kind::Write);
                f(self.real.get_mut())
            }
        }

        impl $(<$generic>)? From<$value> for $name $(<$generic>)? {
            fn from(value: $value) -> Self {
                Self::new(value)
            }
        }

        impl $(<$generic>)? std::fmt::Debug for $name $(<$generic>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.real.fmt(f)
            }
        }
    };
}

macro_rules! integers {
    ($($name:ident $value:ty),* $(,)?) => {
        $(
            atomic!($name, $value, |value: $value| value as u64);

            impl $name {
                integers!(@method $value, fetch_add "Adds, wrapping around");
                integers!(@method $value, fetch_sub "Subtracts, wrapping around");
                integers!(@method $value, fetch_and "Bitwise and");
                integers!(@method $value, fetch_nand "Bitwise not-and");
                integers!(@method $value, fetch_or "Bitwise or");
                integers!(@method $value, fetch_xor "Bitwise exclusive or");
                integers!(@method $value, fetch_max "The larger one");
                integers!(@method $value, fetch_min "The smaller one");
            }
        )*
    };
    (@method $value:ty, $method:ident $doc:literal) => {
        #[doc = concat!($doc, "; returns what the value was.")]
        #[track_caller]
        pub fn $method(&self, value: $value, order: Ordering) -> $value {
            self.change(order, |real| real.$method(value, order))
        }
    };
}

integers!(
    AtomicU8 u8, AtomicU16 u16, AtomicU32 u32, AtomicU64 u64, AtomicUsize usize,
    AtomicI8 i8, AtomicI16 i16, AtomicI32 i32, AtomicI64 i64, AtomicIsize isize,
);

atomic!(AtomicBool, bool, |value: bool| u64::from(value));
atomic!(AtomicPtr<T>, *mut T, |value: *mut T| value as usize as u64);

impl AtomicBool {
    integers!(@method bool, fetch_and "Logical and");
    integers!(@method bool, fetch_nand "Logical not-and");
    integers!(@method bool, fetch_or "Logical or");
    integers!(@method bool, fetch_xor "Logical exclusive or");

    /// Turns it round; returns what the value was.
    #[track_caller]
    pub fn fetch_not(&self, order: Ordering) -> bool {
        self.fetch_xor(true, order)
    }
}
