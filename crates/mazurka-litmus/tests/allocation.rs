//! In the steady state the search allocates nothing per event, and a step of a program needs little memory.

use mazurka_core::{Algorithm, Options, Status, Unobserved, search};
use mazurka_litmus::{Machine, families};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
/// How many bytes are allocated at this time.
static BYTES: AtomicU64 = AtomicU64::new(0);
/// A test counts what the whole process allocates.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

// SAFETY: every call is handed on unchanged to the system allocator, which keeps the contract of `GlobalAlloc`; counting touches no
// memory that is allocated.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: `pointer` came from `alloc` above with the same layout, so from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn the_steady_state_allocates_nothing_per_event() {
    let _alone = ONE_AT_A_TIME.lock();
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

#[test]
fn a_step_takes_less_than_half_a_kilobyte() {
    let _alone = ONE_AT_A_TIME.lock();
    let steps = 20_000;
    let text = format!("p:{}", "[x=1]".repeat(steps));
    let before = BYTES.load(Ordering::Relaxed);
    let machine = Machine::parse(&text).unwrap();
    let bytes = BYTES.load(Ordering::Relaxed) - before;
    assert_eq!(machine.model().bodies()[0].steps.len(), steps);
    assert!(bytes < 512 * steps as u64, "{} bytes for a step", bytes / steps as u64);
}
