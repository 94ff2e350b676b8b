//! The command line: what can be asked, and how it is read.

mod args;
mod instead;
mod tests;
pub mod usage;
mod values;

pub use args::*;
#[cfg(feature = "symbolic")]
pub use tests::*;
pub use values::{Setting, order_name};
