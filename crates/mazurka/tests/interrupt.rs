//! Ctrl-C ends a search in an orderly way.

#![cfg(unix)]

mod support;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use support::Desk;

#[test]
fn ctrl_c_ends_with_incomplete_the_counts_and_exit_code_3() {
    let desk = Desk::new();
    let mut child = desk
        .command()
        .args(["check", "litmus:writers", "--set", "n=14", "--algorithm", "optimal", "--json-lines"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    // The first event of progress tells that the search runs and listens.
    let progress = lines.find(|l| l.contains("\"event\":\"progress\"")).expect("an event of progress");
    assert!(progress.contains("\"executions\""));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let verdict: serde_json::Value = serde_json::from_str(&lines.last().unwrap()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_eq!(
        (verdict["verdict"].as_str(), verdict["limit"].as_str()),
        (Some("incomplete"), Some("interrupt"))
    );
    assert!(verdict["executions"].as_u64().unwrap() > 0);
}
