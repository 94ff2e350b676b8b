//! A program of a language that the command does not know is checked like one of its own.

#[path = "../../examples/new_front_end.rs"]
mod example;

use std::process::ExitCode;

/// Both read before either writes.
const LOST: &str = "\
alice: copy mine account; add mine 10; copy account mine; add done 1
bob: copy his account; add his 20; copy account his; add done 1
auditor: await done 2; assert account 30";

/// Checks a text, and returns how that ended and the file `out`, if it was written.
fn check(text: &str, arguments: &[&str]) -> (Result<ExitCode, String>, String) {
    let desk = tempfile::tempdir().expect("a temporary directory");
    let (file, out) = (desk.path().join("bank.txt"), desk.path().join("out"));
    std::fs::write(&file, text).expect("a file in the temporary directory");
    let arguments = arguments.iter().map(|a| a.replace("OUT", &out.display().to_string()));
    let ended = example::check(file.display().to_string(), arguments);
    (ended, std::fs::read_to_string(out).unwrap_or_default())
}

/// Exit codes cannot be compared.
fn is(ended: Result<ExitCode, String>, code: u8) -> bool {
    format!("{ended:?}") == format!("{:?}", Ok::<_, String>(ExitCode::from(code)))
}

#[test]
fn the_lost_update_is_found_and_written_down() {
    let (ended, schedule) = check(LOST, &["--quiet", "--save-schedule", "OUT"]);
    assert!(is(ended, 1));
    let schedule: serde_json::Value = serde_json::from_str(&schedule).expect("a schedule");
    let steps: Vec<&str> = schedule["steps"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|step| step["label"].as_str())
        .collect();
    let lost = "copy his account; add his 20; copy mine account; add mine 10; copy account mine; add done 1; copy account his; add done 1; \
                await done 2; assert account 30";
    assert_eq!(steps.join("; "), lost);
}

#[test]
fn it_is_shown_with_the_names_of_the_program() {
    let (ended, report) = check(
        LOST,
        &["--quiet", "--keep-going", "--algorithm", "source", "--paranoid", "--junit", "OUT"],
    );
    assert!(is(ended, 1));
    for word in ["alice", "auditor", "assert account 30", "copy account his"] {
        assert!(report.contains(word), "{word}: {report}");
    }
    assert!(!report.contains("mazurka replay"), "the command cannot load it: {report}");
}

#[test]
fn an_addition_in_one_step_is_not_lost() {
    let sound = "alice: add account 10; add done 1\nbob: add account 20; add done 1\nauditor: await done 2; assert account 30";
    assert!(is(check(sound, &["--quiet"]).0, 0));
    assert!(is(check("p: await x 1", &["--quiet"]).0, 1), "a deadlock");
    assert!(is(check("p: await x 1", &["--quiet", "--deadlock", "ignore"]).0, 0));
    assert!(is(check(LOST, &["--quiet", "--max-executions", "1"]).0, 3));
}

#[test]
fn what_means_nothing_is_refused() {
    for argument in ["--no-such-option", "--set=x=1", "--main=M", "--algorithm=best"] {
        assert!(is(check(LOST, &[argument]).0, 2), "{argument}");
    }
    assert_eq!(check("alice: jump x 1", &[]).0.err(), Some("`jump x 1` is not a step".to_owned()));
    let _: fn() -> ExitCode = example::main;
}
