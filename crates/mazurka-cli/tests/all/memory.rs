//! `--memory` at one tenth of what a run wants: the same verdict and the same set of final states, at a cost that `--stats` tells.

use crate::support::Desk;
use std::collections::BTreeSet;
use std::path::Path;

/// Programs that fit into their memory with room to spare, but not into a tenth of it; where their files are; what merging can observe of them;
/// whether states are merged only if they are the same, not up to the names of tasks.
const PROGRAMS: &[(&str, Option<&str>, &[&str], bool)] = &[
    ("litmus:prodcons --set n=9", None, &["states", "finals", "outcomes"], true),
    ("litmus:FR --set n=6", None, &["states", "finals", "outcomes"], true),
    ("litmus:LW --set n=6", None, &["states", "finals", "outcomes"], true),
    ("litmus:tasks-fib --set n=7", None, &["states", "finals", "outcomes"], false),
    ("producer-consumer.abs --set n=5", Some("benchmarks/abs"), &["states"], true),
    ("last-write.abs", Some("benchmarks/abs"), &["states"], true),
];

/// In whatever order and however often they were met: what was forgotten is explored again.
fn final_states(result: &serde_json::Value) -> BTreeSet<String> {
    let states = result["final_states"].as_array().expect("a list of final states");
    let state = |s: &serde_json::Value| format!("{} {} {}", s["values"], s["deadlock"], s["failed"]);
    states.iter().map(state).collect()
}

#[test]
fn a_tenth_of_the_memory_gives_the_same_verdict_and_final_states() {
    let mut evicted = 0;
    for (program, dir, observes, by_name) in PROGRAMS {
        let desk = Desk::new();
        if let Some(dir) = dir {
            let name = program.split_whitespace().next().unwrap_or_default();
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(dir).join(name);
            let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            desk.write(name, &text);
        }
        for observe in *observes {
            let command =
                format!("check {program} --algorithm source+merge --observe {observe} --keep-going --final-states --stats --json");
            let free = desk.run(&command).json();
            let wanted = free["stats"]["store"]["most_bytes"].as_u64().expect("the bytes it wants");
            let tight = desk.run(&format!("{command} --memory {}B", (wanted / 10).max(1))).json();
            assert_eq!(free["verdict"], tight["verdict"], "{program} --observe {observe}");
            // Which of the states with the same outcome is met first is not a matter of the outcome, nor how many of them are met.
            if *observe != "outcomes" {
                let count = |result: &serde_json::Value| result["distinct_final_states"].as_u64();
                assert_eq!(count(&free), count(&tight), "{program} --observe {observe}");
                if *by_name {
                    assert_eq!(final_states(&free), final_states(&tight), "{program} --observe {observe}");
                }
            }
            evicted += tight["stats"]["store"]["evicted"].as_u64().expect("how many were forgotten");
            assert_eq!(free["stats"]["store"]["evicted"], 0, "{program}");
        }
    }
    assert!(
        evicted > 1000,
        "{evicted} states were forgotten, and explored again where they were met"
    );
}

#[test]
fn stats_tell_what_a_memory_limit_costs() {
    let desk = Desk::new();
    let said = desk.run("check litmus:prodcons --set n=7 --algorithm source+merge --stats --memory 30000B");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(
        said.out.contains("states forgotten to stay within the memory limit"),
        "{}",
        said.out
    );
    assert!(said.out.contains("states explored"), "{}", said.out);
}

/// A guard over many flags that are set independently has a cone for every set of them. A search that nobody asked for keeps few; so does one
/// that is told to, and finds the same.
#[test]
fn few_cones_lose_no_final_state() {
    let desk = Desk::new();
    let flags: Vec<String> = (0..8).map(|i| format!("p{i}:[f{i}=1]")).collect();
    let guard: Vec<String> = (0..8).map(|i| format!("f{i}==1")).collect();
    desk.write(
        "flags.litmus",
        &format!("{} q:[await {}; x=1] r:[x=2]", flags.join(" "), guard.join("&&")),
    );
    let command = "check flags.litmus --algorithm source+merge --final-states --stats --json";
    let free = desk.run(command).json();
    let tight = desk.run(&format!("{command} --cones 4")).json();
    assert_eq!((&free["verdict"], &tight["verdict"]), (&"complete".into(), &"complete".into()));
    assert_eq!(final_states(&free).len(), 2);
    assert_eq!(final_states(&free), final_states(&tight));
    let bytes = |result: &serde_json::Value| result["stats"]["store"]["most_bytes"].as_u64().expect("its bytes");
    let per_state = |result: &serde_json::Value| bytes(result) / result["stats"]["store"]["most_states"].as_u64().expect("its states");
    assert!(per_state(&tight) < per_state(&free), "{tight} {free}");

    let refused = desk.run("check flags.litmus --algorithm optimal --cones 4");
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("`optimal` does not merge; take an algorithm with +merge"),
        "{}",
        refused.err
    );
}
