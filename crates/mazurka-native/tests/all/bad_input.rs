//! Code that cannot be checked gets a message, not a hang or a wrong verdict.

use mazurka_native::sync::Arc;
use mazurka_native::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka_native::{Check, thread};
use std::time::Duration;

#[test]
#[should_panic(expected = "main has not come to its next operation for 200 ms since it began")]
fn code_that_blocks_in_std_is_given_up() {
    Check::new().stuck_after(Duration::from_millis(200)).run(|| {
        let mutex = std::sync::Mutex::new(());
        let _one = mutex.lock();
        let _other = mutex.lock();
    });
}

#[test]
#[should_panic(expected = "since the operation at crates/mazurka-native/tests/all/bad_input.rs:23:11: it waits for something")]
fn code_that_loops_without_an_operation_is_given_up() {
    Check::new().stuck_after(Duration::from_millis(200)).run(|| {
        let x = AtomicU32::new(0);
        x.store(1, SeqCst);
        loop {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
}

#[test]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn a_stack_that_overflows_is_a_failure_with_a_counterexample() {
    fn deeper(depth: u64, x: &AtomicU32) -> u64 {
        let place = std::hint::black_box([depth; 64]);
        if depth == u64::MAX {
            return u64::from(x.load(SeqCst));
        }
        deeper(depth + 1, x) + place[7]
    }
    // It does so in one of the two executions, and the check goes on with others.
    let overflows = Check::new().keep_going().run(|| {
        let x = Arc::new(AtomicU32::new(0));
        let theirs = Arc::clone(&x);
        let other = thread::spawn(move || {
            if theirs.load(SeqCst) == 1 {
                deeper(0, &theirs);
            }
        });
        x.store(1, SeqCst);
        let _ = other.join();
    });
    let messages: Vec<&str> = overflows.failures().map(|f| f.message.as_str()).collect();
    assert_eq!(
        messages,
        ["thread 1: the stack overflowed: 2048 KiB are not enough (`RUST_MIN_STACK` sets more), or the recursion does not end"]
    );
    assert_eq!(overflows.executions(), 2);
    assert!(overflows.report().contains("load AtomicU32 0"), "{}", overflows.report());
}
