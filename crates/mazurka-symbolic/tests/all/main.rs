//! What the whole crate finds.

mod bounds;
mod common;
mod methods;
mod mutants;
mod random;
mod random_methods;
mod requirements;
mod solvers;
