//! The interface of shuttle 0.9 on Mazurka: tests written for shuttle run unchanged.
//!
//! Whatever scheduler is asked for, every trace is run once, by `optimal`, until all are covered or as many were run as shuttle was to run. What
//! was not covered then is said on the standard error.

mod check;
mod config;
pub mod current;
pub mod rand;
pub mod scheduler;

pub use check::{
    PortfolioRunner, Runner, check, check_dfs, check_pct, check_random, check_random_with_seed, check_uncontrolled_nondeterminism,
    check_urw, replay, replay_from_file,
};
pub use config::{Config, FailurePersistence, MaxSteps};

/// Threads, as in `shuttle::thread`.
pub mod thread {
    pub use crate::thread_local;
    pub use mazurka_native::thread::*;
}

/// What threads share, as in `shuttle::sync`.
pub mod sync {
    pub use mazurka_native::sync::*;
    pub use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};
}

/// Tasks, as in `shuttle::future`.
pub mod future {
    pub use mazurka_native::future::{AbortHandle, JoinError, JoinHandle, block_on, spawn, yield_now};
}

/// Spinning, as in `shuttle::hint`.
pub mod hint {
    pub use mazurka_native::hint::spin_loop;
}

pub use mazurka_native::lazy_static;
#[doc(hidden)]
pub use mazurka_native::thread_local as __thread_local;

/// As `std::thread_local!`: every thread of an execution has its own.
#[macro_export]
macro_rules! thread_local {
    ($($declarations:tt)*) => { $crate::__thread_local! { $($declarations)* } };
}
