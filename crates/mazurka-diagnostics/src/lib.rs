//! Source texts, positions and error messages with excerpts.
//!
//! A front end puts its files into a [`SourceMap`], gives every piece of syntax a [`Span`], collects [`Diagnostic`]s in a [`Diagnostics`]
//! and lets [`Diagnostics::render`] show them. Nothing here knows a language.

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
