//! The interface of loom 0.7 on Mazurka: published loom tests run unchanged.
//!
//! A model is a check of `mazurka-native`: every trace once, under sequential consistency, with data races from the declared orderings. There is no
//! limit to the number of threads, and what loom's limits end is explored.

pub mod alloc;
pub mod cell;
pub mod future;
pub mod model;
pub mod sync;
pub mod thread;

#[doc(inline)]
pub use crate::model::model;

/// Spinning, as in `loom::hint`.
pub mod hint {
    pub use mazurka_native::hint::{spin_loop, unreachable_unchecked};
}

/// As many threads as loom can have. There may be more here.
pub const MAX_THREADS: usize = 5;

/// loom explores from here on. Here everything is explored.
pub fn explore() {}

/// loom does not explore from here on. Here everything is explored.
pub fn stop_exploring() {}

/// loom does not explore the choice that comes next. Here everything is explored.
pub fn skip_branch() {}

pub use mazurka_native::lazy_static;
#[doc(hidden)]
pub use mazurka_native::thread_local as __thread_local;

/// As `std::thread_local!`: every thread of a model has its own.
#[macro_export]
macro_rules! thread_local {
    ($($declarations:tt)*) => { $crate::__thread_local! { $($declarations)* } };
}
