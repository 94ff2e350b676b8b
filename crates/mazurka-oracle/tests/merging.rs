//! Merging against brute force: every equality, with few cones and little memory, on random programs and on mutants of hard ones.
//! The seeds are fixed, so a failure reproduces.

use mazurka_oracle::{MergingFuzz, fuzz_merging};

fn clean(fuzz: &MergingFuzz) {
    let (comparisons, findings) = fuzz_merging(fuzz);
    assert!(findings.is_empty(), "{}", findings.join("\n"));
    assert!(comparisons >= (fuzz.programs + fuzz.mutants) * fuzz.variants.len() as u64 * 9 / 10);
}

#[test]
fn no_way_of_merging_misses_anything_on_random_programs() {
    clean(&MergingFuzz {
        programs: 20_000,
        mutants: 0,
        seed: 21,
        max_findings: 3,
        ..MergingFuzz::default()
    });
}

#[test]
fn no_way_of_merging_misses_anything_on_mutants_of_hard_programs() {
    clean(&MergingFuzz {
        programs: 0,
        mutants: 20_000,
        seed: 22,
        max_findings: 3,
        ..MergingFuzz::default()
    });
}
