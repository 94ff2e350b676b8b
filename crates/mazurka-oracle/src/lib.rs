//! Brute force and random programs: what keeps the engine honest.
//!
//! [`enumerate`] visits every interleaving of a small program and says what there is: traces, final states, deadlocks, failures,
//! outcomes. [`compare`] holds what an algorithm found against it. [`fuzz`] does so for random programs and for mutants of programs
//! known to be hard, and shrinks what it finds. Nothing here uses the engine's search code.

pub mod actors;
mod canonical;
mod claims;
mod compare;
mod enumerate;
mod fuzz;
mod merging;
pub mod random;
mod seen;
mod shrink;

pub use canonical::Canonical;
pub use claims::Claims;
pub use compare::{Difference, check, check_text, compare};
pub use enumerate::{Budget, Exceeded, Truth, enumerate};
pub use fuzz::{Finding, FuzzOptions, FuzzReport, OrderKind, fuzz};
pub use merging::{Merged, Reached, check_merged};
pub use seen::{Seen, explore};
pub use shrink::shrink;
