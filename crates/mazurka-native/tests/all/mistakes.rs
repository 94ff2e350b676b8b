//! Mistakes that people make with orderings: the correct version is proven, the wrong one found, and what is said would mend it.

use crate::weak::Data;
use mazurka_native::sync::atomic::Ordering::{self, Acquire, Relaxed, Release, SeqCst};
use mazurka_native::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, fence};
use mazurka_native::sync::{Arc, Mutex};
use mazurka_native::{Check, hint, thread};
use std::ptr::null_mut;

/// The correct version passes. The wrong one fails, and this is what is said to make it impossible, without the names of files.
fn mended(correct: impl Fn() + 'static, wrong: impl Fn() + 'static) -> String {
    let checked = Check::new().model("rc11").run(correct);
    assert!(checked.report().starts_with("complete"), "{}", checked.report());
    let report = Check::new().model("rc11").run(wrong).report();
    assert!(report.starts_with("violation under rc11"), "{report}");
    let advice = report
        .lines()
        .find(|line| line.starts_with("   it cannot happen if"))
        .unwrap_or(&report);
    let mut out = String::new();
    for word in advice.split_whitespace() {
        if !word.contains(".rs:") && word != "at" {
            out += if out.is_empty() { "" } else { " " };
            out += word;
        }
    }
    out
}

fn spawn<S: Send + Sync + 'static>(shared: &Arc<S>, f: impl FnOnce(&S) + Send + 'static) -> thread::JoinHandle<()> {
    let shared = Arc::clone(shared);
    thread::spawn(move || f(&shared))
}

#[test]
fn a_seqlock_needs_its_fences() {
    fn seqlock(write: Option<Ordering>, read: Option<Ordering>) {
        let all = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0)));
        let writer = spawn(&all, move |(sequence, a, b)| {
            sequence.store(1, Relaxed);
            write.into_iter().for_each(fence);
            a.store(1, Relaxed);
            b.store(1, Relaxed);
            sequence.store(2, Release);
        });
        let (sequence, a, b) = &*all;
        let before = sequence.load(Acquire);
        let both = (a.load(Relaxed), b.load(Relaxed));
        read.into_iter().for_each(fence);
        if before % 2 == 0 && sequence.load(Relaxed) == before {
            assert_eq!(both.0, both.1, "torn");
        }
        writer.join().unwrap();
    }
    let advice = mended(|| seqlock(Some(Release), Some(Acquire)), || seqlock(Some(Release), None));
    assert_eq!(advice, "it cannot happen if the Relaxed is Acquire, and the Relaxed is Acquire");
    let advice = mended(|| seqlock(Some(Release), Some(Acquire)), || seqlock(None, Some(Acquire)));
    assert_eq!(advice, "it cannot happen if the Relaxed is Release, and the Relaxed is Release");
}

struct Node {
    value: Data,
    next: AtomicPtr<Node>,
}

fn node(value: usize) -> *mut Node {
    let data = Data::default();
    data.set(value);
    Box::into_raw(Box::new(Node {
        value: data,
        next: AtomicPtr::new(null_mut()),
    }))
}

#[test]
fn a_treiber_stack_publishes_its_nodes() {
    fn stack(push: Ordering) {
        let head = Arc::new(AtomicPtr::new(null_mut::<Node>()));
        let pushes = move |head: &AtomicPtr<Node>, value: usize| {
            let node = node(value);
            let mut first = head.load(Relaxed);
            loop {
                // SAFETY: nodes are never freed.
                unsafe { (*node).next.store(first, Relaxed) };
                match head.compare_exchange(first, node, push, Relaxed) {
                    Ok(_) => return,
                    Err(other) => first = other,
                }
            }
        };
        let one = spawn(&head, move |head| pushes(head, 1));
        let other = spawn(&head, move |head| pushes(head, 2));
        let first = head.load(Acquire);
        if !first.is_null() {
            // SAFETY: nodes are never freed.
            let next = unsafe { (*first).next.load(Relaxed) };
            if head.compare_exchange(first, next, Acquire, Relaxed).is_ok() {
                // SAFETY: as above.
                assert_ne!(unsafe { (*first).value.get() }, 0);
            }
        }
        one.join().unwrap();
        other.join().unwrap();
    }
    assert_eq!(
        mended(|| stack(Release), || stack(Relaxed)),
        "it cannot happen if the Relaxed is Release"
    );
}

#[test]
fn a_michael_scott_queue_publishes_its_nodes() {
    fn queue(link: Ordering) {
        let first = node(0);
        let queue = Arc::new((AtomicPtr::new(first), AtomicPtr::new(first)));
        let enqueue = move |(_, tail): &(AtomicPtr<Node>, AtomicPtr<Node>), value: usize| {
            let node = node(value);
            loop {
                let last = tail.load(Acquire);
                // SAFETY: nodes are never freed.
                let next = unsafe { &(*last).next };
                match next.compare_exchange(null_mut(), node, link, Acquire) {
                    Ok(_) => {
                        let _ = tail.compare_exchange(last, node, Release, Relaxed);
                        return;
                    }
                    Err(other) => drop(tail.compare_exchange(last, other, Release, Relaxed)),
                }
            }
        };
        let producer = spawn(&queue, move |queue| enqueue(queue, 1));
        let (head, _) = &*queue;
        let before = head.load(Acquire);
        // SAFETY: nodes are never freed.
        let next = unsafe { (*before).next.load(Acquire) };
        if !next.is_null() && head.compare_exchange(before, next, Release, Relaxed).is_ok() {
            // SAFETY: as above.
            assert_eq!(unsafe { (*next).value.get() }, 1);
        }
        producer.join().unwrap();
    }
    assert_eq!(
        mended(|| queue(Release), || queue(Relaxed)),
        "it cannot happen if the Relaxed is Release"
    );
}

#[test]
fn the_last_owner_sees_what_the_others_did() {
    fn count(decrement: Ordering) {
        let all = Arc::new((AtomicUsize::new(2), Data::default()));
        let release = move |(count, data): &(AtomicUsize, Data)| {
            data.get();
            if count.fetch_sub(1, decrement) == 1 {
                fence(Acquire);
                data.set(1);
            }
        };
        let other = spawn(&all, release);
        release(&all);
        other.join().unwrap();
    }
    assert_eq!(
        mended(|| count(Release), || count(Relaxed)),
        "it cannot happen if the Relaxed is Release"
    );
}

#[test]
fn a_ring_buffer_publishes_its_items() {
    fn ring(publish: Ordering) {
        let all = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0), [Data::default(), Data::default()]));
        let producer = spawn(&all, move |(head, tail, items)| {
            for value in 1..=3 {
                let end = tail.load(Relaxed);
                if end - head.load(Acquire) < 2 {
                    items[end % 2].set(value);
                    tail.store(end + 1, publish);
                }
            }
        });
        let (head, tail, items) = &*all;
        for _ in 0..2 {
            let begin = head.load(Relaxed);
            if begin < tail.load(Acquire) {
                assert_eq!(items[begin % 2].get(), begin + 1);
                head.store(begin + 1, Release);
            }
        }
        producer.join().unwrap();
    }
    assert_eq!(
        mended(|| ring(Release), || ring(Relaxed)),
        "it cannot happen if the Relaxed is Release"
    );
}

#[test]
fn double_checked_initialisation_acquires() {
    fn twice(check: Ordering) {
        let all = Arc::new((AtomicBool::new(false), Mutex::new(()), Data::default()));
        let get = move |(done, lock, data): &(AtomicBool, Mutex<()>, Data)| {
            if !done.load(check) {
                let _guard = lock.lock().unwrap();
                if !done.load(Relaxed) {
                    data.set(42);
                    done.store(true, Release);
                }
            }
            assert_eq!(data.get(), 42);
        };
        let other = spawn(&all, get);
        get(&all);
        other.join().unwrap();
    }
    assert_eq!(
        mended(|| twice(Acquire), || twice(Relaxed)),
        "it cannot happen if the Relaxed is Acquire"
    );
}

#[test]
fn a_spin_lock_releases() {
    fn lock(unlock: Ordering) {
        let all = Arc::new((AtomicBool::new(false), Data::default()));
        let add = move |(locked, data): &(AtomicBool, Data)| {
            while locked.swap(true, Acquire) {
                hint::spin_loop();
            }
            data.set(data.get() + 1);
            locked.store(false, unlock);
        };
        let other = spawn(&all, add);
        add(&all);
        other.join().unwrap();
        assert_eq!(all.1.get(), 2);
    }
    assert_eq!(
        mended(|| lock(Release), || lock(Relaxed)),
        "it cannot happen if the Relaxed is Release"
    );
}

#[test]
fn what_is_read_without_a_lock_is_published() {
    fn publish(store: Ordering) {
        let current = Arc::new(AtomicPtr::new(node(1)));
        let reader = spawn(&current, |current| {
            // SAFETY: nodes are never freed.
            assert_ne!(unsafe { (*current.load(Acquire)).value.get() }, 0);
        });
        current.store(node(2), store);
        reader.join().unwrap();
    }
    assert_eq!(
        mended(|| publish(Release), || publish(Relaxed)),
        "it cannot happen if the Relaxed is Release"
    );
}

#[test]
fn dekker_needs_sequentially_consistent_fences() {
    fn dekker(between: Ordering) {
        let all = Arc::new(([AtomicBool::new(false), AtomicBool::new(false)], Data::default()));
        let enter = move |me: usize| {
            move |(flags, data): &([AtomicBool; 2], Data)| {
                flags[me].store(true, Relaxed);
                fence(between);
                if !flags[1 - me].load(Relaxed) {
                    data.set(me);
                }
            }
        };
        let other = spawn(&all, enter(1));
        enter(0)(&all);
        other.join().unwrap();
    }
    assert_eq!(
        mended(|| dekker(SeqCst), || dekker(Ordering::AcqRel)),
        "it cannot happen if the AcqRel is SeqCst"
    );
}

/// The deque of Chase and Lev as Lê, Pop, Cohen and Zappa Nardelli translated it to C11 (PPoPP 2013). The pointer to a larger array was stored relaxed, which
/// Norris and Demsky found with CDSChecker.
#[test]
fn a_chase_lev_deque_publishes_its_larger_array() {
    fn deque(grow: Ordering) {
        struct Deque {
            top: AtomicUsize,
            bottom: AtomicUsize,
            array: AtomicPtr<Vec<AtomicUsize>>,
        }
        let array = |size: usize| Box::into_raw(Box::new((0..size).map(|_| AtomicUsize::new(0)).collect::<Vec<_>>()));
        let deque = Arc::new(Deque {
            top: AtomicUsize::new(0),
            bottom: AtomicUsize::new(0),
            array: AtomicPtr::new(array(1)),
        });
        let thief = spawn(&deque, |deque| {
            let top = deque.top.load(Acquire);
            fence(SeqCst);
            if top < deque.bottom.load(Acquire) {
                // SAFETY: arrays are never freed.
                let array = unsafe { &*deque.array.load(Acquire) };
                let item = array[top % array.len()].load(Relaxed);
                if deque.top.compare_exchange(top, top + 1, SeqCst, Relaxed).is_ok() {
                    assert_ne!(item, 0, "an item that was never pushed");
                }
            }
        });
        for value in 1..=2 {
            let (bottom, top) = (deque.bottom.load(Relaxed), deque.top.load(Acquire));
            // SAFETY: arrays are never freed.
            let mut items = unsafe { &*deque.array.load(Relaxed) };
            if bottom - top == items.len() {
                let larger = array(2 * items.len());
                // SAFETY: as above.
                let copy = unsafe { &*larger };
                for at in top..bottom {
                    copy[at % copy.len()].store(items[at % items.len()].load(Relaxed), Relaxed);
                }
                deque.array.store(larger, grow);
                items = copy;
            }
            items[bottom % items.len()].store(value, Relaxed);
            fence(Release);
            deque.bottom.store(bottom + 1, Relaxed);
        }
        thief.join().unwrap();
    }
    assert_eq!(
        mended(|| deque(Release), || deque(Relaxed)),
        "it cannot happen if the Relaxed is Release"
    );
}
