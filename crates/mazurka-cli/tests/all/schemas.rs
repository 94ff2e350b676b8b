//! JUnit and SARIF files against the published schemas (the folder `schemas`), for every verdict and front end.
//!
//! The XSD is checked by xmllint. Without it those tests are skipped with a notice; with CI=true that is a failure.

use crate::support::xml::{Element, parse};
use crate::support::{Desk, json_schema};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What is checked: its name, the command, its failures and errors as JUnit counts them.
const RUNS: &[(&str, &str, &str, &str)] = &[
    ("complete", "check litmus:readers", "0", "0"),
    ("a deadlock", "check litmus:philosophers", "1", "0"),
    (
        "incomplete",
        "check litmus:writers --set n=9 --algorithm optimal --max-executions 3",
        "0",
        "1",
    ),
    ("odd names and messages", "check odd&name.litmus", "1", "0"),
    ("several failures", "check bank.litmus --keep-going", "1", "0"),
    ("abs, an assertion", "check replicated-counter.abs", "1", "0"),
    ("abs, a deadlock", "check philosophers.abs", "1", "0"),
    ("promela, an assertion", "check peterson-broken.pml", "1", "0"),
    ("promela, a deadlock", "check rendezvous-deadlock.pml", "1", "0"),
    ("actors", "check actors:diningphil", "1", "0"),
    ("no minimising", "check philosophers.pml --no-minimise", "1", "0"),
];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("odd&name.litmus", "p0:[x=1]\np1:[assert x<1 \"<&>'\u{1F980}\"]\n");
    for file in [
        "examples/bank.litmus",
        "benchmarks/abs/replicated-counter.abs",
        "benchmarks/abs/philosophers.abs",
        "benchmarks/promela/peterson-broken.pml",
        "benchmarks/promela/rendezvous-deadlock.pml",
        "benchmarks/promela/philosophers.pml",
    ] {
        let path = here("../..").join(file);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{file}: {e}"));
        desk.write(path.file_name().and_then(|n| n.to_str()).unwrap(), &text);
    }
    desk
}

/// What xmllint says against the file, nothing if it is valid. `None` where there is no xmllint.
fn xsd_errors(file: &Path) -> Option<String> {
    let output = Command::new("xmllint")
        .args(["--noout", "--nonet", "--schema"])
        .arg(here("tests/all/schemas/junit-10.xsd"))
        .arg(file)
        .output();
    match output {
        Ok(output) if output.status.success() => Some(String::new()),
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(_) => {
            assert_ne!(
                std::env::var("CI").as_deref(),
                Ok("true"),
                "xmllint is missing, and in CI that is a failure"
            );
            eprintln!("NOTICE: skipped, xmllint (Debian: libxml2-utils) is not installed");
            None
        }
    }
}

/// The counts of a suite are those of its cases, which no schema can say.
fn counts_are_right(text: &str) -> Element {
    let root = parse(text).unwrap_or_else(|e| panic!("{e} in {text}"));
    root.visit(&mut |element| {
        if element.name == "testsuite" {
            let cases: Vec<&Element> = element.children.iter().filter(|c| c.name == "testcase").collect();
            let with = |name: &str| cases.iter().filter(|c| c.children.iter().any(|x| x.name == name)).count();
            let count = |name: &str| element.attribute(name).and_then(|n| n.parse::<usize>().ok());
            assert_eq!(count("tests"), Some(cases.len()));
            assert_eq!(count("failures"), Some(with("failure")));
            assert_eq!(count("errors"), Some(with("error")));
        }
    });
    root
}

#[test]
fn every_junit_file_is_valid_and_counts_right() {
    let desk = desk();
    for (name, line, failures, errors) in RUNS {
        desk.run(&format!("{line} --quiet --junit j.xml"));
        let root = counts_are_right(&desk.read("j.xml"));
        assert_eq!(root.attribute("failures"), Some(*failures), "{name}");
        assert_eq!(root.attribute("errors"), Some(*errors), "{name}");
        match xsd_errors(&desk.path("j.xml")) {
            Some(errors) => assert_eq!(errors, "", "{name}"),
            None => return,
        }
    }
}

#[test]
fn the_schema_refuses_a_damaged_junit_file() {
    let desk = desk();
    desk.run("check litmus:philosophers --quiet --junit j.xml");
    let good = desk.read("j.xml");
    for (from, to) in [
        ("classname=", "klassname="),
        ("</testcase>", ""),
        ("<property name", "<property nome"),
        (" time=\"", " time=\"about "),
        ("<system-out>", "<system-out><b/>"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(good, bad, "{from}");
        desk.write("bad.xml", &bad);
        let Some(errors) = xsd_errors(&desk.path("bad.xml")) else { return };
        assert_ne!(errors, "", "{from} → {to}");
    }
}

#[test]
fn junit_has_the_counterexample_in_its_failure() {
    let desk = desk();
    desk.run("check odd&name.litmus --quiet --junit j.xml");
    let mut found = String::new();
    counts_are_right(&desk.read("j.xml")).visit(&mut |e| {
        if e.name == "failure" {
            found.push_str(&e.text);
        }
    });
    assert!(found.contains("x: 0 → 1") && found.contains("race on x"), "{found}");
}

/// The published schema.
fn sarif_schema() -> Value {
    let text = std::fs::read_to_string(here("tests/all/schemas/sarif-2.1.0.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_sarif_log_is_valid() {
    let (desk, schema) = (desk(), sarif_schema());
    for (name, line, failures, _) in RUNS {
        desk.run(&format!("{line} --quiet --sarif s.sarif"));
        let log: Value = serde_json::from_str(&desk.read("s.sarif")).unwrap();
        assert_eq!(json_schema::errors(&schema, &log), [] as [String; 0], "{name}");
        let run = &log["runs"][0];
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.is_empty(), *failures == "0", "{name}");
        for result in results {
            // What the schema cannot say: the index and the name of a rule mean the same one.
            let rule = &run["tool"]["driver"]["rules"][usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
            assert_eq!(rule["id"], result["ruleId"], "{name}");
        }
    }
}

#[test]
fn the_schema_refuses_a_damaged_sarif_log() {
    let (desk, schema) = (desk(), sarif_schema());
    desk.run("check peterson-broken.pml --quiet --sarif s.sarif");
    let good = desk.read("s.sarif");
    for (from, to) in [
        ("\"2.1.0\"", "\"2.0.0\""),
        ("\"ruleIndex\": ", "\"ruleIndex\": -9"),
        ("\"startLine\": ", "\"startLine\": -"),
        ("\"threadFlows\"", "\"threads\""),
        ("\"level\": \"error\"", "\"level\": \"fatal\""),
        ("https://", "not an address: "),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(good, bad, "{from}");
        let log: Value = serde_json::from_str(&bad).unwrap();
        assert!(!json_schema::errors(&schema, &log).is_empty(), "{from} → {to}");
    }
}

#[test]
fn sarif_has_the_steps_as_a_code_flow() {
    let desk = Desk::new();
    desk.write("a b.litmus", "p0:[x=1]\np1:[assert x==0 \"x is still 0\"]\n");
    desk.run_words(&["check", "a b.litmus", "--quiet", "--sarif", "s.sarif"]);
    let log: Value = serde_json::from_str(&desk.read("s.sarif")).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "assertion");
    assert_eq!(
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "a%20b.litmus"
    );
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
    assert_eq!(steps.map(Vec::len), Some(2));
}
