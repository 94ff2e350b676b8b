//! Stateful search, persistent sets and source sets: the paper's figures and what must hold of every program.

mod definitions;
mod figures;
mod random;
mod toy;
