//! The papers' tables: published numbers beside what we measure.

mod forte12;
mod forte14;
mod measure;
mod published;
mod table;

pub use forte12::{forte12, forte12_sleep};
pub use forte14::forte14;
pub use table::{Cell, Mark, Row, Table};

/// Why a cell was not run.
const TOO_LARGE: &str = "larger than --max-size";

/// A table that can be measured.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// As in `mazurka bench NAME`.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// Measures it; rows larger than the given number of executions are skipped.
    pub run: fn(Option<u64>) -> Table,
}

/// Every table.
pub const TABLES: &[Entry] = &[
    Entry {
        name: "forte12",
        about: "FORTE'12 Table 1: DPOR and TransDPOR under three orders",
        run: forte12,
    },
    Entry {
        name: "forte12-sleep",
        about: "FORTE'12 Table 2: DPOR and TransDPOR with sleep sets",
        run: forte12_sleep,
    },
    Entry {
        name: "forte14",
        about: "FORTE'14 Table 1: actor and task selection",
        run: forte14,
    },
];
