//! Random Promela models: the laws, every algorithm against brute force, and every shape.

use mazurka_core::Order;
use mazurka_laboratory::promela::{Promela, SHAPES, check, printed};
use mazurka_laboratory::{Budget, Campaign, campaign, enumerate};
use mazurka_promela::parse_text;

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
fn final_states_are_told_apart_by_what_is_printed() {
    for (text, ends) in [
        ("byte x; active proctype P0() { x = 1 } active proctype P1() { x = 2 }", 2),
        ("byte x; active proctype P0() { x = 1 } active proctype P1() { x = 1 }", 1),
        (
            "byte x; active proctype P0() { byte l = 0; l = x; end: false } active proctype P1() { x = 1 }",
            2,
        ),
        (
            "chan q = [2] of { byte }; active proctype P0() { q!1 } active proctype P1() { q!2 }",
            2,
        ),
        ("byte x; active proctype P0() { if :: x = 1; x == 2 :: x = 1; x == 3 fi }", 2),
    ] {
        let parsed = parse_text("model.pml", text, &[]);
        let promela = mazurka_promela::Promela::new(parsed.machine.expect(text), parsed.sources);
        let truth = enumerate(&promela, Budget::default(), printed).expect(text);
        assert_eq!(truth.outcomes.len(), ends, "{text}");
    }
}

#[test]
fn what_stands_where_no_process_comes_is_not_touched() {
    // The first of these sequences is kept because a label of it is asked about.
    let text = "chan h = [0] of { byte };
        chan u;
        active proctype P0() { skip }
        active proctype P1() {
            atomic { skip; h!0 };
            goto past;
            here: atomic { (P1@here); if :: u!0 :: past: (0) fi }
        }";
    assert_eq!(check(text, &[], Order::default()).err(), None);
}

#[test]
fn a_rendezvous_that_moves_the_other_process_to_as_many_alternatives_is_no_difference() {
    let text = "chan h = [0] of { byte };
        active proctype P0() { byte i; if :: (i) :: h?_; if :: skip :: skip fi fi }
        active proctype P1() { h!0 }";
    assert_eq!(check(text, &[], Order::default()).err(), None);
}
