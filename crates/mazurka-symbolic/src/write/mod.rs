//! How tests are shown: to people, as files for this tool and others.

mod absunit;
mod file;
mod table;
mod values;

pub use absunit::absunit;
pub use file::{Given, ReadError, Wanted, json, read};
pub use table::{counts, table};
