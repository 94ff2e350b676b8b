//! `--mode`, `--preemptions` and `--delays`: what is run instead of a complete search, and what is said of it.

use crate::support::Desk;
use serde_json::Value;

/// The object that `--json` prints.
fn json(desk: &Desk, line: &str) -> Value {
    let said = desk.run(&format!("{line} --json"));
    serde_json::from_str(&said.out).unwrap_or_else(|e| panic!("{line}: {e}\n{}{}", said.out, said.err))
}

#[test]
fn random_executions_never_make_a_verdict_complete() {
    let desk = Desk::new();
    for mode in ["random", "pct", "pct:5", "pos", "urw"] {
        let object = json(&desk, &format!("check litmus:writers --set n=3 --mode {mode} --budget 200"));
        assert_eq!(
            (&object["verdict"], &object["limit"]),
            (&"incomplete".into(), &"budget".into()),
            "{mode}"
        );
        assert_eq!(object["executions"], 200);
        let sample = &object["sample"];
        assert_eq!(
            (&sample["traces"]["seen"], &sample["final_states"]["seen"]),
            (&6.into(), &3.into()),
            "{mode}"
        );
    }
}

#[test]
fn a_sample_is_the_same_for_the_same_seed_and_can_be_continued() {
    let desk = Desk::new();
    let line = "check litmus:lastzero --set n=6 --mode pos --seed 5";
    let counts = |line: &str| {
        let object = json(&desk, line);
        (
            object["steps"].as_u64().unwrap(),
            object["sample"]["traces"]["seen"].as_u64().unwrap(),
        )
    };
    let all = counts(&format!("{line} --budget 300"));
    assert_eq!(all, counts(&format!("{line} --budget 300")));
    let (first, rest) = (
        counts(&format!("{line} --budget 100")),
        counts(&format!("{line} --budget 200 --from 100")),
    );
    assert_eq!(first.0 + rest.0, all.0, "the same executions in two runs");
}

#[test]
fn failures_of_random_executions_are_minimised_and_can_be_replayed() {
    let desk = Desk::new();
    let said = desk.run("check litmus:philosophers --set n=6 --mode urw");
    assert_eq!(said.code, 1, "{}", said.out);
    assert!(
        said.out.contains("violation: 1 deadlock in litmus:philosophers --set n=6"),
        "{}",
        said.out
    );
    let replayed = desk.run("replay litmus:philosophers philosophers.schedule.json --set n=6");
    assert_eq!(replayed.code, 1, "{}{}", replayed.out, replayed.err);
}

#[test]
fn the_first_bound_that_shows_a_failure_is_named() {
    let desk = Desk::new();
    // Two increments that are not atomic need one preemption.
    desk.write(
        "lost.litmus",
        "init x=0;\np0:[l=x][x=l+1][d0=1]\np1:[l=x][x=l+1][d1=1]\ncheck:[await d0==1 && d1==1][assert x==2]\n",
    );
    let none = json(&desk, "check lost.litmus --preemptions 0");
    assert_eq!((&none["verdict"], &none["limit"]), (&"incomplete".into(), &"preemptions".into()));
    let found = json(&desk, "check lost.litmus --preemptions ..3");
    assert_eq!((&found["verdict"], &found["bound"]["reached"]), (&"violation".into(), &1.into()));
    let said = desk.run("check lost.litmus --preemptions ..3");
    assert!(
        said.out.contains("found with at most 1 preemption; with fewer nothing fails"),
        "{}",
        said.out
    );
    let delayed = json(&desk, "check lost.litmus --delays ..9 --keep-going");
    assert_eq!(delayed["verdict"], "violation");
}

#[test]
fn verdicts_say_what_was_covered() {
    let desk = Desk::new();
    desk.write("endless.pml", "byte x; active proctype P() { do :: x = 1 - x od }\n");
    let mut seen = String::new();
    for line in [
        "check litmus:readers --mode random --budget 1000",
        "check litmus:lastzero --set n=8 --mode urw --budget 500 --seed 7",
        "check litmus:writers --set n=12 --mode pos --budget 100",
        "check actors:registry --mode pct --budget 300",
        "check endless.pml --mode random --budget 3 --max-depth 50",
        "check litmus:lastzero --set n=4 --preemptions 1",
        "check litmus:lastzero --set n=4 --preemptions 0",
        "check litmus:readers --preemptions 9",
        "check litmus:lastzero --set n=4 --delays 2",
        "check litmus:lastzero --set n=4 --delays ..1",
        "check litmus:lastzero --set n=4 --preemptions ..2 --max-executions 60",
    ] {
        let said = desk.run(line);
        seen.push_str(&format!("$ mazurka {line}\n{}\n", said.seen()));
    }
    insta::assert_snapshot!(seen);
}

#[test]
fn a_model_that_never_ends_is_not_followed_for_ever() {
    let desk = Desk::new();
    desk.write("endless.pml", "byte x; active proctype P() { do :: x = 1 - x od }\n");
    let said = desk.run("check endless.pml --preemptions 2");
    assert_eq!(said.code, 2, "{}", said.out);
    assert!(said.err.contains("has executions that never end"), "{}", said.err);
}
