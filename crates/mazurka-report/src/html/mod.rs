//! The report as one self-contained HTML file.
pub use self::page::render;
mod page;
