//! Promela models: preprocessor, parser, interpreter.
//!
//! [`parse_file`] reads a text: the preprocessor works on tokens so that every message can point at what the user wrote, the parser goes
//! on after errors, and lowering turns each process type into a control-flow graph whose control points are exactly the ones that SPIN's
//! verifier distinguishes. So states and transitions without reduction can be compared number by number. [`Machine`] runs a model on flat
//! states; [`Promela`] shows it to the engine as a program whose steps say beforehand what they may touch.
//!
//! ```
//! use mazurka_promela::{Promela, parse_text};
//!
//! let parsed = parse_text("peterson.pml", "byte x; active [2] proctype p() { x++ }", &[]);
//! let machine = parsed.machine.expect("a model without errors");
//! let promela = Promela::new(machine, parsed.sources);
//! assert_eq!(promela.machine().model().proctypes.len(), 1);
//! ```

pub mod analysis;
mod ast;
mod condition;
mod expansion;
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
pub use machine::{Fault, FaultKind, Machine, Micro, Note, Partner, Quiet, Read, Scratch, State, Touched};
pub use program::{Promela, PromelaStates, Run};
pub use source::{Asked, Claims, Parsed, decode, parse_file, parse_text, parse_text_with};
