//! What the whole crate finds.

mod bounds;
mod common;
mod methods;
mod mutants;
mod random;
mod requirements;
mod solvers;
