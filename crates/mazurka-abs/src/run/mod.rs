//! The machine: cogs, objects, tasks and futures, and the code that moves them from one scheduling point to the next.

pub mod chunks;
pub mod identity;
pub mod state;

mod birth;
mod builtins;
mod ending;
mod exec;
mod failing;
mod guard;
mod machine;
mod operate;
mod settings;
mod unwind;

pub use machine::Machine;
pub use settings::{AwaitSemantics, DeadlockPolicy, Settings};
