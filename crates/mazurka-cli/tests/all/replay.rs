//! Schedules are saved, replay exactly, diverge visibly and can be walked through.

use crate::support::Desk;
use std::io::Write;
use std::process::Stdio;

#[test]
fn the_printed_command_replays_the_failure() {
    let desk = Desk::new();
    let said = desk.run("check litmus:philosophers --set n=4 --algorithm optimal");
    let command = said
        .out
        .lines()
        .find_map(|l| l.trim().strip_prefix("replay:"))
        .expect("a replay command")
        .trim();
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let replayed = desk.run_words(&words);
    assert_eq!(replayed.code, 1);
    insta::assert_snapshot!(replayed.seen());
}

#[test]
fn a_schedule_brings_its_own_settings() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --set n=4 --save-schedule s.json --quiet");
    let replayed = desk.run("replay litmus:philosophers s.json");
    assert!(
        replayed.out.starts_with("replayed: deadlock after 4 steps, exactly as recorded"),
        "{}",
        replayed.out
    );
}

#[test]
fn a_changed_program_diverges_where_it_differs_and_goes_on() {
    let desk = Desk::new();
    desk.write(
        "a.litmus",
        "p0:[lock m][lock n][unlock n][unlock m]\np1:[lock n][lock m][unlock m][unlock n]\n",
    );
    assert_eq!(desk.run("check a.litmus --algorithm optimal").code, 1);
    desk.write(
        "a.litmus",
        "p0:[lock m][lock n][unlock n][unlock m]\np1:[lock m][lock n][unlock n][unlock m]\n",
    );
    let said = desk.run("replay a.litmus a.schedule.json");
    assert_eq!(said.code, 3, "nothing failed, but it is not what was recorded");
    insta::assert_snapshot!(said.seen());
}

#[test]
fn a_schedule_that_does_not_fail_any_more_is_not_what_was_recorded() {
    let desk = Desk::new();
    desk.write("a.litmus", "init x=1, y=0; p:[y=1] q:[assert x==0]");
    assert_eq!(desk.run("check a.litmus --algorithm optimal").code, 1);
    desk.write("a.litmus", "init x=0, y=0; p:[y=1] q:[assert x==0]");
    let said = desk.run("replay a.litmus a.schedule.json");
    assert_eq!(said.code, 3, "{}", said.out);
}

#[test]
fn keys_walk_through_a_schedule_over_a_pipe() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --algorithm optimal --quiet --save-schedule s.json");
    let mut child = desk
        .command()
        .args(["replay", "litmus:philosophers", "s.json", "--step"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"nnsebrrxnnnq").unwrap();
    insta::assert_snapshot!(crate::support::said(child.wait_with_output().unwrap()).seen());
}

#[test]
fn several_failures_are_saved_under_numbered_names() {
    let desk = Desk::new();
    desk.write("two.litmus", "p0:[x=1][assert x==1 \"first\"]\np1:[x=2][assert x==2 \"second\"]\n");
    let said = desk.run("check two.litmus --keep-going --algorithm optimal");
    assert_eq!(said.code, 1);
    for name in ["two.schedule.json", "two-2.schedule.json"] {
        let replayed = desk.run(&format!("replay two.litmus {name}"));
        assert!(replayed.out.contains("exactly as recorded"), "{name}: {}", replayed.out);
    }
}

#[test]
fn a_file_that_is_not_a_schedule_is_not_overwritten_unasked() {
    let desk = Desk::new();
    desk.write("philosophers.schedule.json", "my notes");
    let said = desk.run("check litmus:philosophers");
    assert_eq!(desk.read("philosophers.schedule.json"), "my notes");
    assert!(!said.out.contains("schedule:"), "{}", said.out);
}

#[test]
fn a_random_run_is_the_same_for_the_same_seed() {
    let desk = Desk::new();
    let one = desk.run("run litmus:sb --seed 7 --trace");
    assert_eq!(one.seen(), desk.run("run litmus:sb --seed 7 --trace").seen());
    insta::assert_snapshot!(one.seen());
}

#[test]
fn options_given_to_replay_win_over_those_of_the_schedule() {
    let desk = Desk::new();
    let module = |name: &str, n: u32| format!("module {name};\n{{\n  Int x = {n};\n  assert x == 0;\n}}\n");
    desk.write("two.abs", &format!("{}{}", module("A", 1), module("B", 2)));
    assert_eq!(desk.run("check two.abs --main A --quiet --save-schedule a.json").code, 1);
    let recorded = desk.run("replay two.abs a.json");
    assert!(recorded.out.contains("two.abs:4:"), "{}", recorded.out);
    let given = desk.run("replay two.abs a.json --main B");
    assert!(
        !given.out.contains("two.abs:4:"),
        "the main block of B was asked for: {}",
        given.out
    );
    assert!(given.out.contains("two.abs:9:"), "{}", given.out);
}

#[test]
fn a_schedule_of_another_program_is_refused() {
    let desk = Desk::new();
    desk.run("check litmus:philosophers --quiet --save-schedule s.json");
    for line in ["replay litmus:readers s.json --set n=3", "run litmus:readers --schedule s.json"] {
        let said = desk.run(line);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{line}: {}", said.err);
        assert!(
            said.err
                .starts_with("error: `s.json` is a schedule of `litmus:philosophers` and does not fit `litmus:readers`"),
            "{line}: {}",
            said.err
        );
    }
}

#[test]
fn a_program_under_another_name_keeps_its_schedules() {
    let desk = Desk::new();
    let text = "p0:[x=1][assert x==1]\np1:[x=2]\n";
    desk.write("a.litmus", text);
    desk.write("b.litmus", text);
    assert_eq!(desk.run("check a.litmus --quiet --save-schedule a.json").code, 1);
    assert_eq!(desk.run("replay b.litmus a.json").code, 1);
}
