//! crossbeam-channel, as Mazurka runs it.

pub use mazurka_crossbeam_channel::*;
