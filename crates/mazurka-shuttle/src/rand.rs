//! Random numbers, as in `shuttle::rand`. In a check they are choices: every value of a small range is tried.
//!
//! Of more than [`FEW`] values not all are tried: the numbers come from a generator then, always in the same order.

use mazurka_native::choose;
use std::cell::Cell;
use std::ops::{Range, RangeInclusive};

/// Of so many values, all are tried.
pub const FEW: u64 = 16;

/// Gives random numbers.
#[derive(Debug, Clone, Copy, Default)]
pub struct ThreadRng(());

/// Generators, as in `shuttle::rand::rngs`.
pub mod rngs {
    pub use super::ThreadRng;
}

mazurka_native::thread_local! {
    static STATE: Cell<u64> = const { Cell::new(0x9E37_79B9_7F4A_7C15) };
}

/// The generator of this thread.
pub fn thread_rng() -> ThreadRng {
    ThreadRng(())
}

/// The source of random numbers.
pub trait RngCore {
    /// A number.
    fn next_u64(&mut self) -> u64;

    /// A smaller number.
    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }

    /// Fills memory with numbers.
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        bytes.fill_with(|| self.next_u64() as u8);
    }
}

impl RngCore for ThreadRng {
    fn next_u64(&mut self) -> u64 {
        let next = STATE
            .with(Cell::get)
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        STATE.with(|state| state.set(next));
        next ^ next >> 33
    }
}

/// What has random values.
pub trait Random {
    /// One of them.
    fn random(source: &mut dyn RngCore) -> Self;
}

/// What random values can be taken from.
pub trait SampleRange<T> {
    /// One of them.
    fn sample(self, source: &mut dyn RngCore) -> T;
}

fn below(n: u64, source: &mut dyn RngCore) -> u64 {
    assert!(n > 0, "cannot sample empty range");
    if n <= FEW {
        u64::from(choose(n as u32))
    } else {
        source.next_u64() % n
    }
}

impl Random for bool {
    fn random(_: &mut dyn RngCore) -> bool {
        choose(2) == 1
    }
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(
            impl Random for $type {
                fn random(source: &mut dyn RngCore) -> $type {
                    source.next_u64() as $type
                }
            }

            impl SampleRange<$type> for Range<$type> {
                fn sample(self, source: &mut dyn RngCore) -> $type {
                    let size = (self.end as i128 - self.start as i128).clamp(0, i128::from(u64::MAX)) as u64;
                    (self.start as i128 + i128::from(below(size, source))) as $type
                }
            }

            impl SampleRange<$type> for RangeInclusive<$type> {
                fn sample(self, source: &mut dyn RngCore) -> $type {
                    let size = (*self.end() as i128 - *self.start() as i128 + 1).clamp(0, i128::from(u64::MAX)) as u64;
                    (*self.start() as i128 + i128::from(below(size, source))) as $type
                }
            }
        )*
    };
}

integers! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

/// Random values of all kinds.
pub trait Rng: RngCore + Sized {
    /// A value.
    fn r#gen<T: Random>(&mut self) -> T {
        T::random(self)
    }

    /// A value of a range.
    ///
    /// # Panics
    /// If it is empty.
    fn gen_range<T>(&mut self, range: impl SampleRange<T>) -> T {
        range.sample(self)
    }

    /// True or false, both unless it must be one of them.
    fn gen_bool(&mut self, p: f64) -> bool {
        p >= 1.0 || p > 0.0 && choose(2) == 1
    }
}

impl<R: RngCore> Rng for R {}
