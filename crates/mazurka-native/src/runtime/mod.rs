//! The runtime: threads of the code under test as coroutines, one visible operation per step.
//!
//! [`op`] says what operations are, [`execution`] runs them, [`program`] shows that to the engine. The library under test
//! ([`crate::sync`], [`crate::thread`]) reaches the running execution through [`current`].

mod addresses;
mod allocations;
mod channel;
mod clock;
pub(crate) mod current;
mod describe;
mod execution;
pub(crate) mod graph_program;
pub(crate) mod guided;
pub(crate) mod happens_before;
pub(crate) mod id;
pub(crate) mod lanes;
pub(crate) mod leaks;
#[cfg(unix)]
mod leave_hook;
mod names;
pub(crate) mod offers;
pub(crate) mod op;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod overflow;
#[cfg(test)]
mod pairs;
pub(crate) mod panics;
mod program;
mod questions;
pub(crate) mod races;
mod requests;
pub(crate) mod rule;
pub(crate) mod statics;
mod thread;
mod watch;

pub use allocations::Allocator;
pub use current::is_checking;
pub(crate) use execution::{Execution, Habits};
pub(crate) use program::Native;
pub(crate) use requests::FRUITLESS_ROUNDS;
pub(crate) use watch::Watch;
