//! Executions without end: random models that go on for ever, random formulas about them, and the search for executions that violate
//! these, held against all pairs of states explored by definition.

mod check;
mod generate;
mod oracle;

pub use check::{Judged, check};
pub use generate::{Claimed, generate};
pub use oracle::violated;
