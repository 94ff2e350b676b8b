//! The tests of this crate.

mod meaning;
mod sizes;
