//! The machine-readable outputs: JSON, events.

use crate::support::Desk;

#[test]
fn json_has_every_field_of_the_contract() {
    let said = Desk::new().run("check litmus:lastzero --set n=6 --algorithm optimal --final-states --json");
    assert_eq!(said.out.lines().count(), 1, "one object and nothing else");
    let json = said.json();
    let expected = [
        ("schema", serde_json::json!("mazurka/1")),
        ("program", "litmus:lastzero".into()),
        ("algorithm", "optimal".into()),
        ("order", "fifo".into()),
        ("dependency", "field".into()),
        ("verdict", "complete".into()),
        ("limit", serde_json::Value::Null),
        // lastzero(n) has (n + 3) · 2^(n - 2) traces.
        ("executions", 144.into()),
        ("blocked", 0.into()),
        ("cut", 0.into()),
        ("failures", serde_json::json!([])),
    ];
    for (field, value) in expected {
        assert_eq!(json[field], value, "{field}");
    }
    for field in ["steps", "states", "max_depth", "distinct_final_states", "elapsed_ms"] {
        assert!(json[field].is_u64(), "{field}: {}", json[field]);
    }
    assert_eq!(json["steps"].as_u64().map(|s| s + 1), json["states"].as_u64());
    if cfg!(target_os = "linux") {
        assert!(json["peak_memory_bytes"].as_u64().is_some_and(|b| b > 1 << 20));
    }
    let kinds = json["failure_counts"].as_object().unwrap();
    assert!(kinds.values().all(|n| n == 0) && kinds.contains_key("deadlock") && kinds.contains_key("assertion"));
}

#[test]
fn a_failure_in_json_has_its_schedule() {
    let json = Desk::new()
        .run("check litmus:philosophers --set n=2 --algorithm optimal --json")
        .json();
    insta::assert_snapshot!(serde_json::to_string_pretty(&json["failures"]).unwrap());
}

#[test]
fn events_begin_with_start_and_end_with_the_verdict() {
    let said = Desk::new().run("check litmus:philosophers --algorithm optimal --json-lines");
    let events: Vec<serde_json::Value> = said.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let names: Vec<&str> = events.iter().filter_map(|e| e["event"].as_str()).collect();
    assert_eq!(names, ["start", "failure", "verdict"]);
    assert_eq!(events[1]["failure"]["kind"], "deadlock");
    assert_eq!(events[2]["schema"], "mazurka/1");
    assert_eq!(events[2]["verdict"], "violation");
}

#[test]
fn long_runs_tell_their_progress_as_events() {
    let said = Desk::new().run("check litmus:writers --set n=12 --algorithm optimal --timeout 900ms --json-lines");
    let progress: Vec<serde_json::Value> = said
        .out
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap())
        .filter(|e| e["event"] == "progress")
        .collect();
    assert!(!progress.is_empty(), "{}", said.out);
    assert!(
        progress
            .iter()
            .all(|e| e["executions"].is_u64() && e["depth"].is_u64() && e["elapsed_ms"].is_u64())
    );
    assert_eq!(said.err, "", "silence on a pipe");
}

#[test]
fn compare_in_json_has_a_row_for_each_algorithm() {
    let json = Desk::new()
        .run("compare litmus:readers --set n=5 --algorithms naive,source,optimal,dpor+sleep --json")
        .json();
    assert_eq!(json["schema"], "mazurka/compare/1");
    let rows = json["algorithms"].as_array().unwrap();
    let executions: Vec<Option<u64>> = rows.iter().map(|r| r["executions"].as_u64()).collect();
    assert_eq!(executions, [Some(720), Some(32), Some(32), None]);
    assert!(rows[3]["refused"].as_str().unwrap().contains("one location"));
    assert_eq!(json["disagreements"].as_array().map(Vec::len), Some(0));
}

#[test]
fn compare_merges_as_much_as_what_is_observed_allows() {
    let merged = |options: &str| {
        let json = Desk::new()
            .run(&format!(
                "compare litmus:prodcons --set n=3 --algorithms source,source+merge --json{options}"
            ))
            .json();
        let rows = json["algorithms"].as_array().unwrap();
        assert_eq!(rows[0]["executions"], 20, "{options}");
        rows[1]["executions"].as_u64()
    };
    assert_eq!(merged(""), Some(8));
    assert_eq!(merged(" --observe states"), Some(8));
    assert_eq!(merged(" --observe failures"), Some(1));
}

#[test]
fn what_nobody_reads_any_more_is_merged_where_final_shared_values_are_not_observed() {
    let desk = Desk::new();
    desk.write("last.pml", "byte x; active [3] proctype P() { x = _pid }");
    desk.write(
        "last.abs",
        "module Last; interface I { Unit set(Int v); } class C implements I { Int x = 0; Unit set(Int v) { x = v; } }
         { I c = new C(); c!set(1); c!set(2); c!set(3); }",
    );
    for program in ["last.pml", "last.abs"] {
        let check = |observe: &str| {
            desk.run(&format!("check {program} --algorithm source+merge --observe {observe} --json"))
                .json()
        };
        for (observe, executions) in [("states", 3), ("finals", 3), ("outcomes", 1), ("failures", 1)] {
            let said = check(observe);
            assert_eq!(said["verdict"], "complete", "{program} --observe {observe}");
            assert_eq!(said["executions"], executions, "{program} --observe {observe}");
        }
        let said = desk
            .run(&format!("check {program} --algorithm source+merge --observe outcomes --width 400"))
            .out;
        assert!(said.contains("final shared values are not"), "{said}");
    }
}

#[test]
fn of_rust_actors_it_is_not_known_which_values_can_still_be_read() {
    for observe in ["outcomes", "failures"] {
        let said = Desk::new().run(&format!("check actors:fib --algorithm source+merge --observe {observe}"));
        assert_eq!(said.code, 2, "{}", said.out);
        assert!(
            said.err.contains("merging must know which values can still be read"),
            "{}",
            said.err
        );
        assert!(said.err.contains("leave out `--observe`"), "{}", said.err);
    }
}

#[test]
fn compare_shows_the_algorithms_side_by_side() {
    let said = Desk::new().run("compare litmus:readers --set n=4 --algorithms naive,dpor,source,optimal");
    let shape: Vec<String> = said
        .out
        .lines()
        .map(|l| {
            l.split("  ")
                .filter(|c| !c.is_empty() && !c.ends_with(" ms"))
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(" | ")
        })
        .collect();
    insta::assert_snapshot!(shape.join("\n"));
    assert_eq!(said.code, 0);
}
