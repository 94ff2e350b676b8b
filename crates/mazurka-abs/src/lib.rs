//! ABS models: parser, types, interpreter.

pub mod checked;
pub mod syntax;
