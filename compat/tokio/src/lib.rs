//! tokio, as Mazurka runs it.

pub use mazurka_tokio::*;
