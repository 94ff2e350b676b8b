//! What a person or another tool sees of a search: terminal text, JSON, HTML, JUnit, SARIF, DOT, schedule files.
//!
//! Everything here is a function from a [`Summary`] (or a part of one) to text. Nothing here runs a program or knows an algorithm, so every
//! output can be tested with a summary written by hand.
//!
//! Text for people, JUnit, DOT and schedule files need nothing else. Features: `json` (JSON, JSON lines, SARIF), `html` (the page for
//! browsers), `terminal` (how wide the terminal is); all of them are on by default.

pub mod agreement;
pub mod arrows;
pub mod columns;
pub mod compare;
pub mod coverage;
pub mod dot;
pub mod explain;
mod fields;
pub mod final_states;
#[cfg(feature = "html")]
pub mod html;
#[cfg(feature = "json")]
pub mod json;
#[cfg(feature = "json")]
pub mod json_lines;
pub mod junit;
pub mod paint;
mod plain_json;
pub mod progress;
pub mod replay;
#[cfg(feature = "json")]
pub mod sarif;
pub mod schedule_file;
pub mod stats;
pub mod summary;
pub mod tree;
pub mod units;
pub mod values;
pub mod verdict;
mod waits;

pub use paint::Paint;
pub use summary::{Comparison, Counterexample, FinalState, Made, Source, Stats, Summary};
