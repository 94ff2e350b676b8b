//! The queue that the workers of a parallel search share, from its source in `mazurka-core`, with the models of this crate for locks, atomics and
//! condition variables: no leaf is lost or run twice, nobody waits for ever, and nobody leaves while there is something to come.

use mazurka_native::{Check, thread};
use std::sync::Arc;

mod sync {
    pub(super) use mazurka_native::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    pub(super) use mazurka_native::sync::{Condvar, Mutex};
}

#[allow(dead_code, reason = "the search asks more of it")]
#[path = "../../../mazurka-core/src/explore/parallel/leaves.rs"]
mod queue;

use queue::Leaves;

/// Runs leaves until there are no more; each number is how many leaves are found from it. Returns how many it has run.
fn work(leaves: &Leaves<usize>, worker: usize) -> usize {
    let mut run = 0;
    while let Some(found) = leaves.take(worker) {
        run += 1;
        (0..found).for_each(|_| leaves.add(worker, 0));
        leaves.done();
    }
    run
}

#[test]
fn every_leaf_is_run_once_and_all_workers_come_to_an_end() {
    Check::new().run(|| {
        let leaves = Arc::new(Leaves::new(2, 1));
        let other = Arc::clone(&leaves);
        let other = thread::spawn(move || work(&other, 1));
        let run = work(&leaves, 0) + other.join().unwrap();
        assert_eq!(run, 2);
        assert!(leaves.all_done());
    });
}

#[test]
fn who_closes_sends_everybody_home() {
    Check::new().run(|| {
        let leaves = Arc::new(Leaves::new(2, 0));
        let other = Arc::clone(&leaves);
        let other = thread::spawn(move || other.take(1).map(|_| other.close()));
        // Who has taken a leaf never says that it is done.
        let taken = leaves.take(0).map(|_| leaves.close());
        assert_eq!(usize::from(taken.is_some()) + usize::from(other.join().unwrap().is_some()), 1);
    });
}
