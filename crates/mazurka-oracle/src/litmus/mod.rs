//! The oracle for shared-variable programs: random programs, mutants of hard ones, and every algorithm held against brute force on them.

mod check;
mod fuzz;
mod generate;
mod merging;
mod mutate;
pub mod reference;
mod shrink;

pub use check::{check, check_text};
pub use fuzz::{Litmus, OrderKind};
pub use generate::{Class, generate};
pub use merging::{Merged, Reached, check_merged};
pub use mutate::{hard_programs, mutate};
pub use shrink::shrink;
