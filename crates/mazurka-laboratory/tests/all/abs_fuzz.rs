//! Random ABS models: every algorithm against the reference interpreter and brute force; the seed is fixed, so a failure reproduces.

use mazurka_abs::run::AwaitSemantics;
use mazurka_core::{Algorithm, Dependency, Order};
use mazurka_laboratory::abs::{Abs, Model, SHAPES, Setting, Size, prepare};
use mazurka_laboratory::{Campaign, campaign};

#[test]
fn every_algorithm_agrees_with_the_reference_on_random_models() {
    let fuzz = Campaign {
        programs: 400,
        seed: 11,
        // The tests run side by side.
        threads: 1,
        ..Campaign::default()
    };
    let report = campaign::run(&Abs, &fuzz, |_| {});
    assert!(report.findings.is_empty(), "{}", report.differences());
    assert!(report.programs >= 380, "too many models were too large: {report:?}");
    assert_eq!(report.shapes.missing(SHAPES), [""; 0], "shapes that no model had");
}

#[test]
fn every_algorithm_that_fits_tries_every_choice() {
    let model = Model::parse("module M; { Int v = random(3); assert v < 2; }").unwrap_or_else(|e| panic!("{e}"));
    let setting = Setting {
        dependency: Dependency::Actor,
        await_semantics: AwaitSemantics::Formal,
    };
    let size = Size {
        states: 100,
        prefixes: 100,
        interleavings: 100,
    };
    let prepared = prepare(&model, setting, size).unwrap_or_else(|unfit| panic!("{unfit:?}"));
    let fitting: Vec<Algorithm> = Algorithm::all().filter(|a| prepared.fits(*a)).collect();
    assert!(fitting.iter().any(|a| a.name() == "trans:basset"), "{fitting:?}");
    for algorithm in fitting {
        prepared.check(algorithm, Order::Fifo).unwrap_or_else(|what| panic!("{what}"));
    }
}
