//! Random programs as threads in Rust beside the same programs as the search is given them directly, where an oracle by definition has checked them: as many
//! graphs, the same outcomes, and data races in the same programs.

#[allow(dead_code, reason = "the other tests use more of it")]
#[path = "../../../../mazurka-weak/tests/all/random.rs"]
mod random;
#[allow(dead_code, reason = "the other tests use more of it")]
#[path = "../../../../mazurka-weak/tests/all/small.rs"]
mod small;

use crate::weak::Data;
use mazurka_native::sync::atomic::{AtomicUsize, Ordering, fence};
use mazurka_native::sync::{Arc, Mutex};
use mazurka_native::{Check, thread};
use mazurka_weak::Order;
use small::{Instruction as I, REGISTERS, Small, Thread};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

fn ordering(order: Order) -> Ordering {
    match order {
        Order::Plain => unreachable!("left out"),
        Order::Relaxed => Ordering::Relaxed,
        Order::Acquire => Ordering::Acquire,
        Order::Release => Ordering::Release,
        Order::AcqRel => Ordering::AcqRel,
        Order::SeqCst => Ordering::SeqCst,
    }
}

/// Whether it can be written as threads that do nothing else.
fn is_plain_rust(program: &Small) -> bool {
    let fits = |instruction: &I| !matches!(instruction, I::Await(..) | I::Join(_) | I::Assert(..));
    // A guard cannot be given back without having been got.
    let jumps_over_a_lock = |two: &[I]| matches!(two, [I::Unless(..), I::Lock(_) | I::Unlock(_)]);
    program.threads.iter().flatten().all(fits) && !program.threads.iter().any(|code| code.windows(2).any(jumps_over_a_lock))
}

/// In Rust a location is an atomic or it is not: this one is plain data, or none is.
fn sorted(mut program: Small, plain: Option<u32>) -> Small {
    for instruction in program.threads.iter_mut().flatten() {
        match instruction {
            I::Load(_, x, order) | I::Store(x, _, order) if Some(*x) == plain => *order = Order::Plain,
            I::Load(_, _, order) | I::Store(_, _, order) if *order == Order::Plain => *order = Order::Relaxed,
            I::Add(_, x, ..) | I::Exchange(_, x, ..) if Some(*x) == plain => *x = 0,
            _ => {}
        }
    }
    program
}

type Shared = ([AtomicUsize; 3], [Data; 3], Mutex<()>);

fn execute(code: &[I], (atomics, data, lock): &Shared) -> [u64; REGISTERS] {
    let mut state = Thread::default();
    let mut guard = None;
    while let Some(instruction) = state.settle(code) {
        let read = match instruction {
            I::Load(_, x, Order::Plain) => data[x as usize].get(),
            I::Store(x, value, Order::Plain) => {
                data[x as usize].set(state.value(value) as usize);
                0
            }
            I::Load(_, x, order) => atomics[x as usize].load(ordering(order)),
            I::Store(x, value, order) => {
                atomics[x as usize].store(state.value(value) as usize, ordering(order));
                0
            }
            I::Exchange(_, x, expected, new, success, failure) => atomics[x as usize]
                .compare_exchange(expected as usize, new as usize, ordering(success), ordering(failure))
                .unwrap_or_else(|other| other),
            I::Add(_, x, by, order) => atomics[x as usize].fetch_add(by as usize, ordering(order)),
            I::Fence(order) => {
                fence(ordering(order));
                0
            }
            I::Lock(_) => {
                guard = Some(lock.lock().unwrap());
                0
            }
            I::Unlock(_) => {
                guard = None;
                0
            }
            I::Await(..) | I::Join(_) | I::Unless(..) | I::Assert(..) => unreachable!("left out"),
        };
        state.took(instruction, read as u64);
    }
    // What is not unlocked stays locked.
    std::mem::forget(guard);
    state.registers
}

#[test]
fn random_programs_are_as_the_search_has_them() {
    let programs: u64 = std::env::var("PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(4_000);
    let seed: u64 = std::env::var("SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(7);
    let (mut compared, mut races) = (0, 0);
    for n in 0..programs {
        let plain = [None, Some(1)][n as usize % 2];
        let program = sorted(random::program(&mut random::Numbers::nth(seed, n)), plain);
        if !is_plain_rust(&program) {
            continue;
        }
        let model = ["rc11", "rc11", "rc11", "tso", "sc", "rc11"][n as usize % 6];
        let expected = small::search(&program, model);
        let seen: Rc<RefCell<BTreeSet<small::Outcome>>> = Rc::default();
        let (all, code) = (Rc::clone(&seen), program.clone());
        let checked = Check::new().model(model).ignore_deadlocks().keep_going().run(move || {
            let shared: Arc<Shared> = Arc::default();
            let threads: Vec<_> = code
                .threads
                .iter()
                .map(|code| {
                    let (shared, code) = (Arc::clone(&shared), code.clone());
                    thread::spawn(move || execute(&code, &shared))
                })
                .collect();
            let outcome = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
            all.borrow_mut().insert(outcome);
        });
        compared += 1;
        if expected.races {
            races += 1;
            assert!(
                checked.report().contains("data race"),
                "program {n} under {model} has none: {program:#?}"
            );
            continue;
        }
        assert!(
            checked.failures().next().is_none(),
            "program {n}: {}\n{program:#?}",
            checked.report()
        );
        assert_eq!(
            checked.executions(),
            expected.graphs.len() as u64,
            "program {n} under {model}: {program:#?}"
        );
        let outcomes: BTreeSet<_> = expected.graphs.values().map(|(_, outcome)| outcome.clone()).collect();
        assert!(seen.borrow().is_subset(&outcomes), "program {n} under {model}: {program:#?}");
        // Who waits for ever is never joined.
        let waits = program.threads.iter().flatten().any(|i| matches!(i, I::Lock(_)));
        assert!(
            waits || seen.borrow().len() == outcomes.len(),
            "program {n} under {model}: {program:#?}"
        );
    }
    assert!(races * 20 > programs, "too few programs have data races: {races}");
    assert!(compared * 3 > programs, "too few programs are plain Rust: {compared}");
}
