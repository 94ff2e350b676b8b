//! The report as one self-contained HTML file: no network, light and dark, usable with keyboard and screen reader.
//!
//! Pages that get their data later use its style and scripts too, so that a step looks the same everywhere.
//!
//! `page` is the frame, readable even without scripts; `data` is everything that the scripts show, as JSON; the scripts and the style
//! are files of their own beside this one.

mod data;
mod page;

use crate::summary::{Counterexample, Summary};
pub use page::{SCRIPTS, STYLE, render};

/// Names and values of the table that says what was covered.
pub fn coverage(summary: &Summary) -> Vec<(&'static str, String)> {
    data::coverage(summary)
}

/// What `showReport` of the scripts shows, as JSON.
pub fn report(summary: &Summary) -> String {
    data::of(summary).to_string()
}

/// What `showFailure` of the scripts shows, as JSON: one execution of the program of this name and options.
pub fn execution(counterexample: &Counterexample, program: &str, arguments: &[String]) -> String {
    data::shown(data::failure(counterexample, program, arguments)).to_string()
}
