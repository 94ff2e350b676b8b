//! parking_lot, as Mazurka runs it.

pub use mazurka_parking_lot::*;
