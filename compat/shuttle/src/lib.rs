//! shuttle, as Mazurka runs it.

pub use mazurka_shuttle::*;
