//! Certificates: what proves the verdict of a search, and a checker that need not believe the search.
//!
//! A *complete* verdict is certified by the executions that the search has run, one of each trace. They are all there are because of
//! one theorem: a non-empty set of maximal executions that is closed under reversals has every execution, up to the order of independent
//! steps. It is proved in Coq in `proofs/`, and this checker computes what is defined there; its functions name the definitions.
//!
//! | file | contents | in the proofs |
//! |---|---|---|
//! | `verify.rs`, `verified.rs`, `part.rs` | what a certificate is for, what it proves, parts of the work | |
//! | `closed.rs` | executions that are closed under reversals: the two passes | `closed_sets_are_complete` (`Result.v`) |
//! | `execution.rs` | running executions, what happens before what, what sleeps | `Programs.v`, `Repeats.v` |
//! | `reversals.rs` | what else could have happened | `Reversals.v` |
//! | `walk.rs` | whether the tree has it | `Walks.v` |
//! | `laws.rs` | what is assumed of the program | `Laws` (`Programs.v`) |
//! | `merging.rs`, `cones.rs` | searches that merge: what is explored is enough for the races below it | |
//! | `states.rs` | searches that store states: the states are closed | |
//! | `schedules.rs` | certificates of violations: the schedule is run | |
//! | `actions.rs`, `tree.rs`, `set.rs`, `format.rs`, `claims.rs` | tables and bytes | |
//! | `check.rs` | checking without a file, for tests of searches | |
//! | `write.rs` | writing: no part of the checker | |
//!
//! It shares no code with the searches: of `mazurka-core` it uses what programs are made of (`Program`, `Describe`, footprints,
//! failures), and nothing else.

mod actions;
mod check;
mod claims;
mod closed;
mod cones;
mod execution;
mod format;
mod laws;
mod merging;
mod part;
mod rejection;
mod reversals;
mod schedules;
mod set;
mod states;
mod tree;
mod verified;
mod verify;
mod walk;
mod write;

pub use check::{check_executions, check_merged, check_states};
pub use claims::Claims;
pub use format::digest;
pub use part::Part;
pub use rejection::Rejection;
pub use verified::{Evidence, Proved, Verified};
pub use verify::{verify, verify_part, verify_typed};
pub use write::{StatesWriter, Subject, Writer, write_violation};
