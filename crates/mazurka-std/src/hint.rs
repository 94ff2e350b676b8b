//! [`std::hint`].

pub use ::std::hint::*;
pub use mazurka_native::hint::spin_loop;
