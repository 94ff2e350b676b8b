//! What a failed `#[mazurka::test]` leaves behind: a counterexample, a schedule in a file, and the line that runs it again.

use crate::attribute::lost_update;
use std::path::Path;
use std::process::Command;

#[mazurka::test]
#[ignore = "fails: the tests below run it to see how"]
fn fails() {
    lost_update();
}

/// Runs `fails` in this test program: whether it passed, and what was printed.
fn run_it(name: &str, value: &Path) -> (bool, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["attribute_outcomes::fails", "--exact", "--ignored"])
        .env_remove("MAZURKA_COMMAND");
    let output = command.env(name, value).output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_failure_can_be_replayed_from_its_file() {
    let folder = std::env::temp_dir().join(format!("mazurka-attribute-{}", std::process::id()));
    let (passed, shown) = run_it("MAZURKA_SCHEDULES", &folder);
    let file = folder.join("all-attribute_outcomes-fails.json");
    assert!(!passed);
    assert!(shown.contains("a hit was lost"), "{shown}");
    assert!(shown.contains("steps 1 and 3 race"), "{shown}");
    let line = format!("MAZURKA_REPLAY={} cargo test attribute_outcomes::fails", file.display());
    assert!(shown.contains(&line), "{shown}");

    let (passed, shown) = run_it("MAZURKA_REPLAY", &file);
    assert!(!passed);
    assert!(shown.contains("the schedule fails"), "{shown}");
    assert!(shown.contains("a hit was lost"), "{shown}");
    assert!(!shown.contains("found in execution"), "a search was run: {shown}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_schedule_that_cannot_be_read_is_named() {
    let (passed, shown) = run_it("MAZURKA_REPLAY", Path::new("/no/such/schedule.json"));
    assert!(!passed);
    assert!(shown.contains("cannot read /no/such/schedule.json"), "{shown}");
}
