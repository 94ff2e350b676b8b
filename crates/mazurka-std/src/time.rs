//! [`std::time`].

pub use ::std::time::*;
pub use mazurka_native::time::Instant;
