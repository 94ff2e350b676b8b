//! What is not given back is found, if that is asked for.

use mazurka_core::FailureKind;
use mazurka_native::sync::{Arc, Mutex};
use mazurka_native::{Check, thread};

/// Two who keep each other alive if the thread is fast enough.
fn cycle() {
    struct Node(Mutex<Option<Arc<Node>>>);
    let node = Arc::new(Node(Mutex::new(None)));
    let theirs = Arc::clone(&node);
    let other = thread::spawn(move || {
        let itself = Arc::clone(&theirs);
        *theirs.0.lock().unwrap() = Some(itself);
    });
    drop(node.0.lock().unwrap().take());
    other.join().unwrap();
}

#[test]
fn an_arc_that_nobody_drops_is_found_where_it_was_made() {
    let checked = Check::new().no_leaks().run(cycle);
    let failures: Vec<_> = checked.failures().collect();
    assert_eq!(failures.len(), 1, "{}", checked.report());
    assert_eq!(failures[0].kind, FailureKind::Leak);
    assert_eq!(failures[0].message, "this Arc is never dropped");
    assert_eq!(failures[0].at.as_ref().map(|at| at.line), Some(10));
}

#[test]
fn nobody_asks_for_leaks_by_default() {
    Check::new().assert_ok(cycle);
}

#[test]
fn arcs_that_are_dropped_in_whatever_way_are_no_leaks() {
    Check::new().no_leaks().no_detached_threads().assert_ok(|| {
        let shared = Arc::new(1);
        let weak = Arc::downgrade(&shared);
        let raw = Arc::into_raw(Arc::clone(&shared));
        let theirs = Arc::clone(&shared);
        let other = thread::spawn(move || *theirs);
        assert_eq!(other.join().unwrap(), 1);
        // SAFETY: it was made by `into_raw` above, and is used once.
        drop(unsafe { Arc::from_raw(raw) });
        assert_eq!(Arc::try_unwrap(shared), Ok(1));
        assert!(weak.upgrade().is_none());
        assert_eq!(Arc::into_inner(Arc::new(2)), Some(2));
    });
}

#[test]
fn a_thread_that_nobody_joins_is_found() {
    let detached = || drop(thread::spawn(|| ()));
    Check::new().no_leaks().assert_ok(detached);
    let checked = Check::new().no_detached_threads().run(detached);
    let messages: Vec<&str> = checked.failures().map(|f| f.message.as_str()).collect();
    assert_eq!(messages, ["thread 1 is never joined"]);
}
