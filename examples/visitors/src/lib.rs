//! Visitors of two doors are counted. Ordinary threads; nothing here knows of Mazurka but the attribute of the test.

use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread;

pub fn visitors() -> u32 {
    let count = AtomicU32::new(0);
    thread::scope(|doors| {
        for _ in 0..2 {
            doors.spawn(|| count.store(count.load(SeqCst) + 1, SeqCst));
        }
    });
    count.into_inner()
}

#[cfg(test)]
mod tests {
    #[mazurka::test]
    fn everybody_is_counted() {
        assert_eq!(super::visitors(), 2);
    }
}
