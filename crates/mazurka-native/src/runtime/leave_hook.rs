//! Leaves a panic hook without returning from it.
//!
//! The standard library holds a lock while it calls the hook. A hook that is suspended for ever would keep that lock, and the next
//! `take_hook` would wait for ever: a test program calls it before it ends. So the frames of the hook and of its caller are unwound, which gives
//! the lock back, and the thread is suspended in the frame after them.

use std::ffi::{c_int, c_void};

/// What the unwinder of the platform throws. It writes behind `cleanup`; no platform takes more than this.
#[repr(C, align(16))]
struct Exception {
    class: u64,
    cleanup: Option<extern "C" fn(c_int, *mut Exception)>,
    private: [usize; 6],
}

/// What `stop` needs to know. It is never freed: the frames that could do so are left.
struct Leaving<F> {
    exception: Exception,
    /// Where the stack of the first call of `stop` was.
    stack: Option<usize>,
    then: F,
}

type Stop = unsafe extern "C-unwind" fn(c_int, c_int, u64, *mut Exception, *mut c_void, *mut c_void) -> c_int;

unsafe extern "C-unwind" {
    fn _Unwind_ForcedUnwind(exception: *mut Exception, stop: Stop, argument: *mut c_void) -> c_int;
}

/// There are no frames left.
const END_OF_STACK: c_int = 16;

/// Unwinds until values were dropped in a frame of a caller, and calls `then` there, which must not return. Returns if that cannot be done.
///
/// Callers up to the standard library must have nothing to drop, or the unwinding ends there.
pub(super) fn leave<F: FnMut()>(then: F) {
    let leaving = Box::into_raw(Box::new(Leaving {
        exception: Exception {
            class: u64::from_be_bytes(*b"MAZRKAHK"),
            cleanup: None,
            private: [0; 6],
        },
        stack: None,
        then,
    }));
    // SAFETY: `leaving` was just allocated and is never freed, so the exception and the argument outlive the unwinding. The exception has the layout
    // of the Itanium ABI for exceptions, with room to spare. `stop` takes the argument for what it is. Only frames of this file, of
    // the hook and of the standard library are unwound, all of which were compiled to be unwound by a panic of the hook.
    unsafe { _Unwind_ForcedUnwind(&raw mut (*leaving).exception, stop::<F>, leaving.cast()) };
}

/// Called by the unwinder for each frame that it is about to leave.
unsafe extern "C-unwind" fn stop<F: FnMut()>(
    _version: c_int,
    actions: c_int,
    _class: u64,
    _exception: *mut Exception,
    _context: *mut c_void,
    leaving: *mut c_void,
) -> c_int {
    // SAFETY: `leave` passes its own allocation, which nothing else uses.
    let leaving = unsafe { &mut *leaving.cast::<Leaving<F>>() };
    let here = 0u8;
    let stack = std::hint::black_box(&raw const here) as usize;
    // As long as no frame had anything to drop, all calls come from the same place. After a frame has dropped something, the unwinder goes on from
    // that frame.
    if *leaving.stack.get_or_insert(stack) != stack || actions & END_OF_STACK != 0 {
        (leaving.then)();
    }
    0
}
