//! Mazurka finds the concurrency bugs that testing misses, and proves their absence when there are none.
//!
//! This crate is what a Rust user depends on: the engine ([`core`]) and actors written in Rust ([`actors`]). The `mazurka` command that
//! checks models in other languages is the binary of the same crate.

pub use mazurka_actors as actors;
pub use mazurka_core as core;
