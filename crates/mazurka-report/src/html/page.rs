//! The page around the data.
use crate::summary::Summary;

/// The whole file.
pub fn render(summary: &Summary) -> String {
    format!("<!doctype html><title>{}</title>", summary.program)
}
