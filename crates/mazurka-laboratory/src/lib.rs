//! What keeps the engine honest, and what only research needs: brute force, random programs, the tables of the papers.
//!
//! [`enumerate`] visits every interleaving of a small program and says what there is: traces, final states, deadlocks, failures,
//! outcomes. [`compare`] holds what an algorithm found against it. A [`campaign`] does so for the random programs of a language and for
//! mutants of programs known to be hard, and shrinks what it finds. Nothing of that uses the engine's search code.
//!
//! [`tables`] measures what the papers have measured. [`floor`] says how fast a search could be at best.

pub mod abs;
pub mod actors;
pub mod bounded;
pub mod campaign;
mod canonical;
mod certified;
mod claims;
mod compare;
mod enumerate;
pub mod floor;
mod languages;
pub mod litmus;
pub mod merging;
pub mod order_free;
pub mod parallel;
pub mod promela;
pub mod protocols;
pub mod random;
pub mod saved;
mod seen;
pub mod tables;

pub use campaign::{Campaign, Finding, Language, Report, Shapes};
pub use canonical::Canonical;
pub use claims::Claims;
pub use compare::{Difference, compare};
pub use enumerate::{Budget, Exceeded, Truth, enumerate};
pub use languages::languages;
pub use seen::{Seen, explore};
