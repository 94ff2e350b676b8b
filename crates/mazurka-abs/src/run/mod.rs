//! The machine: cogs, objects, tasks and futures, and the code that moves them from one scheduling point to the next.

pub mod chunks;
pub mod identity;
pub mod state;
pub mod tasks;

mod accesses;
#[cfg(test)]
mod accesses_tests;
mod activation;
mod birth;
mod builtins;
mod ending;
mod exec;
mod failing;
pub(crate) mod fingerprint;
#[cfg(test)]
mod fingerprint_tests;
mod guard;
mod machine;
pub(crate) mod naming;
mod operate;
mod perturb;
pub mod scene;
mod settings;
pub mod symbolic;
pub mod time;
mod unwind;
mod work;

pub use machine::Machine;
pub(crate) use machine::cogs_of;
pub use settings::{AwaitSemantics, DeadlockPolicy, Naming, Settings};
