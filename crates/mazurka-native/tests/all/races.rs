//! Data races are found from the orderings that the code declares, and nothing that is ordered is taken for one.

use mazurka_core::FailureKind;
use mazurka_native::cell::{Cell, UnsafeCell};
use mazurka_native::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering, fence};
use mazurka_native::sync::mpsc::{channel, sync_channel};
use mazurka_native::sync::{Arc, Barrier, Condvar, Mutex, OnceLock, RwLock};
use mazurka_native::{Check, Checked, thread};
use std::ptr::null_mut;

/// Plain data that is shared whatever may come.
struct Plain<T>(UnsafeCell<T>);

// SAFETY: that this does not hold is what the tests are about; in a check, threads take turns.
unsafe impl<T> Sync for Plain<T> {}
// SAFETY: as above.
unsafe impl<T> Send for Plain<T> {}

impl<T: Copy> Plain<T> {
    const fn new(value: T) -> Self {
        Plain(UnsafeCell::new(value))
    }

    #[track_caller]
    fn get(&self) -> T {
        // SAFETY: as above.
        self.0.with(|value| unsafe { *value })
    }

    #[track_caller]
    fn set(&self, new: T) {
        // SAFETY: as above.
        self.0.with_mut(|value| unsafe { *value = new });
    }
}

fn run(f: impl Fn() + 'static) -> Checked {
    Check::new().run(f)
}

#[track_caller]
fn races(f: impl Fn() + 'static) {
    let checked = run(f);
    let kinds: Vec<FailureKind> = checked.failures().map(|f| f.kind).collect();
    assert_eq!(kinds, [FailureKind::DataRace], "{}", checked.report());
}

#[track_caller]
fn ordered(f: impl Fn() + 'static) -> u64 {
    let checked = run(f);
    let report = checked.report();
    assert!(report.starts_with("complete"), "{report}");
    checked.executions()
}

/// A value is written, and then a flag is set; who sees the flag reads the value.
fn publication(set: Ordering, look: Ordering) -> impl Fn() {
    move || {
        let shared = Arc::new((Plain::new(0), AtomicBool::new(false)));
        let theirs = Arc::clone(&shared);
        let writer = thread::spawn(move || {
            theirs.0.set(1);
            theirs.1.store(true, set);
        });
        if shared.1.load(look) {
            assert_eq!(shared.0.get(), 1);
        }
        writer.join().unwrap();
        assert_eq!(shared.0.get(), 1);
    }
}

#[test]
fn what_was_released_and_acquired_is_ordered() {
    assert_eq!(ordered(publication(Ordering::Release, Ordering::Acquire)), 2);
    ordered(publication(Ordering::SeqCst, Ordering::SeqCst));
}

#[test]
fn a_relaxed_store_or_load_orders_nothing() {
    races(publication(Ordering::Relaxed, Ordering::Acquire));
    races(publication(Ordering::Release, Ordering::Relaxed));
    races(publication(Ordering::Relaxed, Ordering::Relaxed));
}

#[test]
fn a_race_is_shown_with_both_places_and_what_would_order_them() {
    insta::assert_snapshot!(run(publication(Ordering::Relaxed, Ordering::Acquire)).report());
}

#[test]
fn a_race_is_found_again_by_its_schedule() {
    let shown = Check::new().replay(publication(Ordering::Release, Ordering::Relaxed), "0.0 0");
    assert!(shown.contains("data race"), "{shown}");
}

#[test]
fn two_writes_without_anything_between_them_race_in_the_only_execution() {
    races(|| {
        let data = Arc::new(Plain::new(0));
        let theirs = Arc::clone(&data);
        let other = thread::spawn(move || theirs.set(1));
        data.set(2);
        other.join().unwrap();
    });
}

#[test]
fn readers_do_not_race_and_need_no_more_executions() {
    let executions = ordered(|| {
        let data = Arc::new(Plain::new(7));
        let readers: Vec<_> = (0..3)
            .map(|_| {
                let data = Arc::clone(&data);
                thread::spawn(move || assert_eq!(data.get(), 7))
            })
            .collect();
        readers.into_iter().for_each(|r| r.join().unwrap());
        data.set(8);
    });
    assert_eq!(executions, 1);
}

#[test]
fn fences_order_what_relaxed_operations_carry() {
    let with = |release: bool, acquire: bool| {
        move || {
            let shared = Arc::new((Plain::new(0), AtomicBool::new(false)));
            let theirs = Arc::clone(&shared);
            let writer = thread::spawn(move || {
                theirs.0.set(1);
                if release {
                    fence(Ordering::Release);
                }
                theirs.1.store(true, Ordering::Relaxed);
            });
            if shared.1.load(Ordering::Relaxed) {
                if acquire {
                    fence(Ordering::Acquire);
                }
                shared.0.get();
            }
            writer.join().unwrap();
        }
    };
    ordered(with(true, true));
    races(with(false, true));
    races(with(true, false));
}

/// What a third thread does to the flag after the writer has released it.
fn sequence(between: fn(&AtomicUsize)) -> impl Fn() {
    move || {
        let shared = Arc::new((Plain::new(0), AtomicUsize::new(0)));
        let (first, second) = (Arc::clone(&shared), Arc::clone(&shared));
        let writer = thread::spawn(move || {
            first.0.set(1);
            first.1.store(1, Ordering::Release);
        });
        let other = thread::spawn(move || {
            if second.1.load(Ordering::Relaxed) == 1 {
                between(&second.1);
            }
        });
        if shared.1.load(Ordering::Acquire) == 2 {
            shared.0.get();
        }
        writer.join().unwrap();
        other.join().unwrap();
    }
}

#[test]
fn a_release_sequence_goes_on_through_updates_and_ends_with_a_store() {
    ordered(sequence(|flag| {
        flag.fetch_add(1, Ordering::Relaxed);
    }));
    races(sequence(|flag| flag.store(2, Ordering::Relaxed)));
    races(sequence(|flag| flag.store(2, Ordering::Release)));
}

#[test]
fn a_failed_exchange_acquires_by_its_second_ordering() {
    let with = |failure: Ordering| {
        move || {
            let shared = Arc::new((Plain::new(0), AtomicUsize::new(0)));
            let theirs = Arc::clone(&shared);
            let writer = thread::spawn(move || {
                theirs.0.set(1);
                theirs.1.store(1, Ordering::Release);
            });
            if shared.1.compare_exchange(0, 0, Ordering::AcqRel, failure).is_err() {
                shared.0.get();
            }
            writer.join().unwrap();
        }
    };
    ordered(with(Ordering::Acquire));
    races(with(Ordering::Relaxed));
}

#[test]
fn locks_order_and_readers_of_a_lock_do_not() {
    ordered(|| {
        let shared = Arc::new((Mutex::new(()), Plain::new(0)));
        let theirs = Arc::clone(&shared);
        let other = thread::spawn(move || {
            let _guard = theirs.0.lock().unwrap();
            theirs.1.set(1);
        });
        {
            let _guard = shared.0.lock().unwrap();
            shared.1.set(2);
        }
        other.join().unwrap();
    });
    let with = |both_write: bool| {
        move || {
            let shared = Arc::new((RwLock::new(()), Plain::new(0)));
            let theirs = Arc::clone(&shared);
            let other = thread::spawn(move || {
                let _guard = theirs.0.read().unwrap();
                theirs.1.set(1);
            });
            if both_write {
                let _guard = shared.0.read().unwrap();
                shared.1.set(2);
            } else {
                let _guard = shared.0.write().unwrap();
                shared.1.set(2);
            }
            other.join().unwrap();
        }
    };
    races(with(true));
    ordered(with(false));
}

#[test]
fn what_is_under_a_lock_races_with_what_is_not() {
    races(|| {
        let shared = Arc::new((Mutex::new(()), Plain::new(0)));
        let theirs = Arc::clone(&shared);
        let other = thread::spawn(move || {
            let _guard = theirs.0.lock().unwrap();
            theirs.1.set(1);
        });
        shared.1.set(2);
        drop(shared.0.lock());
        other.join().unwrap();
    });
}

#[test]
fn messages_carry_what_was_done_before_they_were_sent() {
    let with = |late: bool| {
        move || {
            let data = Arc::new(Plain::new(0));
            let theirs = Arc::clone(&data);
            let (sender, receiver) = channel();
            let other = thread::spawn(move || {
                theirs.set(1);
                sender.send(()).unwrap();
                if late {
                    theirs.set(2);
                }
            });
            receiver.recv().unwrap();
            data.get();
            other.join().unwrap();
        }
    };
    ordered(with(false));
    races(with(true));
}

#[test]
fn who_finds_that_all_senders_are_gone_comes_after_them() {
    ordered(|| {
        let data = Arc::new(Plain::new(0));
        let theirs = Arc::clone(&data);
        let (sender, receiver) = channel::<()>();
        let other = thread::spawn(move || {
            theirs.set(1);
            drop(sender);
        });
        receiver.recv().unwrap_err();
        data.set(2);
        other.join().unwrap();
    });
}

#[test]
fn who_has_room_again_comes_after_who_received() {
    ordered(|| {
        let data = Arc::new(Plain::new(0));
        let theirs = Arc::clone(&data);
        let (sender, receiver) = sync_channel(1);
        let other = thread::spawn(move || {
            sender.send(()).unwrap();
            sender.send(()).unwrap();
            theirs.set(1);
        });
        data.set(2);
        receiver.recv().unwrap();
        receiver.recv().unwrap();
        other.join().unwrap();
    });
}

#[test]
fn parking_barriers_and_initialisation_order() {
    ordered(|| {
        let data = Arc::new((Plain::new(0), Plain::new(0), Barrier::new(2), OnceLock::new()));
        let theirs = Arc::clone(&data);
        let main = thread::current();
        let other = thread::spawn(move || {
            theirs.0.set(1);
            main.unpark();
            theirs.1.set(1);
            theirs.2.wait();
            theirs.3.get_or_init(|| theirs.1.get());
        });
        thread::park();
        data.0.set(2);
        data.2.wait();
        assert_eq!(data.1.get(), 1);
        data.3.get_or_init(|| 1);
        other.join().unwrap();
    });
    races(|| {
        let data = Arc::new((Plain::new(0), OnceLock::new()));
        let theirs = Arc::clone(&data);
        let other = thread::spawn(move || {
            theirs.1.get_or_init(|| theirs.0.set(1));
            theirs.0.set(2);
        });
        if data.1.get().is_some() {
            data.0.get();
        }
        other.join().unwrap();
    });
}

#[test]
fn who_waits_for_an_initialisation_has_it() {
    let write = |data: &(Plain<u32>, OnceLock<()>)| *data.1.get_or_init(|| data.0.set(1));
    // The one that comes second waits, or finds it done.
    ordered(move || {
        let data = Arc::new((Plain::new(0), OnceLock::new()));
        let theirs = Arc::clone(&data);
        let other = thread::spawn(move || {
            write(&theirs);
            theirs.0.get();
        });
        write(&data);
        assert_eq!(data.0.get(), 1);
        other.join().unwrap();
    });
    ordered(move || {
        let data = Arc::new((Plain::new(0), OnceLock::new()));
        let theirs = Arc::clone(&data);
        let other = thread::spawn(move || write(&theirs));
        data.1.wait();
        assert_eq!(data.0.get(), 1);
        other.join().unwrap();
    });
}

#[test]
fn who_sees_that_a_thread_has_ended_has_heard_it() {
    ordered(|| {
        let data = Arc::new(Plain::new(0));
        let theirs = Arc::clone(&data);
        let other = thread::spawn(move || theirs.set(1));
        if other.is_finished() {
            data.set(2);
        }
        other.join().unwrap();
    });
}

#[test]
fn a_condition_variable_orders_by_its_mutex() {
    ordered(|| {
        let shared = Arc::new((Mutex::new(false), Condvar::new(), Plain::new(0)));
        let theirs = Arc::clone(&shared);
        let other = thread::spawn(move || {
            theirs.2.set(1);
            *theirs.0.lock().unwrap() = true;
            theirs.1.notify_one();
        });
        let ready = shared.0.lock().unwrap();
        drop(shared.1.wait_while(ready, |ready| !*ready).unwrap());
        shared.2.set(2);
        other.join().unwrap();
    });
}

#[test]
fn what_the_starting_thread_did_before_is_ordered_and_what_it_does_later_is_not() {
    let with = |late: bool| {
        move || {
            let data = Arc::new(Plain::new(0));
            let theirs = Arc::clone(&data);
            data.set(1);
            let other = thread::spawn(move || theirs.get());
            if late {
                data.set(2);
            }
            other.join().unwrap();
            data.set(3);
        }
    };
    ordered(with(false));
    races(with(true));
}

#[test]
fn memory_is_made_by_who_allocated_it() {
    let with = |publish: Ordering| {
        move || {
            let slot = Arc::new(AtomicPtr::<Plain<u32>>::new(null_mut()));
            let theirs = Arc::clone(&slot);
            let other = thread::spawn(move || {
                let new = Box::into_raw(Box::new(Plain::new(7)));
                theirs.store(new, publish);
            });
            let found = slot.load(Ordering::Acquire);
            if !found.is_null() {
                // SAFETY: it was allocated above, and is freed at the end only.
                assert_eq!(unsafe { (*found).get() }, 7);
            }
            other.join().unwrap();
            // SAFETY: nobody has it any more.
            drop(unsafe { Box::from_raw(slot.load(Ordering::Relaxed)) });
        }
    };
    ordered(with(Ordering::Release));
    races(with(Ordering::Relaxed));
}

/// Changes its data when it is dropped.
struct Noted(Arc<Plain<u32>>);

impl Drop for Noted {
    fn drop(&mut self) {
        self.0.set(1);
    }
}

#[test]
fn a_destructor_comes_after_all_who_had_a_reference() {
    ordered(|| {
        let data = Arc::new(Plain::new(0));
        let shared = Arc::new(Noted(Arc::clone(&data)));
        let theirs = Arc::clone(&shared);
        let other = thread::spawn(move || {
            theirs.0.get();
            drop(theirs);
        });
        shared.0.get();
        drop(shared);
        other.join().unwrap();
        data.get();
    });
}

#[test]
fn a_destructor_that_another_thread_might_have_run_is_not_ordered_before_what_follows() {
    races(|| {
        let data = Arc::new(Plain::new(0));
        let shared = Arc::new(Noted(Arc::clone(&data)));
        let other = thread::spawn({
            let theirs = Arc::clone(&shared);
            move || drop(theirs)
        });
        drop(shared);
        // Who drops last writes: if that is the other thread, nothing orders this after it.
        data.get();
        other.join().unwrap();
    });
}

#[test]
fn an_atomic_that_is_read_as_plain_data_races_with_who_changes_it() {
    let with = |joined: bool| {
        move || {
            let number = Arc::new(AtomicUsize::new(0));
            let theirs = Arc::clone(&number);
            let other = thread::spawn(move || theirs.store(1, Ordering::Release));
            let other = if joined {
                other.join().unwrap();
                None
            } else {
                Some(other)
            };
            // SAFETY: that is what the test is about.
            let _ = unsafe { number.unsync_load() };
            other.into_iter().for_each(|o| o.join().unwrap());
        }
    };
    ordered(with(true));
    races(with(false));
}

#[test]
fn accesses_that_last_over_steps_race_with_what_comes_in_between() {
    races(|| {
        let shared = Arc::new((Plain::new(0), AtomicBool::new(false)));
        let theirs = Arc::clone(&shared);
        let other = thread::spawn(move || {
            theirs.0.0.with_mut(|value| {
                theirs.1.store(true, Ordering::Release);
                // SAFETY: that is what the test is about.
                unsafe { *value = 1 };
            });
        });
        if shared.1.load(Ordering::Acquire) {
            shared.0.get();
        }
        other.join().unwrap();
    });
}

#[test]
fn cells_are_as_in_the_standard_library() {
    let (one, two) = (Cell::new(1), Cell::new(2));
    one.swap(&two);
    assert_eq!((one.get(), two.take(), two.replace(5), two.into_inner()), (2, 1, 0, 5));
    let mut cell = UnsafeCell::made_here(3);
    *cell.get_mut() += 1;
    assert_eq!(cell.into_inner(), 4);
}
