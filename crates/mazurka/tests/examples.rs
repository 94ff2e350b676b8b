//! The programs with a bug, in every front end: each prints a counterexample that explains itself, and the printed command reproduces it.

mod support;

use std::path::Path;
use support::Desk;

/// The program, where its file is, the kind of failure, and words without which the bug cannot be understood.
const BUGS: &[(&str, Option<&str>, &str, &[&str])] = &[
    (
        "bank.litmus",
        Some("examples"),
        "assertion",
        &["overdrawn", "balance is -60", "race on balance"],
    ),
    (
        "litmus:philosophers",
        None,
        "deadlock",
        &["waits for fork[1]", "a cycle", "race on fork[1]"],
    ),
    (
        "actors:diningphil",
        None,
        "deadlock",
        &["GetHungry", "to fork 1 waits", "race on fork 1"],
    ),
    (
        "philosophers.abs",
        Some("benchmarks/abs"),
        "deadlock",
        &["waits for the result of Fork", "await free", "race on Fork"],
    ),
    (
        "replicated-counter.abs",
        Some("benchmarks/abs"),
        "assertion",
        &["hear(1)", "race on Replica"],
    ),
    (
        "peterson-broken.pml",
        Some("benchmarks/promela"),
        "assertion",
        &["assert(inside == 1)", "inside: 1 → 2", "race on want"],
    ),
    (
        "philosophers.pml",
        Some("benchmarks/promela"),
        "deadlock",
        &["waits for !taken", "race on taken"],
    ),
];

fn desk(program: &str, dir: Option<&str>) -> Desk {
    let desk = Desk::new();
    if let Some(dir) = dir {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(dir).join(program);
        desk.write(
            program,
            &std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display())),
        );
    }
    desk
}

#[test]
fn every_bug_is_explained_and_replays() {
    for (program, dir, kind, words) in BUGS {
        let desk = desk(program, *dir);
        let said = desk.run(&format!("check {program}"));
        assert_eq!(said.code, 1, "{program}: {}{}", said.out, said.err);
        assert!(
            said.out.starts_with(&format!("violation: {kind} after ")),
            "{program}: {}",
            said.out
        );
        for word in *words {
            assert!(said.out.contains(word), "{program}: no `{word}` in\n{}", said.out);
        }
        let command = said
            .out
            .lines()
            .find_map(|l| l.trim().strip_prefix("replay:"))
            .expect("a replay command")
            .trim();
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        let replayed = desk.run_words(&words);
        assert_eq!(replayed.code, 1, "{program}");
        assert!(replayed.out.contains("exactly as recorded"), "{program}: {}", replayed.out);
        // What the search and the replay show is the same table.
        let table = |text: &str| {
            text.lines()
                .skip_while(|l| !l.trim_start().starts_with("step"))
                .take_while(|l| !l.is_empty())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(table(&said.out), table(&replayed.out), "{program}");
    }
}

#[test]
fn minimising_never_makes_a_schedule_worse() {
    for (program, dir, ..) in BUGS {
        let desk = desk(program, *dir);
        let steps = |options: &str| {
            let json = desk.run(&format!("check {program} --json {options}")).json();
            json["failures"][0]["schedule"].as_array().map_or(0, Vec::len)
        };
        assert!(steps("") <= steps("--no-minimise"), "{program}");
    }
}
