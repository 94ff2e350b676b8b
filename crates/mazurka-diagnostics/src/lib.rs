//! Source texts, positions and error messages with excerpts.
//!
//! A front end puts its files into a [`SourceMap`], gives every piece of syntax a [`Span`], collects [`Diagnostic`]s in a [`Diagnostics`]
//! and lets [`Diagnostics::render`] show them. Nothing here knows a language.
//!
//! ```
//! use mazurka_diagnostics::{Diagnostic, Diagnostics, SourceMap, Span};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add("bank", "balance = blance - 80").expect("a small text");
//! let start = sources.file(file).span().start;
//!
//! let mut messages = Diagnostics::new();
//! messages.push(
//!     Diagnostic::error("unknown-name", "there is no variable `blance`")
//!         .label(Span::new(start + 10, start + 16), "not declared")
//!         .did_you_mean("blance", ["balance", "amount"]),
//! );
//! let text = messages.render(&sources, false);
//! assert!(text.contains("bank:1:11"), "{text}");
//! assert!(text.contains("did you mean `balance`?"), "{text}");
//! ```

mod collector;
mod diagnostic;
mod nearest;
mod render;
mod source_map;
mod span;

pub use collector::{Diagnostics, MAX_SHOWN};
pub use diagnostic::{Diagnostic, Severity};
pub use nearest::nearest;
pub use source_map::{FileId, Position, SourceFile, SourceMap, SourceTooLarge};
pub use span::Span;
