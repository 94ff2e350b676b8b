//! Promela models: preprocessor, parser, interpreter.
//!
//! A model goes through [`preprocess`](crate) tokens, syntax, and a control-flow graph per process type whose control points are exactly
//! the ones that SPIN's verifier distinguishes, so that states and transitions without reduction can be compared number by number.

pub mod analysis;
mod ast;
mod condition;
mod lexer;
mod lower;
mod machine;
mod macros;
pub mod model;
mod parser;
mod preprocess;
mod program;
mod source;
pub mod statics;
mod token;
mod visit;
mod words;

pub use ast::Probe;
pub use machine::{Fault, FaultKind, Machine, Micro, Partner, Quiet, Scratch, State};
pub use program::{Promela, PromelaStates, Run};
pub use source::{Parsed, parse_file, parse_text};
