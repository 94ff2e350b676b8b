//! Tests of the crate from outside, one program for all.

mod bad_input;
mod beside_std;
mod failures;
mod families;
mod future;
mod leaks;
mod leaves;
mod library;
mod oracle;
mod own_values;
mod panics;
mod races;
