//! Code that cannot be checked gets a message, not a hang or a wrong verdict.

use mazurka_native::Check;
use mazurka_native::sync::atomic::{AtomicU32, Ordering::SeqCst};
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
#[should_panic(expected = "since the operation at crates/mazurka-native/tests/all/bad_input.rs:22:11: it waits for something")]
fn code_that_loops_without_an_operation_is_given_up() {
    Check::new().stuck_after(Duration::from_millis(200)).run(|| {
        let x = AtomicU32::new(0);
        x.store(1, SeqCst);
        loop {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
}
