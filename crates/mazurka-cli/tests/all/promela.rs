//! Promela models through the command: models that never end, and claims.

use crate::support::Desk;

const ENDLESS: &str = "byte x; active [2] proctype p() { do :: x = 1 - x; assert(x < 2) od }";
const CLAIMED: &str = "byte x; ltl safe { [] (x < 2) } init { x = 1; assert(x == 1) }";

#[test]
fn a_stateless_search_of_a_model_that_never_ends_needs_a_bound() {
    let desk = Desk::new();
    desk.write("endless.pml", ENDLESS);
    let said = desk.run("check endless.pml --algorithm optimal");
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("take `stateful+source`, or bound the search"), "{}", said.err);
    let said = desk.run("check endless.pml --algorithm optimal --max-depth 20");
    assert_eq!(said.code, 3, "{}", said.out);
    assert!(said.out.contains("incomplete: --max-depth ended the search"), "{}", said.out);
    assert_eq!(desk.run("check endless.pml").code, 0);
}

#[test]
fn claims_are_refused_or_left_out() {
    let desk = Desk::new();
    desk.write("claimed.pml", CLAIMED);
    let said = desk.run("check claimed.pml");
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("`--ignore-claims` checks the rest of the model"), "{}", said.err);
    let said = desk.run("check claimed.pml --ignore-claims");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("an `ltl` formula is not checked"), "{}", said.err);
}

#[test]
fn what_shortest_found_is_never_made_longer() {
    let desk = Desk::new();
    // Eleven steps with four switches, or thirteen with one.
    desk.write(
        "longer.pml",
        "byte n, x;\n\
         active proctype A() {\n\
         \x20 if :: n == 0 -> n = 1; (n == 2) -> n = 3; (n == 4) -> n = 5 :: n == 100 fi;\n\
         \x20 assert(false)\n}\n\
         active proctype B() {\n\
         \x20 if :: n == 1 -> n = 2; (n == 3) -> n = 4\n\
         \x20    :: x = 1; x = 2; x = 3; x = 4; x = 5; x = 6; x = 7; x = 8; x = 9; x = 10; n = 100 fi\n}\n",
    );
    let steps = |options: &str| {
        let json = desk.run(&format!("check longer.pml --json {options}")).json();
        json["failures"][0]["schedule"].as_array().unwrap().len()
    };
    assert_eq!(steps("--shortest --no-minimise"), 11);
    assert_eq!(steps("--shortest"), 11);
    assert_eq!(steps(""), 13, "otherwise fewer switches are worth two steps");
}

#[test]
fn a_stored_final_state_does_not_claim_to_know_how_it_was_reached() {
    let desk = Desk::new();
    desk.write("both.pml", "byte x; active proctype P() { if :: assert(false) :: skip fi }");
    let ends = |algorithm: &str| {
        let json = desk
            .run(&format!(
                "check both.pml --keep-going --final-states --json --algorithm {algorithm}"
            ))
            .json();
        let mut failed: Vec<bool> = (json["final_states"].as_array().unwrap().iter())
            .map(|s| s["failed"].as_bool().unwrap())
            .collect();
        failed.sort_unstable();
        (failed, json["notes"].to_string().contains("do not tell whether something failed"))
    };
    assert_eq!(ends("naive"), (vec![false, true], false));
    // SPIN's states, which are counted here, are the same after a failed assertion.
    assert_eq!(ends("stateful"), (vec![false], true));
}
