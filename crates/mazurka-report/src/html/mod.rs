//! The report as one self-contained HTML file: no network, light and dark, usable with keyboard and screen reader.
//!
//! `page` is the frame, readable even without scripts; `data` is everything that the scripts show, as JSON; the scripts and the style
//! are files of their own beside this one.

mod data;
mod page;

pub use page::render;
