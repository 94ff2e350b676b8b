//! Tests of certificates on shared-variable programs.

mod programs;
mod support;
mod tampering;
