//! Depends on them all.
