//! ABS models: parser, types, interpreter.
//!
//! [`analyse`] reads the files of a model, checks names and types, and returns a model or everything that is wrong with it.
//!
//! ```
//! use mazurka_abs::analyse;
//! use mazurka_diagnostics::SourceMap;
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add("sum.abs", "module Sum; { Int sum = 1 + True; }").expect("a small text");
//! let errors = analyse(&mut sources, &[file]).expect_err("a Bool is not an Int");
//! assert!(errors.render(&sources, false).contains("sum.abs:1:"));
//! ```

mod analyse;
mod check;
pub mod checked;
pub mod code;
mod cycles;
mod deeds;
mod describe;
mod footprint;
mod future;
pub mod lower;
pub mod model;
pub mod products;
mod program;
pub mod reach;
mod receivers;
pub mod requires;
pub mod run;
mod stable;
mod stdlib;
pub mod suites;
pub mod syntax;
pub mod value;

pub use analyse::{Analysis, analyse, parse};
