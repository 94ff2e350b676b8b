//! Statics begin every execution as they were before the first.

use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// The first bytes of the statics that checks have used. All checks share them: a static is there once.
static FIRST: Mutex<Option<FxHashMap<usize, Box<[u8]>>>> = Mutex::new(None);

/// Whether an address is that of a static of this program.
pub(crate) fn is_static(address: usize) -> bool {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: the linker defines these symbols as the bounds of the writable data of the program; only their addresses are taken.
        unsafe extern "C" {
            static __data_start: u8;
            static _end: u8;
        }
        (&raw const __data_start as usize..&raw const _end as usize).contains(&address)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = address;
        false
    }
}

/// Gives a static that is used for the first time in this execution the value that it had when it was used for the first time at all.
///
/// That value was computed by the compiler, so it owns nothing, and its bytes may be there any number of times. What the last
/// execution left in the static is forgotten, not dropped.
///
/// # Safety
/// `address` and `size` are those of a static that was used in checks only, all of whose changes go through cells, and no reference to its inside
/// is in use.
pub(crate) unsafe fn reset(address: *const u8, size: usize) {
    let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    let first = first.get_or_insert_default();
    let inside = |start: usize, length: usize| {
        start <= address as usize && address as usize + size <= start + length && (start, length) != (address as usize, size)
    };
    if first.iter().any(|(start, bytes)| inside(*start, bytes.len())) {
        // It is a part of another static, which was used first and has begun anew: its value need not be the compiler's.
        return;
    }
    match first.entry(address as usize) {
        std::collections::hash_map::Entry::Occupied(known) => {
            let bytes = known.get();
            // SAFETY: the bytes are those of a valid value of the static, which is writable since it contains cells.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address.cast_mut(), size.min(bytes.len())) };
        }
        std::collections::hash_map::Entry::Vacant(new) => {
            // SAFETY: the static is that long, and nobody writes it now.
            new.insert(unsafe { std::slice::from_raw_parts(address, size) }.into());
        }
    }
}

/// Gives every static that checks have used its first value: the checks are over.
///
/// # Safety
/// No code under test runs, nor keeps references to the inside of statics.
pub(crate) unsafe fn reset_all() {
    let first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    for (address, bytes) in first.iter().flatten() {
        // SAFETY: as in `reset`.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), *address as *mut u8, bytes.len()) };
    }
}
