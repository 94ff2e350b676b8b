//! Random Promela models: the laws, every algorithm against brute force, and every shape.

use mazurka_core::Order;
use mazurka_laboratory::promela::{Promela, SHAPES, check};
use mazurka_laboratory::{Campaign, campaign};

#[test]
fn random_models_show_no_difference_and_every_shape() {
    let plan = Campaign {
        programs: 1_000,
        seed: 2026,
        ..Campaign::default()
    };
    let report = campaign::run(&Promela, &plan, |_| {});
    assert_eq!(report.differences(), "");
    assert!(
        report.programs > 700,
        "{} models compared, {} too large",
        report.programs,
        report.skipped
    );
    let missing = report.shapes.missing(&SHAPES);
    assert!(missing.is_empty(), "no model has {missing:?}");
}

#[test]
fn a_rendezvous_that_moves_the_other_process_to_as_many_alternatives_is_no_difference() {
    let text = "chan h = [0] of { byte };
        active proctype P0() { byte i; if :: (i) :: h?_; if :: skip :: skip fi fi }
        active proctype P1() { h!0 }";
    assert_eq!(check(text, &[], Order::default()).err(), None);
}
