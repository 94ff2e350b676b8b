//! [`std::hash`].

pub use crate::random_state::RandomState;
pub use ::std::hash::*;
