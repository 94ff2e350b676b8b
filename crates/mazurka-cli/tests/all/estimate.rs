//! The estimate of the total is held against the truth, on programs whose first branches look like the rest and on programs whose do not.
//!
//! The searches run in slices of so many steps instead of so many milliseconds, so that every machine sees the same.

use mazurka_core::{Algorithm, Options, Status, Unobserved, search};
use mazurka_litmus::families::machine;
use mazurka_report::progress::Caution;

/// What was claimed on the way, as (least, most), the total, and how many times nothing was claimed.
fn claims(family: &str, n: i64, slice: u64) -> (Vec<(f64, f64)>, u64, usize) {
    let program = machine(family, &[n]);
    let mut search = search(&program, &Options::new(Algorithm::parse("optimal").unwrap()), Unobserved).unwrap();
    let (mut caution, mut claims, mut silent) = (Caution::default(), Vec::new(), 0);
    while search.advance(slice) == Status::Running {
        match caution.apply(&search.progress()).estimate {
            Some(e) => claims.push((e.total - e.deviation, e.total + e.deviation)),
            None => silent += 1,
        }
    }
    (claims, search.outcome().counts.executions, silent)
}

/// How often the truth is within what is claimed, "or more" left aside: most of the time, and less
/// where the last branches to be found are the largest.
#[test]
fn the_truth_is_never_below_what_is_claimed_and_mostly_not_above() {
    for (family, n, expected) in [
        ("writers", 8, 80),
        ("sb", 13, 80),
        ("incr", 5, 80),
        ("lastwrite", 7, 80),
        ("control-flow", 5, 80),
        ("readers", 13, 80),
        ("fib", 5, 80),
        ("lastzero", 11, 50),
    ] {
        for slice in [500, 3_000] {
            let (claims, total, _) = claims(family, n, slice);
            let total = total as f64;
            assert!(
                claims.iter().all(|(least, _)| *least <= total),
                "{family}({n}) in slices of {slice}: {claims:?}"
            );
            let within = claims.iter().filter(|(_, most)| total <= most * 1.000_001).count();
            assert!(
                within * 100 >= claims.len() * expected,
                "{family}({n}) in slices of {slice}: {within} of {}",
                claims.len()
            );
        }
    }
}

#[test]
fn a_regular_tree_is_known_early_and_ever_better() {
    let (claims, total, silent) = claims("writers", 8, 3_000);
    assert!(claims.len() > 20 && silent <= 8, "{} claims, {silent} times silent", claims.len());
    let width = |(least, most): &(f64, f64)| (most - least) / total as f64;
    assert!(width(&claims[0]) < 4.0, "{:?}", claims[0]);
    assert!(width(&claims[claims.len() - 2]) < 0.3, "{:?}", claims.last());
}
