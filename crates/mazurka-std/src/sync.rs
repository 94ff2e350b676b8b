//! [`std::sync`]. `Arc` is that of `std`: nothing else can be turned into an `Arc<dyn Trait>`.

pub use ::std::sync::*;
pub use mazurka_native::sync::{
    Barrier, BarrierWaitResult, Condvar, LazyLock, Mutex, MutexGuard, Once, OnceLock, RwLock, RwLockReadGuard, RwLockWriteGuard,
    WaitTimeoutResult,
};

/// As [`std::sync::ONCE_INIT`].
#[allow(clippy::declare_interior_mutable_const)] // That is what it is for.
#[deprecated(note = "use `Once::new()`")]
pub const ONCE_INIT: Once = Once::new();

pub mod atomic {
    //! [`std::sync::atomic`].

    pub use ::std::sync::atomic::*;
    pub use mazurka_native::sync::atomic::{
        ATOMIC_BOOL_INIT, ATOMIC_I8_INIT, ATOMIC_I16_INIT, ATOMIC_I32_INIT, ATOMIC_I64_INIT, ATOMIC_ISIZE_INIT, ATOMIC_U8_INIT,
        ATOMIC_U16_INIT, ATOMIC_U32_INIT, ATOMIC_U64_INIT, ATOMIC_USIZE_INIT, AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64,
        AtomicIsize, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, fence,
    };
}

pub mod mpsc {
    //! [`std::sync::mpsc`].

    pub use ::std::sync::mpsc::*;
    pub use mazurka_native::sync::mpsc::{IntoIter, Iter, Receiver, Sender, SyncSender, TryIter, channel, sync_channel};
}
