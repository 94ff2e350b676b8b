//! The fuzzer notices deliberate errors within the budget that it has in CI: a comparison that could not fail would prove nothing.

use mazurka_core::{Algorithm, Mutation};
use mazurka_oracle::{FuzzOptions, fuzz};

fn notices(mutation: Mutation, algorithm: &str) {
    let options = FuzzOptions {
        programs: 10_000,
        mutants: 10_000,
        seed: 3,
        algorithms: vec![Algorithm::parse(algorithm).unwrap()],
        mutation,
        threads: 1,
        ..FuzzOptions::default()
    };
    assert!(
        !fuzz(&options, |_| {}).findings.is_empty(),
        "{mutation:?} in {algorithm} is not noticed"
    );
}

#[test]
fn that_blocked_steps_are_ignored() {
    notices(Mutation::IgnoreBlocked, "source");
    notices(Mutation::IgnoreBlocked, "optimal");
}

#[test]
fn that_nothing_is_put_to_sleep() {
    notices(Mutation::NoSleep, "source");
}

#[test]
fn that_sleep_sets_are_inherited_whole() {
    notices(Mutation::SleepUnfiltered, "source");
    notices(Mutation::SleepUnfiltered, "optimal");
}

#[test]
fn that_sequences_are_inserted_though_covered() {
    notices(Mutation::AlwaysInsert, "optimal");
}

#[test]
fn that_sequences_are_taken_to_be_covered_too_easily() {
    notices(Mutation::NeverInsertSleeping, "optimal");
}
