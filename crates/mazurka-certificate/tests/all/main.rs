//! Tests of certificates on shared-variable programs.

mod merged;
mod programs;
mod several;
mod sources;
mod support;
mod tampering;
