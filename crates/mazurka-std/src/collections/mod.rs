//! [`std::collections`]. Hash maps and sets have the same order in every execution of a check.

pub mod hash_map;
pub mod hash_set;

pub use ::std::collections::*;
pub use hash_map::HashMap;
pub use hash_set::HashSet;
