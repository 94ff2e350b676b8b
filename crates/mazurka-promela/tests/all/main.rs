//! Promela: what is accepted, what it means, and what a reduced search must not lose.
//!
//! One program for all of them: linking one takes longer than compiling most of them.

mod insights;
mod laws;
mod promela;
mod reduction;
mod support;
