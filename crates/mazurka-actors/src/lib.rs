//! Actors written in Rust.
