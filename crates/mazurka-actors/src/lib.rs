//! Actors written in Rust.

mod actor;
mod address;
mod check;
mod context;
mod counterexample;
mod delivery;
mod describe;
mod determinism;
mod erased;
mod fields;
mod hash;
mod panics;
mod program;
mod run;
mod selection;
mod sends;
mod space;
mod system;
mod tables;

pub use actor::{Accepts, Actor};
pub use address::Address;
pub use check::{Check, Checked};
pub use context::Context;
pub use delivery::Delivery;
pub use fields::Fields;
pub use mazurka_core::Dependency;
pub use run::Run;
pub use selection::{Selection, Tie};
pub use sends::{Handler, Sends};
pub use system::{End, System};
