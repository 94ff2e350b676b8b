//! The oracle for actors: random actor programs, brute force over them, and every algorithm held against it.

mod fuzz;
mod generate;
mod mutate;
mod parse;
mod puppet;
mod script;
mod shrink;

pub use fuzz::{Actors, check};
pub use generate::generate;
pub use mutate::{HARD, mutate};
pub use script::{Comparison, Initial, MODULUS, Method, NUMBER_NAMES, NUMBERS, Operation, Script, Start, Test, Whom};
pub use shrink::shrink;
