//! Tests of the crate from outside, one program for all.

mod bad_input;
mod beside_std;
mod failures;
mod families;
mod future;
mod leaks;
mod leaves;
mod library;
mod mistakes;
mod oracle;
mod own_values;
mod panics;
mod races;
mod weak;
mod weak_oracle;
