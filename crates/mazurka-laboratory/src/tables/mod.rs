//! The papers' tables: published numbers beside what we measure.

mod cav17;
mod forte12;
mod forte14;
mod issta19;
mod measure;
mod published;
mod table;
mod variables;

pub use cav17::{cav17_1, cav17_2};
pub use forte12::{forte12, forte12_sleep};
pub use forte14::forte14;
pub use issta19::issta19;
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
    Entry {
        name: "cav17-1",
        about: "CAV'17 Table 1: producer and consumer; context-sensitive DPOR as published, repaired, and merged",
        run: cav17_1,
    },
    Entry {
        name: "cav17-2",
        about: "CAV'17 Table 2: programs of tasks; context-sensitive DPOR, repaired and merged",
        run: cav17_2,
    },
    Entry {
        name: "issta19",
        about: "ISSTA'19 Table 1: context sensitivity and observers as published, repaired, and merged",
        run: issta19,
    },
];
