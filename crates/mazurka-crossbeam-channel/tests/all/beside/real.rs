//! What programs beside a check are made of.

pub(super) mod api {
    pub use crossbeam_channel::*;
    use std::cell::Cell;
    pub use std::thread;

    std::thread_local! {
        static SEED: Cell<u64> = const { Cell::new(0) };
    }

    /// Sometimes others go first.
    pub fn jitter() {
        let here = SEED.with(|seed| std::ptr::from_ref(seed).addr() as u64);
        let next = SEED
            .get()
            .wrapping_add(here)
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        SEED.set(next);
        match next >> 61 {
            0 => thread::yield_now(),
            1 => (0..next >> 52 & 0xff).for_each(|_| std::hint::spin_loop()),
            _ => {}
        }
    }
}

// The same text, against another interface.
#[allow(clippy::duplicate_mod)]
#[path = "interpreter.rs"]
pub(super) mod interpreter;
