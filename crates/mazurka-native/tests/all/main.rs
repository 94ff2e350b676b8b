//! Tests of the crate from outside, one program for all.

mod failures;
mod families;
mod library;
mod oracle;
