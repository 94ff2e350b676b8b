//! Tests of the crate as its users see it, one file for each thing they use.

mod attribute;
mod attribute_outcomes;
