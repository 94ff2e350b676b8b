//! The façade of `core` that `cargo mazurka test` gives to the code under test: all of `core`, with the atomics of the checker.

pub use ::core::*;

pub mod hint {
    //! [`core::hint`].

    pub use ::core::hint::*;
    pub use mazurka_native::hint::spin_loop;
}

pub mod sync {
    //! [`core::sync`].

    pub use ::core::sync::*;

    pub mod atomic {
        //! [`core::sync::atomic`].

        pub use ::core::sync::atomic::*;
        pub use mazurka_native::sync::atomic::{
            ATOMIC_BOOL_INIT, ATOMIC_I8_INIT, ATOMIC_I16_INIT, ATOMIC_I32_INIT, ATOMIC_I64_INIT, ATOMIC_ISIZE_INIT, ATOMIC_U8_INIT,
            ATOMIC_U16_INIT, ATOMIC_U32_INIT, ATOMIC_U64_INIT, ATOMIC_USIZE_INIT, AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64,
            AtomicIsize, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, fence,
        };
    }
}
