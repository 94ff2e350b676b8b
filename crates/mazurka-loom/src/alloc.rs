//! Memory that has to be given back, as in `loom::alloc`.

use mazurka_native::leaks;

pub use std::alloc::Layout;

/// Allocates memory.
///
/// # Safety
/// As of [`std::alloc::alloc`].
#[track_caller]
pub unsafe fn alloc(layout: Layout) -> *mut u8 {
    // SAFETY: the caller's promise.
    let place = unsafe { std::alloc::alloc(layout) };
    leaks::made(place as usize, "allocation");
    place
}

/// Allocates memory with zeros in it.
///
/// # Safety
/// As of [`std::alloc::alloc_zeroed`].
#[track_caller]
pub unsafe fn alloc_zeroed(layout: Layout) -> *mut u8 {
    // SAFETY: the caller's promise.
    let place = unsafe { std::alloc::alloc_zeroed(layout) };
    leaks::made(place as usize, "allocation");
    place
}

/// Gives memory back.
///
/// # Safety
/// As of [`std::alloc::dealloc`].
pub unsafe fn dealloc(place: *mut u8, layout: Layout) {
    leaks::gone(place as usize);
    // SAFETY: the caller's promise.
    unsafe { std::alloc::dealloc(place, layout) }
}

/// A value that has to be dropped.
#[derive(Debug)]
pub struct Track<T> {
    value: T,
    /// Where it is known; it may move itself.
    place: Box<u8>,
}

impl<T> Track<T> {
    /// Around a value.
    #[track_caller]
    pub fn new(value: T) -> Self {
        let place = Box::new(0);
        leaks::made(std::ptr::from_ref(&*place) as usize, "tracked value");
        Track { value, place }
    }

    /// The value.
    pub fn get_ref(&self) -> &T {
        &self.value
    }

    /// The value.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// The value, which need not be dropped any more.
    pub fn into_inner(self) -> T {
        let this = std::mem::ManuallyDrop::new(self);
        leaks::gone(std::ptr::from_ref(&*this.place) as usize);
        // SAFETY: `this` is not dropped, so its parts are taken out once.
        unsafe {
            drop(std::ptr::read(&raw const this.place));
            std::ptr::read(&raw const this.value)
        }
    }
}

impl<T> Drop for Track<T> {
    fn drop(&mut self) {
        leaks::gone(std::ptr::from_ref(&*self.place) as usize);
    }
}
