//! What the page is told about programs that need more than a tree of executions.

use super::client::Served;
use serde_json::{Value, json};

const PETERSON: &str = include_str!("../../../src/serve/examples/peterson.pml");

fn checked(served: &Served, asked: &Value) -> Value {
    served.ask("check", asked).pop().expect("an answer")
}

#[test]
fn an_execution_without_end_is_shown_as_a_loop() {
    let served = Served::new();
    let seen = checked(&served, &json!({ "name": "peterson.pml", "text": PETERSON }));
    assert_eq!(seen["verdict"], "complete");
    let sample = &seen["report"]["samples"][0];
    let steps = sample["steps"].as_array().expect("steps");
    let repeats = sample["repeats"].as_u64().expect("where the loop begins");
    assert!(
        steps.len() < 50 && repeats < steps.len() as u64,
        "{} steps, from {repeats}",
        steps.len()
    );
    let moves = |who: &str| steps.iter().any(|step| step["process"] == who);
    assert!(moves("user 0") && moves("user 1"), "both take turns");
}

#[test]
fn every_final_state_has_an_execution_to_it_whatever_the_search_stores() {
    let served = Served::new();
    for algorithm in ["optimal", "source+merge", "stateful"] {
        let options = ["--set", "n=3", "--algorithm", algorithm, "--final-states"];
        let seen = checked(&served, &json!({ "name": "litmus:writers", "options": options }));
        let finals = seen["report"]["finals"].as_array().expect("final states");
        assert_eq!(finals.len(), 3, "{algorithm}: each writer may be the last");
        for (at, end) in finals.iter().enumerate() {
            assert_eq!(end["sample"], at, "{algorithm}");
            let sample = &seen["report"]["samples"][at];
            assert_eq!(sample["steps"].as_array().map(Vec::len), Some(3), "{algorithm}");
        }
    }
}

#[test]
fn a_comparison_says_what_it_leaves_out() {
    let served = Served::new();
    let text = format!("{PETERSON}\nltl turns {{ []<>(turn == 0) }}\n");
    let seen = served
        .ask("compare", &json!({ "name": "peterson.pml", "text": text }))
        .pop()
        .expect("an answer");
    assert_eq!(seen["without"], ", without its claim turns");
}
