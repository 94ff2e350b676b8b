//! The papers' tables: published numbers beside what we measure.

mod table;

pub use table::{Cell, Mark, Row, Table};
