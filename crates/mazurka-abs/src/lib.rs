//! ABS models: parser, types, interpreter.

mod analyse;
mod check;
pub mod checked;
pub mod code;
mod cycles;
mod describe;
mod footprint;
pub mod lower;
pub mod model;
mod program;
pub mod reach;
pub mod run;
mod stable;
mod stdlib;
pub mod syntax;
pub mod value;

pub use analyse::{Analysis, analyse, parse};
