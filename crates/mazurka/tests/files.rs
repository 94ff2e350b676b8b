//! The files that other tools read: JUnit, SARIF, DOT.

mod support;

use serde_json::Value;
use support::Desk;
use support::xml::{Element, parse};

/// What a JUnit consumer insists on (the schema of the Jenkins plugin): known elements with known attributes, counts that are right.
fn validate_junit(text: &str) -> Element {
    let root = parse(text).unwrap_or_else(|e| panic!("{e} in {text}"));
    assert_eq!(root.name, "testsuites");
    let allowed = |element: &Element| -> (&[&str], &[&str], &[&str]) {
        match element.name.as_str() {
            "testsuites" => (&[], &["name", "tests", "failures", "errors", "time"], &["testsuite"]),
            "testsuite" => (
                &["name", "tests"],
                &["name", "tests", "failures", "errors", "skipped", "time"],
                &["properties", "testcase", "system-out"],
            ),
            "properties" => (&[], &[], &["property"]),
            "property" => (&["name", "value"], &["name", "value"], &[]),
            "testcase" => (
                &["name", "classname"],
                &["name", "classname", "time"],
                &["failure", "error", "skipped", "system-out"],
            ),
            "failure" | "error" => (&["type", "message"], &["type", "message"], &[]),
            "system-out" => (&[], &[], &[]),
            other => panic!("unknown element {other}"),
        }
    };
    root.visit(&mut |element| {
        let (required, known, children) = allowed(element);
        for name in required {
            assert!(element.attribute(name).is_some(), "{} lacks {name}", element.name);
        }
        for (name, value) in &element.attributes {
            assert!(known.contains(&name.as_str()), "{} has {name}", element.name);
            if ["tests", "failures", "errors", "skipped"].contains(&name.as_str()) {
                assert!(value.parse::<u32>().is_ok(), "{name}={value}");
            }
            if name == "time" {
                assert!(value.parse::<f64>().is_ok(), "{name}={value}");
            }
        }
        for child in &element.children {
            assert!(children.contains(&child.name.as_str()), "{} in {}", child.name, element.name);
        }
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
fn junit_of_every_verdict_is_accepted() {
    let desk = Desk::new();
    for (line, failures, errors) in [
        ("check litmus:readers", "0", "0"),
        ("check litmus:philosophers", "1", "0"),
        ("check litmus:writers --set n=9 --algorithm optimal --max-executions 3", "0", "1"),
    ] {
        desk.run(&format!("{line} --quiet --junit j.xml"));
        let root = validate_junit(&desk.read("j.xml"));
        assert_eq!(root.attribute("failures"), Some(failures), "{line}");
        assert_eq!(root.attribute("errors"), Some(errors), "{line}");
    }
}

#[test]
fn junit_has_the_counterexample_in_its_failure() {
    let desk = Desk::new();
    desk.write("odd.litmus", "p0:[x=1]\np1:[assert x<1 \"<&>'\"]\n");
    desk.run("check odd.litmus --quiet --junit j.xml");
    let mut found = String::new();
    validate_junit(&desk.read("j.xml")).visit(&mut |e| {
        if e.name == "failure" {
            found.push_str(&e.text);
        }
    });
    assert!(found.contains("x: 0 → 1") && found.contains("race on x"), "{found}");
}

#[test]
fn a_damaged_junit_is_not_accepted() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --quiet --junit j.xml");
    let good = desk.read("j.xml");
    for (from, to) in [
        ("failures=\"1\"", "failures=\"2\""),
        ("classname=", "klassname="),
        ("</testcase>", ""),
    ] {
        let bad = good.replacen(from, to, 2);
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let refused = std::panic::catch_unwind(|| validate_junit(&bad)).is_err();
        std::panic::set_hook(hook);
        assert!(refused, "{from} → {to}");
    }
}

/// The parts of the SARIF 2.1.0 schema that we use: required properties, known properties, types and ranges.
fn validate_sarif(log: &Value) {
    let object = |value: &Value, at: &str, required: &[&str], known: &[&str]| {
        let map = value.as_object().unwrap_or_else(|| panic!("{at} is no object: {value}"));
        for name in required {
            assert!(map.contains_key(*name), "{at} lacks {name}");
        }
        for name in map.keys() {
            assert!(known.contains(&name.as_str()), "{at} has {name}");
        }
    };
    let message = |value: &Value, at: &str| {
        object(value, at, &["text"], &["text"]);
        assert!(value["text"].is_string(), "{at}");
    };
    let location = |value: &Value, at: &str| {
        object(value, at, &[], &["physicalLocation", "logicalLocations", "message"]);
        if let Some(m) = value.get("message") {
            message(m, at);
        }
        if let Some(physical) = value.get("physicalLocation") {
            object(physical, at, &["artifactLocation"], &["artifactLocation", "region"]);
            let uri = physical["artifactLocation"]["uri"].as_str().expect("a reference");
            assert!(!uri.contains(' ') && !uri.contains('\\'), "{uri}");
            for name in ["startLine", "startColumn"] {
                assert!(physical["region"][name].as_u64().is_some_and(|n| n >= 1), "{at}: {name}");
            }
        }
    };
    object(log, "log", &["version", "runs"], &["$schema", "version", "runs"]);
    assert_eq!(log["version"], "2.1.0");
    for run in log["runs"].as_array().expect("runs") {
        object(run, "run", &["tool"], &["tool", "invocations", "results", "columnKind"]);
        assert!(["utf16CodeUnits", "unicodeCodePoints"].contains(&run["columnKind"].as_str().unwrap()));
        let driver = &run["tool"]["driver"];
        object(driver, "driver", &["name"], &["name", "version", "informationUri", "rules"]);
        let rules = driver["rules"].as_array().unwrap();
        for rule in rules {
            object(rule, "rule", &["id"], &["id", "shortDescription", "defaultConfiguration"]);
            message(&rule["shortDescription"], "rule");
        }
        for invocation in run["invocations"].as_array().unwrap() {
            object(
                invocation,
                "invocation",
                &["executionSuccessful"],
                &["executionSuccessful", "exitCode"],
            );
        }
        for result in run["results"].as_array().expect("results") {
            let known = [
                "ruleId",
                "ruleIndex",
                "level",
                "message",
                "locations",
                "codeFlows",
                "partialFingerprints",
            ];
            object(result, "result", &["message"], &known);
            message(&result["message"], "result");
            let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
            for l in result["locations"].as_array().unwrap() {
                location(l, "location");
            }
            for flow in result["codeFlows"].as_array().into_iter().flatten() {
                let threads = flow["threadFlows"].as_array().expect("threadFlows");
                assert!(!threads.is_empty());
                for thread in threads {
                    let steps = thread["locations"].as_array().expect("locations");
                    assert!(!steps.is_empty());
                    for step in steps {
                        location(&step["location"], "step");
                    }
                }
            }
        }
    }
}

#[test]
fn sarif_is_accepted_and_has_the_steps_as_a_code_flow() {
    let desk = Desk::new();
    desk.write("a b.litmus", "p0:[x=1]\np1:[assert x==0 \"x is still 0\"]\n");
    desk.run_words(&["check", "a b.litmus", "--quiet", "--sarif", "s.sarif"]);
    let log: Value = serde_json::from_str(&desk.read("s.sarif")).unwrap();
    validate_sarif(&log);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "assertion");
    assert_eq!(
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "a%20b.litmus"
    );
    assert_eq!(
        result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().map(Vec::len),
        Some(2)
    );
    for line in ["check litmus:philosophers", "check litmus:readers"] {
        desk.run(&format!("{line} --quiet --sarif s.sarif"));
        validate_sarif(&serde_json::from_str(&desk.read("s.sarif")).unwrap());
    }
}

#[test]
fn the_graph_has_every_step_and_the_race() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --set n=2 --quiet --dot g.dot");
    insta::assert_snapshot!(desk.read("g.dot"));
    desk.run("check litmus:sb --set n=2 --quiet --dot g.dot");
    assert!(
        desk.read("g.dot").contains("s1 -> s2;"),
        "without a failure it is the first execution: {}",
        desk.read("g.dot")
    );
}
