//! `optimal` loses, repeats and blocks nothing whatever the order in which branches are run and reversals handled; two variants that look
//! like it do.

use mazurka_laboratory::litmus::{Class, generate};
use mazurka_laboratory::order_free::{Variant, explore};
use mazurka_laboratory::random::Numbers;
use mazurka_laboratory::{Budget, Campaign, campaign, enumerate, languages};
use mazurka_litmus::Machine;

#[test]
fn each_trace_is_executed_once_in_any_order() {
    for language in languages() {
        let programs = match language.name() {
            "abs" => 400,
            "protocols" => 300,
            "litmus" => 2_000,
            _ => 1_500,
        };
        let plan = Campaign {
            programs,
            mutants: if language.name() == "litmus" { 1_000 } else { 0 },
            seed: 23,
            algorithms: Vec::new(),
            any_order: true,
            small: true,
            ..Campaign::default()
        };
        let report = campaign::run(&*language, &plan, |_| {});
        assert_eq!(report.differences(), "", "{}", language.name());
        assert!(report.comparisons > programs / 4, "{}: {}", language.name(), report.comparisons);
    }
}

/// How many of the programs lose a trace, or run something that they must not, in a few random orders.
fn wrong(variant: Variant) -> usize {
    let wrong = |number: &u64| {
        let mut numbers = Numbers::nth(5, *number);
        let model = generate(&mut numbers, Class::ALL[*number as usize % Class::ALL.len()]);
        let Ok(machine) = Machine::parse(&model.to_string()) else {
            return false;
        };
        let budget = Budget { prefixes: 400, depth: 60 };
        let Ok(truth) = enumerate(&machine, budget, Machine::outcome) else {
            return false;
        };
        (0..3).any(|seed| {
            explore(&machine, variant, seed, truth.traces.len() * 2)
                .is_none_or(|seen| seen.traces.len() != truth.traces.len() || seen.traces.values().any(|n| *n > 1))
        })
    };
    (0..300).filter(wrong).count()
}

#[test]
fn the_trees_and_what_was_started_are_needed() {
    assert_eq!(wrong(Variant::Right), 0);
    let (first_steps, forgetful) = (wrong(Variant::FirstSteps), wrong(Variant::ForgetStarted));
    assert!(first_steps > 10, "comparing first steps only goes wrong on {first_steps} programs");
    assert!(forgetful > 10, "forgetting what was started goes wrong on {forgetful} programs");
}
