//! The programs and tables of the papers.
