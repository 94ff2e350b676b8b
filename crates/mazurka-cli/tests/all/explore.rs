//! `explore` without a terminal: line by line.

use crate::support::{Desk, said};
use std::io::Write;
use std::process::Stdio;

fn explore(words: &str, input: &str) -> String {
    let desk = Desk::new();
    let mut command = desk.command();
    command.arg("explore").args(words.split_whitespace());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child
        .stdin
        .take()
        .expect("its input")
        .write_all(input.as_bytes())
        .expect("the input is read");
    let said = said(child.wait_with_output().expect("it ends"));
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    said.out
}

#[test]
fn steps_are_taken_back_and_taken_otherwise() {
    let out = explore("litmus:philosophers", "f\nb\nb\ng\nf\nnonsense\n9\n");
    for expected in [
        "at the start",
        "   1  philosopher0: lock fork[0]",
        "after 3 steps: philosopher2: lock fork[2]",
        "philosopher0: lock fork[1] (blocked: fork[1] = 2)",
        "a cycle: philosopher0",
        "after 1 step: philosopher0: lock fork[0]",
        "the end: every process has finished",
        "there is no failure from here: every state that can be reached was looked at",
        "`nonsense` means nothing here",
        "`9` means nothing here",
    ] {
        assert!(out.contains(expected), "{expected}\n{out}");
    }
}

#[test]
fn a_walk_begins_where_a_schedule_ends() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --algorithm optimal --quiet --save-schedule s.json");
    let file = desk.path("s.json").display().to_string();
    assert!(explore(&format!("litmus:philosophers --schedule {file}"), "s\n").contains("fork[0] = 1"));
    let said = desk.run("explore litmus:peterson --schedule s.json");
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("cannot be taken; expected a schedule of this program"),
        "{}",
        said.err
    );
}
