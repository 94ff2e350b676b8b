//! The fuzzer notices deliberate errors within the budget that it has in CI: a comparison that could not fail would prove nothing.

use mazurka_core::{Algorithm, Mutation, Options, Order};
use mazurka_litmus::families::CORPUS;
use mazurka_litmus::{Machine, text};
use mazurka_oracle::litmus::{Litmus, check, mutate};
use mazurka_oracle::random::Numbers;
use mazurka_oracle::{Budget, Campaign, campaign, enumerate};

fn notices(mutation: Mutation, algorithm: &str) {
    let fuzz = Campaign {
        programs: 10_000,
        mutants: 10_000,
        seed: 3,
        algorithms: vec![Algorithm::parse(algorithm).unwrap()],
        threads: 1,
        ..Campaign::default()
    };
    let litmus = Litmus {
        mutation,
        ..Litmus::default()
    };
    assert!(
        !campaign::run(&litmus, &fuzz, |_| {}).findings.is_empty(),
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

/// On how many of the first mutants of a program an algorithm with that error differs from brute force, each in its own order.
fn noticed_on_mutants(name: &str, mutants: u64, mutation: Mutation, algorithm: &str) -> usize {
    let hard = CORPUS.iter().find(|c| c.name == name).unwrap();
    let hard = text::parse(hard.name, hard.text).unwrap();
    let differs = |number: &u64| {
        let machine = Machine::new(mutate(&mut Numbers::nth(3, *number), &hard)).unwrap();
        let small = Budget {
            prefixes: 4_000,
            depth: 60,
        };
        let Ok(truth) = enumerate(&machine, small, Machine::outcome) else {
            return false;
        };
        let options = Options {
            order: Order::Random(*number),
            keep_going: true,
            mutation,
            ..Options::new(Algorithm::parse(algorithm).unwrap())
        };
        check(&machine, &truth, &options).is_err()
    };
    (0..mutants).filter(differs).count()
}

/// Rare: about one in a thousand mutants of the program that was found for it.
#[test]
fn that_what_follows_a_skipped_step_is_forgotten_with_it() {
    for algorithm in ["source+context", "source+context:guided", "optimal+context"] {
        assert_eq!(noticed_on_mutants("C18", 4_000, Mutation::None, algorithm), 0, "{algorithm}");
        assert!(
            noticed_on_mutants("C18", 4_000, Mutation::ForgetSkipped, algorithm) > 0,
            "{algorithm}"
        );
    }
}
