//! The runtime: threads of the code under test as coroutines, one visible operation per step.
//!
//! [`op`] says what operations are, [`execution`] runs them, [`program`] shows that to the engine. The library under test
//! ([`crate::sync`], [`crate::thread`]) reaches the running execution through [`current`].

mod allocations;
pub(crate) mod current;
mod describe;
mod execution;
pub(crate) mod id;
mod names;
pub(crate) mod op;
pub(crate) mod panics;
mod program;
mod questions;
mod requests;
pub(crate) mod statics;
mod thread;

pub use allocations::Allocator;
pub(crate) use program::Native;
pub(crate) use requests::FRUITLESS_ROUNDS;
