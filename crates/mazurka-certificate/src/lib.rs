//! Certificates: what proves the verdict of a search, and a checker that need not believe the search.
//!
//! A *complete* verdict is certified by the executions that the search has run, one of each trace. They are all there are because of
//! one theorem: a non-empty set of maximal executions that is closed under reversals has every execution, up to the order of independent
//! steps. It is proved in Coq in `proofs/`, and this checker computes what is defined there; its functions name the definitions.
//!
//! | file | contents | in the proofs |
//! |---|---|---|
//! | `closed.rs` | executions that are closed under reversals | `closed_sets_are_complete` (`Result.v`) |
//! | `execution.rs` | running executions, what happens before what, what sleeps | `Programs.v`, `Repeats.v` |
//! | `reversals.rs` | what else could have happened | `Reversals.v` |
//! | `walk.rs` | whether the tree has it | `Walks.v` |
//! | `findings.rs` | what fails, and what is a final state | |
//! | `actions.rs`, `set.rs`, `tree.rs`, `pages.rs` | tables | |
//! | `laws.rs` | what is assumed of the program | `Laws` (`Programs.v`) |
//! | `merging.rs`, `cones.rs` | searches that merge: what is explored is enough for the races below it | |
//! | `states.rs` | searches that store states: the states are closed | |
//! | `schedules.rs` | certificates of violations: the schedule is run | |
//!
//! Nothing rests on the other files, because the files above do not believe what these find out:
//!
//! | file | contents |
//! |---|---|
//! | `compressed.rs`, `format.rs`, `symbols.rs`, `list.rs` | bytes, and the list of executions in them |
//! | `reading.rs`, `run.rs` | the first pass: the tree, as it is written |
//! | `workers.rs`, `distinct.rs` | threads, and how many final states there are |
//! | `claims.rs`, `verify.rs`, `verified.rs`, `rejection.rs` | what a certificate is for and what it says, and what comes out |
//! | `check.rs` | checking without a file, for tests of searches |
//! | `write.rs` | writing |
//!
//! It shares no code with the searches: of `mazurka-core` it uses what programs are made of (`Program`, `Describe`, footprints,
//! failures), and nothing else.

mod actions;
mod check;
mod claims;
mod closed;
mod compressed;
mod cones;
mod distinct;
mod execution;
mod findings;
mod format;
mod laws;
mod list;
mod merging;
mod pages;
mod reading;
mod rejection;
mod reversals;
mod run;
mod schedules;
mod set;
mod states;
mod symbols;
mod tree;
mod verified;
mod verify;
mod walk;
mod workers;
mod write;

pub use check::{check_executions, check_merged, check_states};
pub use claims::Claims;
pub use compressed::Compressed;
pub use format::digest;
pub use rejection::Rejection;
pub use verified::{Evidence, Proved, Verified};
pub use verify::{verify, verify_typed};
pub use workers::{Lend, Workers};
pub use write::{StatesWriter, Subject, Writer, write_violation};
