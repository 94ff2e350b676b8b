//! Atomics, as in [`std::sync::atomic`]. A check explores them as sequentially consistent, whatever orderings are named, unless a memory model is asked for.

mod memory;

use crate::runtime::current;
use crate::runtime::guided::Intent;
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
    assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
    current::with(|execution| execution.fenced(order));
    current::guided_step(|| Intent::Fence(order));
    std::sync::atomic::fence(order);
}

/// Takes the step, if a check is running.
#[track_caller]
#[inline]
fn step<T>(
    id: &Id,
    owner: &T,
    kind: &'static str,
    op: impl FnOnce(Object) -> Op,
    memory: impl FnOnce() -> u64,
    intent: impl FnOnce() -> Intent,
) -> Option<Object> {
    let object = id.of(owner, kind)?;
    current::intend(object, memory, intent);
    current::visible(op(object));
    Some(object)
}

/// The step has read one value and perhaps written another, as an execution graph says.
fn guided(object: Object, read: Option<u64>, written: Option<u64>, memory: u64, order: Ordering) {
    let touch = match (read, written) {
        (_, None) => Touch::Load,
        (None, Some(_)) => Touch::Store,
        (Some(_), Some(_)) => Touch::Update,
    };
    current::with(|execution| {
        execution.guided_access(object, read, written, memory);
        execution.declared(object, touch, order);
    });
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
    ($name:ident $(<$generic:ident>)?, $value:ty, $word:expr, $value_of:expr) => {
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
                let invalid = matches!(order, Ordering::Release | Ordering::AcqRel);
                match step(&self.id, self, Self::KIND, Op::Load, || self.memory(), || Intent::Load(order)) {
                    None => self.real.load(order),
                    // The real one panics with what is wrong.
                    Some(_) if invalid => self.real.load(order),
                    Some(object) => {
                        if let Some((value, _)) = current::guided() {
                            guided(object, Some(value), None, self.memory(), order);
                            return $value_of(value);
                        }
                        let value = self.real.load(order);
                        saw(object, $word(value), order);
                        value
                    }
                }
            }

            /// Replaces the value.
            #[track_caller]
            pub fn store(&self, value: $value, order: Ordering) {
                let invalid = matches!(order, Ordering::Acquire | Ordering::AcqRel);
                let intent = || Intent::Store(order, $word(value));
                match step(&self.id, self, Self::KIND, Op::Store, || self.memory(), intent) {
                    None => self.real.store(value, order),
                    // The real one panics with what is wrong.
                    Some(_) if invalid => self.real.store(value, order),
                    Some(object) => {
                        if let Some((_, is_last)) = current::guided() {
                            if is_last {
                                self.real.store(value, Ordering::SeqCst);
                            }
                            return guided(object, None, Some($word(value)), self.memory(), order);
                        }
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

            /// The bits in memory.
            fn memory(&self) -> u64 {
                $word(self.real.load(Ordering::SeqCst))
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
            fn change(&self, order: Ordering, with: impl Fn(&std::sync::atomic::$name $(<$generic>)?) -> $value) -> $value {
                let updated = self.try_change(order, order, |real| Ok(with(real)));
                updated.unwrap_or_else(|value| value)
            }

            #[track_caller]
            fn try_change(
                &self,
                success: Ordering,
                failure: Ordering,
                with: impl Fn(&std::sync::atomic::$name $(<$generic>)?) -> Result<$value, $value>,
            ) -> Result<$value, $value> {
                // What the operation makes of a value that is not the one in memory.
                let change = |word: u64| {
                    let other = std::sync::atomic::$name::new($value_of(word));
                    with(&other).ok().map(|_| $word(other.into_inner()))
                };
                let change: &dyn Fn(u64) -> Option<u64> = &change;
                // SAFETY: only the lifetime changes. The pointer is used while this thread is suspended in the step below, not after.
                let change: *const dyn Fn(u64) -> Option<u64> = unsafe { std::mem::transmute(change) };
                let intent = || Intent::Update { success, failure, change };
                match step(&self.id, self, Self::KIND, Op::Update, || self.memory(), intent) {
                    None => with(&self.real),
                    Some(object) => {
                        if let Some((value, is_last)) = current::guided() {
                            let other = std::sync::atomic::$name::new($value_of(value));
                            let result = with(&other);
                            let written = other.into_inner();
                            if result.is_ok() && is_last {
                                self.real.store(written, Ordering::SeqCst);
                            }
                            let (written, order) = match result {
                                Ok(_) => (Some($word(written)), success),
                                Err(_) => (None, failure),
                            };
                            guided(object, Some(value), written, self.memory(), order);
                            return result;
                        }
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
            atomic!($name, $value, |value: $value| value as u64, |word: u64| word as $value);

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

atomic!(AtomicBool, bool, |value: bool| u64::from(value), |word: u64| word != 0);
atomic!(
    AtomicPtr<T>,
    *mut T,
    |value: *mut T| value.expose_provenance() as u64,
    |word: u64| std::ptr::with_exposed_provenance_mut(word as usize)
);

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
