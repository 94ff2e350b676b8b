//! The command line: what can be asked, and how it is read.

mod args;
mod instead;
pub mod usage;
mod values;

pub use args::*;
pub use values::{Setting, order_name};
