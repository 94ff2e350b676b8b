//! Random programs, and mutants of programs that are known to be hard.

mod generate;
mod mutate;
mod numbers;

pub use generate::{Class, generate};
pub use mutate::{hard_programs, mutate};
pub use numbers::Numbers;
