//! The programs with a bug, in every front end: each prints a counterexample that explains itself, and the printed command reproduces it.

use crate::support::Desk;
use std::path::{Path, PathBuf};

/// The program, the kind of failure, and words without which the bug cannot be understood.
const BUGS: &[(&str, &str, &[&str])] = &[
    ("bank.litmus", "assertion", &["overdrawn", "balance is -60", "race on balance"]),
    (
        "counter.litmus",
        "assertion",
        &["an increment is lost", "counter is 1", "worker 0", "race on counter"],
    ),
    (
        "philosophers.litmus",
        "deadlock",
        &[
            "philosopher 0 waits",
            "a cycle: philosopher 0 → philosopher 1 → philosopher 2 → philosopher 0",
            "race on fork[1]",
        ],
    ),
    (
        "litmus:philosophers",
        "deadlock",
        &[
            "philosopher0 waits for fork[1], held up by philosopher1",
            "a cycle: philosopher0 → philosopher1 → philosopher2 → philosopher0",
            "race on fork[1]",
        ],
    ),
    (
        "actors:diningphil",
        "deadlock",
        &[
            "GetHungry",
            "fork 1 is Fork { holder: Some(philosopher 1) } since step 7",
            "a cycle: Take(philosopher 0) to fork 1 → Take(philosopher 1) to fork 2",
            "race on fork 1",
        ],
    ),
    (
        "actors:minesweeper",
        "deadlock",
        &["asked: 1", "a cycle: IsMine(cell 0) to cell 1 → IsMine(cell 1) to cell 0"],
    ),
    (
        "philosophers.abs",
        "deadlock",
        &[
            "waits for the result of Fork",
            "Fork 1.free is False since step 9",
            "a cycle: Philosopher 3.eat() → Fork 1.take() → Philosopher 4.eat() → Fork 0.take() → Philosopher 5.eat() → Fork 2.take()",
            "race on Fork",
        ],
    ),
    (
        "replicated-counter.abs",
        "assertion",
        &["hear(1)", "assert v == replicas(), where v is 1", "race on Replica"],
    ),
    (
        "database-protocol.abs",
        "deadlock",
        &["its cog, which is blocked, held up by Worker 1.work()", "a cycle"],
    ),
    (
        "peterson-broken.pml",
        "assertion",
        &["assert(inside == 1), where inside is 2", "inside: 1 → 2", "race on want"],
    ),
    (
        "philosophers.pml",
        "deadlock",
        &[
            "for !taken[(_pid + 1) % N]; taken[1] is 1 since step 2 of philosopher 1",
            "a cycle: philosopher 0 → philosopher 1 → philosopher 2 → philosopher 0",
            "race on taken",
        ],
    ),
    (
        "rendezvous-deadlock.pml",
        "deadlock",
        &["alice 0 waits", "bob 1 waits", "for ab!1", "for ba!2"],
    ),
    (
        "alternating-bit-no-bit.pml",
        "assertion",
        &["assert(n == expected), where n is 0 and expected is 1", "timeout"],
    ),
    (
        "bakery-no-choosing.pml",
        "assertion",
        &["for: k++", "serving is 2", "race on ticket[0]"],
    ),
    ("needham-schroeder.pml", "assertion", &["intruder 2", "doneA is 1", "partnerA is I"]),
    ("wolf-goat-cabbage.pml", "assertion", &["man: 0 → 1, goat: 0 → 1", "cabbage is 1"]),
    ("two-phase-commit-eager.pml", "assertion", &["where mine is no and v is commit"]),
];

/// What has to be said besides the program for its bug to be the failure that is found.
fn options(program: &str) -> &'static str {
    match program {
        "needham-schroeder.pml" => " --deadlock ignore",
        _ => "",
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

const DIRECTORIES: [&str; 3] = ["examples", "benchmarks/abs", "benchmarks/promela"];

/// A desk with the file of the program, if it is one.
fn desk(program: &str) -> Desk {
    let desk = Desk::new();
    for dir in DIRECTORIES {
        if let Ok(text) = std::fs::read_to_string(root().join(dir).join(program)) {
            desk.write(program, &text);
        }
    }
    desk
}

/// Every file whose first lines announce a failure, and every built-in program in which one is found.
fn all_buggy() -> Vec<String> {
    let mut found = Vec::new();
    for dir in DIRECTORIES {
        for entry in std::fs::read_dir(root().join(dir)).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap_or_default().to_lowercase();
            let announced = text
                .split_once("verdict: ")
                .is_some_and(|(_, verdict)| !verdict.starts_with("complete"));
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if announced || name == "bank.litmus" {
                found.push(name);
            }
        }
    }
    let desk = Desk::new();
    let list = desk.run("list --all").out;
    let built_in = list
        .split_whitespace()
        .filter(|w| w.starts_with("litmus:") || w.starts_with("actors:"));
    for program in built_in {
        let said = desk.run(&format!("check {program} --algorithm optimal --max-executions 300 --quiet"));
        if said.code == 1 {
            found.push(program.to_owned());
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The table of a counterexample, without what is above and below it.
fn table(text: &str) -> Vec<String> {
    let from = text.lines().skip_while(|l| !l.trim_start().starts_with("step"));
    from.take_while(|l| !l.is_empty()).map(str::to_owned).collect()
}

#[test]
fn every_bug_is_explained() {
    for (program, kind, words) in BUGS {
        let desk = desk(program);
        let said = desk.run(&format!("check {program}{}", options(program)));
        assert_eq!(said.code, 1, "{program}: {}{}", said.out, said.err);
        assert!(
            said.out.starts_with(&format!("violation: {kind} after ")),
            "{program}: {}",
            said.out
        );
        // Where a line is broken does not matter.
        let flat = said.out.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in *words {
            assert!(flat.contains(word), "{program}: no `{word}` in\n{}", said.out);
        }
    }
}

#[test]
fn every_failure_of_every_front_end_is_reproduced_by_the_printed_command() {
    let programs = all_buggy();
    for front_end in [".litmus", ".abs", ".pml", "litmus:", "actors:"] {
        assert!(programs.iter().any(|p| p.contains(front_end)), "no {front_end} in {programs:?}");
    }
    assert!(programs.len() >= 30, "{programs:?}");
    for program in &programs {
        let desk = desk(program);
        let said = desk.run(&format!("check {program}{}", options(program)));
        assert_eq!(said.code, 1, "{program}: {}{}", said.out, said.err);
        let command = said
            .out
            .lines()
            .find_map(|l| l.trim().strip_prefix("replay:"))
            .expect("a replay command")
            .trim();
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        let replayed = desk.run_words(&words);
        assert_eq!(replayed.code, 1, "{program}: {}{}", replayed.out, replayed.err);
        let headline = replayed.out.lines().next().unwrap_or_default();
        let kind = said.out.split_whitespace().nth(1).unwrap();
        assert!(
            headline.starts_with(&format!("replayed: {kind}")) && headline.ends_with("exactly as recorded"),
            "{program}: {headline}"
        );
        assert_eq!(
            table(&said.out),
            table(&replayed.out),
            "{program}: the search and the replay show the same"
        );
    }
}

#[test]
fn minimising_never_makes_a_schedule_worse() {
    for (program, ..) in BUGS {
        let desk = desk(program);
        let steps = |more: &str| {
            let json = desk.run(&format!("check {program}{} --json {more}", options(program))).json();
            json["failures"][0]["schedule"].as_array().map_or(0, Vec::len)
        };
        assert!(steps("") <= steps("--no-minimise"), "{program}");
    }
}

#[test]
fn the_list_begins_with_what_a_user_wants() {
    let desk = Desk::new();
    let (first, all) = (desk.run("list").out, desk.run("list --all").out);
    for name in ["litmus:philosophers", "actors:registry", "optimal", "source+merge"] {
        assert!(first.contains(name), "{first}");
    }
    for name in ["litmus:C20", "as-published", "forte12"] {
        assert!(!first.contains(name), "{first}");
        assert!(all.contains(name), "{all}");
    }
}
