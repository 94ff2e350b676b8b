//! Tests of certificates on shared-variable programs.

mod programs;
mod sources;
mod support;
mod tampering;
