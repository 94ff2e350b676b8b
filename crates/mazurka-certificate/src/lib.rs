//! Certificates: what proves the verdict of a search, and a checker that need not believe the search.
//!
//! A *complete* verdict is certified by the executions that the search has run, one of each trace. They are all there are because of
//! one theorem: a non-empty set of maximal executions that is closed under reversals has every execution, up to the order of independent
//! steps. It is proved in Coq in `proofs/`, and this checker computes what is defined there; its functions name the definitions.
//!
//! | file | contents | in the proofs |
//! |---|---|---|
//! | `verify.rs` | the two passes | `closed_sets_are_complete` (`Result.v`) |
//! | `execution.rs` | running executions, what happens before what, what sleeps | `Programs.v`, `Repeats.v` |
//! | `reversals.rs` | what else could have happened | `Reversals.v` |
//! | `walk.rs` | whether the tree has it | `Walks.v` |
//! | `laws.rs` | what is assumed of the program | `Laws` (`Programs.v`) |
//! | `schedules.rs` | certificates of violations: the schedule is run | |
//! | `actions.rs`, `tree.rs`, `set.rs`, `format.rs`, `claims.rs` | tables and bytes | |
//! | `write.rs` | writing: no part of the checker | |
//!
//! It shares no code with the searches: of `mazurka-core` it uses what programs are made of (`Program`, `Describe`, footprints,
//! failures), and nothing else.

mod actions;
mod claims;
mod execution;
mod format;
mod laws;
mod rejection;
mod reversals;
mod schedules;
mod set;
mod tree;
mod verify;
mod walk;
mod write;

pub use claims::Claims;
pub use format::digest;
pub use rejection::Rejection;
pub use verify::{Proved, Verified, check_executions, verify, verify_typed};
pub use write::{Subject, Writer, write_violation};
