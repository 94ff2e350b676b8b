//! The machine: cogs, objects, tasks and futures, and the code that moves them from one scheduling point to the next.

pub mod chunks;
pub mod identity;
pub mod state;

mod accesses;
#[cfg(test)]
mod accesses_tests;
mod birth;
mod builtins;
mod ending;
mod exec;
mod failing;
mod fingerprint;
#[cfg(test)]
mod fingerprint_tests;
mod guard;
mod machine;
mod operate;
mod perturb;
mod settings;
mod unwind;
mod work;

pub use machine::Machine;
pub(crate) use machine::cogs_of;
pub use settings::{AwaitSemantics, DeadlockPolicy, Settings};
