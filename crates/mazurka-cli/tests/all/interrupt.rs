//! Ctrl-C, SIGTERM and the end of the time end a search in an orderly way, however long its steps are.

#![cfg(unix)]

use crate::support::Desk;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Tasks that compute for long in every step, in many orders.
const SLOW: &str = "module Slow;
interface I { Unit work(); }
class C implements I {
  Int done = 0;
  Unit work() { Int i = 0; while (i < 200000) { i = i + 1; } done = done + i; }
}
{ I c = new C(); Int n = 0; while (n < 12) { c!work(); n = n + 1; } }
";

/// Checks the program, sends the signal when the search is running, and returns the verdict that is printed.
fn interrupted(desk: &Desk, arguments: &str, signal: &str) -> serde_json::Value {
    let mut command = desk.command();
    command.arg("check").args(arguments.split_whitespace()).arg("--json-lines");
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    // The first event of progress tells that the search runs and listens.
    let progress = lines.find(|l| l.contains("\"event\":\"progress\"")).expect("an event of progress");
    assert!(progress.contains("\"executions\""));
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let verdict: serde_json::Value = serde_json::from_str(&lines.last().unwrap()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_eq!(
        (verdict["verdict"].as_str(), verdict["limit"].as_str()),
        (Some("incomplete"), Some("interrupt"))
    );
    verdict
}

#[test]
fn ctrl_c_ends_with_incomplete_the_counts_and_exit_code_3() {
    let desk = Desk::new();
    for signal in ["-INT", "-TERM"] {
        let verdict = interrupted(&desk, "litmus:writers --set n=14 --algorithm optimal", signal);
        assert!(verdict["executions"].as_u64().unwrap() > 0);
    }
}

#[test]
fn long_steps_do_not_keep_it_waiting() {
    let desk = Desk::new();
    desk.write("slow.abs", SLOW);
    for algorithm in ["", "--algorithm optimal", "--algorithm stateful"] {
        interrupted(&desk, &format!("slow.abs {algorithm}"), "-INT");
        let said = desk.run(&format!("check slow.abs --json --timeout 300ms {algorithm}"));
        assert_eq!((said.code, said.json()["limit"].as_str()), (3, Some("timeout")), "{algorithm}");
    }
}
