//! From text to tree.

pub mod ast;
mod lexer;
mod parser;
mod token;

pub use parser::{MAX_DEPTH, parse_expr, parse_file};
