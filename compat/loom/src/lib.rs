//! loom, as Mazurka runs it.

pub use mazurka_loom::*;
