//! The machine: cogs, objects, tasks and futures, and the code that moves them from one scheduling point to the next.

pub mod chunks;
pub mod identity;
pub mod state;

mod builtins;
mod ending;
mod exec;
mod machine;

pub use machine::{AwaitSemantics, DeadlockPolicy, Machine, Settings};
