//! [`std::thread`].

pub use ::std::thread::*;
pub use mazurka_native::thread::{
    AccessError, Builder, JoinHandle, LocalKey, Scope, ScopedJoinHandle, Thread, ThreadId, available_parallelism, current, park,
    park_timeout, park_timeout_ms, scope, sleep, sleep_ms, spawn, yield_now,
};
