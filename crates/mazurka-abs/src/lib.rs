//! ABS models: parser, types, interpreter.

pub mod checked;
pub mod code;
mod describe;
pub mod lower;
mod program;
pub mod reach;
pub mod run;
mod stable;
pub mod syntax;
pub mod value;
