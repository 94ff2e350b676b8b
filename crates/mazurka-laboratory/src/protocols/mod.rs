//! The oracle for protocols: random systems of actors with timers, choices, invariants, crashes, losses, duplicates and partitions, a plain
//! reference, brute force, and every algorithm held against both.

mod fuzz;
mod generate;
mod judge;
mod node;
mod orbits;
mod reference;
mod script;

pub use fuzz::{Protocols, SHAPES};
pub use generate::generate;
pub use judge::{Judge, NoJudge};
pub use reference::{Everything, everything};
pub use script::{Faults, Method, Operation, Script};
