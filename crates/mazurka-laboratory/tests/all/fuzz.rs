//! Every algorithm against brute force on random programs and on mutants of hard ones; the seeds are fixed, so a failure reproduces.
//! Ways of merging have their own tests, with dynamic footprints too (`merging.rs`), and so have actors (`actors_fuzz.rs`).

use mazurka_laboratory::litmus::Litmus;
use mazurka_laboratory::{Campaign, campaign};

/// Each algorithm is compared on so many programs of each kind, in two orders.
const COMPARED: u64 = 15_000;

fn clean(programs: u64, mutants: u64, seed: u64) {
    let litmus = Litmus {
        dynamic: false,
        users: 0,
        ..Litmus::default()
    };
    let fuzz = Campaign {
        programs,
        mutants,
        seed,
        small: true,
        // The tests run side by side.
        threads: 1,
        ..Campaign::default()
    };
    let report = campaign::run(&litmus, &fuzz, |_| {});
    assert!(report.findings.is_empty(), "{}", report.differences());
    assert!(report.programs >= COMPARED, "too many programs were too large: {report:?}");
}

#[test]
fn no_algorithm_misses_or_repeats_anything_on_random_programs() {
    clean(17_600, 0, 7);
}

#[test]
fn no_algorithm_misses_or_repeats_anything_on_mutants_of_hard_programs() {
    clean(0, 18_300, 8);
}
