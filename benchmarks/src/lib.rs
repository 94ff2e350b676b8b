//! The programs and tables of the papers.

pub mod actors;
pub mod floor;
pub mod tables;
