//! Where memory was allocated: the allocator tells the running execution of every allocation that the code under test makes.

use super::names::Allocated;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Is told where memory was allocated, and how much.
type Told = fn(usize, usize);

thread_local! {
    /// Who is told of allocations of this thread of the operating system; nobody unless code under test is running.
    static TOLD: Cell<Option<Told>> = const { Cell::new(None) };
}

/// An allocator that passes everything on to another one, and remembers where the code under test allocates.
///
/// It is installed by default. With an allocator of your own, turn off the feature `allocator` of this crate and install this around yours:
/// ```ignore
/// #[global_allocator]
/// static GLOBAL: mazurka_native::Allocator<MyAllocator> = mazurka_native::Allocator::new(MyAllocator);
/// ```
pub struct Allocator<A = System> {
    inner: A,
}

impl<A> Allocator<A> {
    /// Around another allocator.
    pub const fn new(inner: A) -> Self {
        Allocator { inner }
    }
}

#[cfg(feature = "allocator")]
#[global_allocator]
static GLOBAL: Allocator = Allocator::new(System);

/// Calls `told` for every allocation of this thread from now on.
#[inline(never)]
pub(crate) fn tell(told: Option<Told>) {
    TOLD.set(told);
}

/// Whether somebody is told of allocations of this thread.
#[inline(never)]
pub(crate) fn is_told() -> bool {
    TOLD.get().is_some()
}

/// Whether the global allocator of this program tells.
pub(crate) fn are_told() -> bool {
    thread_local! {
        static HEARD: Cell<bool> = const { Cell::new(false) };
    }
    HEARD.set(false);
    tell(Some(|_, _| HEARD.set(true)));
    drop(std::hint::black_box(Box::new(0_u8)));
    tell(None);
    HEARD.get()
}

/// Never inlined, as is [`tell`]: coroutines may go on in other threads of the operating system.
#[inline(never)]
fn note(start: *mut u8, size: usize) {
    // The thread may be going away; then nothing is running.
    if let Ok(Some(told)) = TOLD.try_with(Cell::get) {
        told(start as usize, size);
    }
}

// SAFETY: every call goes to the inner allocator unchanged; its answers are passed on unchanged.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Allocator<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the inner allocator asks for.
        let start = unsafe { self.inner.alloc(layout) };
        note(start, layout.size());
        start
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let start = unsafe { self.inner.alloc_zeroed(layout) };
        note(start, layout.size());
        start
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        let start = unsafe { self.inner.realloc(old, layout, size) };
        note(start, size);
        start
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { self.inner.dealloc(start, layout) }
    }
}

/// Allocations of one execution.
#[derive(Default)]
pub(crate) struct Allocations {
    made: Vec<(usize, Allocated, u32)>,
}

impl Allocations {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.made.clear();
    }

    /// Notes an allocation that starts at this address, made at this time of the thread.
    #[inline]
    pub fn note(&mut self, start: usize, which: Allocated, epoch: u32) {
        self.made.push((start, which, epoch));
    }

    /// The latest allocation around an address, the offset, and the time. What was freed is older than what was allocated there since.
    pub fn find(&self, address: usize) -> Option<(Allocated, u32, u32)> {
        let around = |(start, which, _): &&(usize, Allocated, u32)| *start <= address && address < start + which.size;
        let (start, which, epoch) = self.made.iter().rev().find(around)?;
        Some((*which, (address - start) as u32, *epoch))
    }
}
