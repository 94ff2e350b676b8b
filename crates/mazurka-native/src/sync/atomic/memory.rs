//! The way between atomics and plain memory, which they have because they are as large as their values and aligned as those of `std`;
//! and what newer versions of `std` have added.

use super::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize,
    Ordering,
};

macro_rules! memory {
    ($($name:ident $(<$generic:ident>)?, $value:ty;)*) => {
        $(
            const _: () = assert!(
                size_of::<$name $(<memory!(@unit $generic)>)?>() == size_of::<std::sync::atomic::$name $(<memory!(@unit $generic)>)?>()
                    && align_of::<$name $(<memory!(@unit $generic)>)?>() == align_of::<std::sync::atomic::$name $(<memory!(@unit $generic)>)?>()
            );

            impl $(<$generic>)? $name $(<$generic>)? {
                /// Where the value is.
                pub const fn as_ptr(&self) -> *mut $value {
                    self.real.as_ptr()
                }

                /// The atomic whose value is there.
                ///
                /// # Safety
                /// As of that of `std`: the memory is aligned, lives as long, and is not used otherwise at the same time.
                pub const unsafe fn from_ptr<'a>(ptr: *mut $value) -> &'a Self {
                    // SAFETY: the caller's promise; an atomic has the layout of its value.
                    unsafe { &*ptr.cast() }
                }

                /// Replaces the value by what `f` makes of it; what it was.
                #[track_caller]
                pub fn update(&self, set: Ordering, fetch: Ordering, mut f: impl FnMut($value) -> $value) -> $value {
                    match self.fetch_update(set, fetch, |value| Some(f(value))) {
                        Ok(before) | Err(before) => before,
                    }
                }

                /// Replaces the value by what `f` makes of it, unless it gives up; what it was.
                ///
                /// # Errors
                /// With the value, if `f` gives up.
                #[track_caller]
                pub fn try_update(
                    &self,
                    set: Ordering,
                    fetch: Ordering,
                    f: impl FnMut($value) -> Option<$value>,
                ) -> Result<$value, $value> {
                    self.fetch_update(set, fetch, f)
                }
            }
        )*
    };
    (@unit $generic:ident) => { () };
}

memory!(
    AtomicBool, bool;
    AtomicI8, i8;
    AtomicI16, i16;
    AtomicI32, i32;
    AtomicI64, i64;
    AtomicIsize, isize;
    AtomicU8, u8;
    AtomicU16, u16;
    AtomicU32, u32;
    AtomicU64, u64;
    AtomicUsize, usize;
    AtomicPtr<T>, *mut T;
);

macro_rules! pointer_arithmetic {
    ($($name:ident $doc:literal |$pointer:ident, $by:ident| $new:expr;)*) => {
        impl<T> AtomicPtr<T> {
            $(
                #[doc = concat!($doc, "; what the pointer was.")]
                #[track_caller]
                pub fn $name(&self, $by: usize, order: Ordering) -> *mut T {
                    self.change(order, |real| {
                        // Nobody else runs now, so it succeeds at once in a check.
                        let fetch = Ordering::Relaxed;
                        real.fetch_update(order, fetch, |$pointer| Some($new)).unwrap_or_else(|pointer| pointer)
                    })
                }
            )*
        }
    };
}

pointer_arithmetic! {
    fetch_ptr_add "Goes so many values forward" |pointer, by| pointer.wrapping_add(by);
    fetch_ptr_sub "Goes so many values back" |pointer, by| pointer.wrapping_sub(by);
    fetch_byte_add "Goes so many bytes forward" |pointer, by| pointer.wrapping_byte_add(by);
    fetch_byte_sub "Goes so many bytes back" |pointer, by| pointer.wrapping_byte_sub(by);
    fetch_or "Bitwise or of the address" |pointer, by| pointer.map_addr(|address| address | by);
    fetch_and "Bitwise and of the address" |pointer, by| pointer.map_addr(|address| address & by);
    fetch_xor "Bitwise exclusive or of the address" |pointer, by| pointer.map_addr(|address| address ^ by);
}

macro_rules! first_values {
    ($($constant:ident $name:ident $value:expr;)*) => {
        $(
            #[doc = concat!("An `", stringify!($name), "` as it was written before constructors were `const`.")]
            #[allow(clippy::declare_interior_mutable_const)]
            pub const $constant: $name = $name::new($value);
        )*
    };
}

first_values! {
    ATOMIC_BOOL_INIT AtomicBool false;
    ATOMIC_I8_INIT AtomicI8 0;
    ATOMIC_I16_INIT AtomicI16 0;
    ATOMIC_I32_INIT AtomicI32 0;
    ATOMIC_I64_INIT AtomicI64 0;
    ATOMIC_ISIZE_INIT AtomicIsize 0;
    ATOMIC_U8_INIT AtomicU8 0;
    ATOMIC_U16_INIT AtomicU16 0;
    ATOMIC_U32_INIT AtomicU32 0;
    ATOMIC_U64_INIT AtomicU64 0;
    ATOMIC_USIZE_INIT AtomicUsize 0;
}
