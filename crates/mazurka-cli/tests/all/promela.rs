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
fn claims_are_checked_or_left_out() {
    let desk = Desk::new();
    desk.write("claimed.pml", CLAIMED);
    let said = desk.run("check claimed.pml");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("note: claim safe: holds, 4 states stored"), "{}", said.out);
    let said = desk.run("check claimed.pml --ignore-claims");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("claim safe is not checked"), "{}", said.err);
    let verdict = "complete: every interleaving of claimed.pml --ignore-claims is covered, nothing failed, without its claim safe";
    assert!(said.out.contains(verdict), "{}", said.out);
    let all = "check claimed.pml --ignore-claims --quiet --json --junit out.xml --sarif out.sarif";
    let json = desk.run(all).json();
    assert_eq!(json["unchecked"], serde_json::json!(["claim safe"]));
    let junit = desk.read("out.xml");
    assert!(
        junit.contains("name=\"claim safe\"") && junit.contains("<skipped message=\"not checked\"/>"),
        "{junit}"
    );
    assert!(desk.read("out.sarif").contains("not checked: claim safe"));
    let said = desk.run("compare claimed.pml --ignore-claims --algorithms stateful");
    assert!(said.out.contains("without its claim safe"), "{}", said.out);
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

/// One of two may wait for ever; nobody hinders the other.
const STARVES: &str = "bool wants, served; bit t;\n\
    active proctype busy() { do :: t = 1 - t od }\n\
    active proctype user() { wants = true; atomic { t == 1 -> served = true } }\n\
    ltl served { [] (wants -> <> served) }\n\
    ltl calm { [] (t < 2) }\n";

#[test]
fn a_lasso_is_shown_written_down_and_replayed() {
    let desk = Desk::new();
    desk.write("starves.pml", STARVES);
    let said = desk.run("check starves.pml --report out.html --junit out.xml --sarif out.sarif");
    assert_eq!(said.code, 1, "{}", said.err);
    for words in [
        "(an execution without end)",
        "from here on, for ever:",
        "claim served does not hold: steps ",
        "violation: 1 violated property in starves.pml",
        "note: claim calm: holds",
    ] {
        assert!(said.out.contains(words), "{words}\n{}", said.out);
    }
    assert!(desk.read("starves.schedule.json").contains("\"repeats\": "));
    let replayed = desk.run("replay starves.pml starves.schedule.json");
    assert_eq!(replayed.code, 1, "{}", replayed.err);
    assert!(replayed.out.contains("steps, exactly as recorded"), "{}", replayed.out);
    assert!(replayed.out.contains("from here on, for ever:"), "{}", replayed.out);
    assert!(desk.read("out.xml").contains("<failure type=\"violated property\""));
    assert!(desk.read("out.sarif").contains("violated property: claim served does not hold"));
    assert!(desk.read("out.html").contains("for ever"));
    let json = desk.run("check starves.pml --json").json();
    let failure = &json["failures"][0];
    let (repeats, steps) = (
        failure["repeats"].as_u64().unwrap(),
        failure["schedule"].as_array().unwrap().len() as u64,
    );
    assert_eq!(steps - repeats, 2, "{failure}");
    assert_eq!(json["failure_counts"]["violated property"], 1);
    // A loop that does not come back to where it began violates nothing.
    let text = desk
        .read("starves.schedule.json")
        .replace(&format!("\"repeats\": {repeats}"), "\"repeats\": 0");
    desk.write("open.schedule.json", &text);
    assert_eq!(desk.run("replay starves.pml open.schedule.json").code, 3);
    let ascii = desk.run("check starves.pml --ascii");
    assert!(ascii.out.contains("<-") && ascii.out.is_ascii(), "{}", ascii.out);
}

#[test]
fn claims_are_chosen_added_and_fairness_asked_for() {
    let desk = Desk::new();
    desk.write("starves.pml", STARVES);
    let said = desk.run("check starves.pml --claim calm");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        said.out.replace("\n   ", " ").contains("without its claim served and end states"),
        "{}",
        said.out
    );
    let said = desk.run("check starves.pml --claim clam");
    assert!(said.code == 2 && said.err.contains("the model has no claim `clam`"), "{}", said.err);
    let said = desk.run("check starves.pml --claim calm --ltl '<> served'");
    assert!(said.code == 1 && said.out.contains("claim asked does not hold"), "{}", said.out);
    // `user` can move again and again, but not all the time.
    assert_eq!(desk.run("check starves.pml --fair").code, 1);
    assert_eq!(desk.run("check starves.pml --claim calm --ltl '<> wants' --fair").code, 0);
    assert_eq!(desk.run("check starves.pml --claim calm --ltl '<> wants'").code, 1);
}

#[test]
fn what_cannot_be_had_for_claims_is_refused() {
    let desk = Desk::new();
    desk.write("starves.pml", STARVES);
    desk.write("plain.pml", ENDLESS);
    for (command, words) in [
        ("check starves.pml --verify", "there are no certificates for executions without end"),
        (
            "check starves.pml --certificate out",
            "there are no certificates for executions without end",
        ),
        ("check plain.pml --fair", "nothing is asked of those here"),
        (
            "check starves.pml --claim calm --algorithm optimal --max-depth 9",
            "a search that stores states",
        ),
        ("check starves.pml --claim calm --ignore-claims", "cannot be combined"),
        ("check litmus:sb --claim calm", "means nothing for"),
    ] {
        let said = desk.run(command);
        assert!(said.code == 2 && said.err.contains(words), "{command}: {}", said.err);
    }
    let said = desk.run("check starves.pml --mode random --budget 3 --max-depth 20");
    assert!(
        said.out.replace("\n   ", " ").contains("without its claim served and claim calm"),
        "{}",
        said.out
    );
    assert_eq!(desk.run("check starves.pml --max-executions 2").code, 3);
    assert!(desk.run("check plain.pml --livelock").code == 1);
}

#[test]
fn cycles_without_progress_are_looked_for_when_that_is_asked() {
    let desk = Desk::new();
    desk.write(
        "steps.pml",
        "bit x; active proctype p() { do :: x = 0; progress: x = 1 :: x = 1; x = 0 od }",
    );
    let said = desk.run("check steps.pml");
    assert!(
        said.code == 0 && said.out.replace("\n   ", " ").contains("without its progress labels"),
        "{}",
        said.out
    );
    let said = desk.run("check steps.pml --non-progress");
    assert!(
        said.code == 1 && said.out.contains("a cycle goes through no `progress` label"),
        "{}",
        said.out
    );
}

/// SPIN's verifier takes states that differ in a hidden variable for one, and finds neither.
#[test]
fn a_hidden_variable_that_is_read_hides_no_failure() {
    let desk = Desk::new();
    for (name, last) in [("assertion.pml", "assert(h == 1)"), ("deadlock.pml", "(h == 1)")] {
        desk.write(
            name,
            &format!("hidden byte h; active proctype P() {{ if :: h = 1 :: h = 2 fi; {last} }}"),
        );
        for algorithm in ["stateful", "stateful+source", "source+merge", "optimal"] {
            let said = desk.run(&format!("check {name} --algorithm {algorithm}"));
            assert_eq!(said.code, 1, "{algorithm}: {}", said.out);
        }
        assert_eq!(desk.run(&format!("check {name}")).code, 1);
    }
    // Two choices that end in different states only because the claim reads what they did.
    let claimed = "hidden byte h; ltl one { [] (h < 2) } active proctype P() { if :: h = 1 :: h = 2 fi }";
    desk.write("claimed.pml", claimed);
    assert_eq!(desk.run("check claimed.pml").code, 1);
}
