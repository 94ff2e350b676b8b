//! The programs and tables of the papers.

pub mod tables;
