//! Random programs in a check and beside it, with the real threads of `std`: whatever is seen there must be among what the check enumerates.
//!
//! The oracle of brute force shares the library with what it judges, so it cannot see where the library is not what `std` is. Here the same text,
//! [`interpreter`], is compiled against both. What one thread does alone must be the same to the letter.

mod checked;
mod program;
mod real;

use mazurka_native::Check;
use program::{Program, random};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// What every thread saw, in its order; what it saw first tells which one it is.
type Outcome = Vec<Vec<String>>;

/// What the check enumerates, unless that is too much, and whether threads may wait for ever.
fn enumerated(program: &Program) -> Option<(BTreeSet<Outcome>, bool)> {
    let outcomes: Rc<RefCell<BTreeSet<Outcome>>> = Rc::default();
    let (program, found) = (program.clone(), Rc::clone(&outcomes));
    let check = Check::new().allow_panics().ignore_deadlocks().max_executions(5_000);
    let checked = check.run(move || {
        let outcome = checked::interpreter::run(&program);
        found.borrow_mut().insert(outcome);
    });
    assert_eq!(checked.failures().next(), None, "{}", checked.report());
    let is_all = checked.outcome().limit.is_none();
    is_all.then(|| (outcomes.take(), checked.outcome().counts.deadlocks > 0))
}

/// What happens, unless that takes too long.
fn really(program: &Program) -> Option<Outcome> {
    let (give, outcome) = channel();
    let program = program.clone();
    std::thread::spawn(move || drop(give.send(real::interpreter::run(&program))));
    outcome.recv_timeout(Duration::from_secs(20)).ok()
}

struct Seen {
    compared: u32,
    outcomes: usize,
    possible: usize,
}

fn compare(seeds: std::ops::Range<u64>, threads: u64, runs: u32) -> Seen {
    let mut seen = Seen {
        compared: 0,
        outcomes: 0,
        possible: 0,
    };
    for seed in seeds {
        let program = random(seed, threads);
        let Some((possible, waits)) = enumerated(&program) else { continue };
        // What waits for ever would do so here, too.
        if waits {
            continue;
        }
        let mut met = BTreeSet::new();
        for _ in 0..runs {
            let outcome = really(&program).unwrap_or_else(|| panic!("seed {seed} waits for ever in reality: {program:?}"));
            assert!(
                possible.contains(&outcome),
                "seed {seed}: {program:?}\nreally {outcome:?}\nof {} possible, such as {:?}",
                possible.len(),
                possible.first()
            );
            met.insert(outcome);
        }
        seen.compared += 1;
        seen.outcomes += met.len();
        seen.possible += possible.len();
    }
    seen
}

fn budget(usual: u64) -> u64 {
    std::env::var("MAZURKA_BESIDE_STD").map_or(usual, |n| n.parse().expect("a number of programs"))
}

#[test]
fn one_thread_sees_what_it_sees_in_std() {
    let seen = compare(0..budget(2_000), 1, 1);
    assert_eq!(seen.outcomes, seen.possible, "one thread has one outcome");
    println!("{} programs", seen.compared);
    assert!(
        u64::from(seen.compared) > budget(2_000) / 3,
        "only {} of the programs end",
        seen.compared
    );
}

#[test]
fn real_threads_see_nothing_that_the_check_does_not() {
    let seen = compare(0..budget(150), 3, 15);
    println!("{} programs, {} outcomes met of {}", seen.compared, seen.outcomes, seen.possible);
    assert!(
        u64::from(seen.compared) > budget(150) / 4,
        "only {} of the programs end",
        seen.compared
    );
}
