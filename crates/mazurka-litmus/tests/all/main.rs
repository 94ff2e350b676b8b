//! Shared-variable programs: what is accepted, what it means, and what the searches find in it.
//!
//! One program for all of them: linking one takes longer than compiling most of them.

mod context;
mod copies;
mod families;
mod graphs;
mod herd;
mod laws;
mod machine;
mod merging;
mod notation;
mod verdicts;
mod waiting;
