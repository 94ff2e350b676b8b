//! In the steady state the search allocates nothing per event.

use mazurka_core::{Algorithm, Options, Status, Unobserved, search};
use mazurka_litmus::families;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is handed on unchanged to the system allocator, which keeps the contract of `GlobalAlloc`; counting touches no
// memory that is allocated.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `alloc` above with the same layout, so from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn the_steady_state_allocates_nothing_per_event() {
    for (name, n) in [
        ("writers", 8),
        ("readers", 10),
        ("lastzero", 8),
        ("floating", 6),
        ("fib", 4),
        ("philosophers", 6),
        ("lock", 5),
    ] {
        for algorithm in ["source", "optimal"] {
            let machine = families::machine(name, &[n]);
            let options = Options::new(Algorithm::parse(algorithm).unwrap()).keep_going(true);
            // A whole search to learn how many steps there are, then the first half of another as a warm-up.
            let mut whole = search(&machine, &options, Unobserved).unwrap();
            while whole.advance(1 << 20) == Status::Running {}
            let steps = whole.outcome().counts.steps;
            let mut search = search(&machine, &options, Unobserved).unwrap();
            search.advance(steps / 2);
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            while search.advance(1 << 20) == Status::Running {}
            let allocated = ALLOCATIONS.load(Ordering::Relaxed) - before;
            // Buffers may still double now and then; a step that allocates would do so thousands of times.
            assert!(
                allocated <= 32,
                "{name}({n}) {algorithm}: {allocated} allocations in the last {} steps",
                steps - steps / 2
            );
        }
    }
}
