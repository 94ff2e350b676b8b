//! Where a search stands, as bytes: what [`Search::save`](crate::Search::save) writes and [`Search::resume`](crate::Search::resume) reads.
//!
//! Only what cannot be found out again is written: the schedule, and for each of its nodes what sleeps, what was taken and what is planned. States,
//! clocks and footprints come of running the schedule once more, and so does the certainty that the program still is what it was.
//!
//! Processes are written as numbers, with the table of their names ([`Names`](crate::Names)), so that they have the same numbers again: orders of
//! branches may depend on them.

mod codec;
mod counts;
mod findings;
mod names;

pub use codec::{Decoder, Encoder};
pub(crate) use findings::{resumed_limit, save_limit};
pub(crate) use names::Tables;

use std::fmt;

/// Why a search cannot go on from what was saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// The bytes are not what a search writes.
    Garbled,
    /// The program or the options are others: a step that was taken cannot be.
    OtherProgram,
    /// This kind of search is never saved.
    OtherSearch,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misfit::Garbled => "it is not what a search of this version writes",
            Misfit::OtherProgram => "the program does not do what it did when this was written",
            Misfit::OtherSearch => "it belongs to another kind of search",
        })
    }
}

impl std::error::Error for Misfit {}
