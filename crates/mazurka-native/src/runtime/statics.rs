//! Statics begin every execution as they were before the first.

use rustc_hash::FxHashMap;

/// The first bytes of the statics that were used.
#[derive(Default)]
pub(crate) struct Statics {
    first: FxHashMap<usize, Box<[u8]>>,
}

impl Statics {
    /// Gives a static that is used for the first time in this execution the value that it had when it was used for the first time at all.
    ///
    /// That value was computed by the compiler, so it owns nothing, and its bytes may be there any number of times. What the last
    /// execution left in the static is forgotten, not dropped.
    ///
    /// # Safety
    /// `address` and `size` are those of a static all of whose changes go through cells, and no reference to its inside is in use.
    pub unsafe fn reset(&mut self, address: *const u8, size: usize) {
        match self.first.get(&(address as usize)) {
            // SAFETY: the bytes are those of a valid value of the static, which is writable since it contains cells.
            Some(first) => unsafe { std::ptr::copy_nonoverlapping(first.as_ptr(), address.cast_mut(), size.min(first.len())) },
            None => {
                // SAFETY: the static is that long, and nobody writes it now.
                let bytes = unsafe { std::slice::from_raw_parts(address, size) };
                self.first.insert(address as usize, bytes.into());
            }
        }
    }
}
