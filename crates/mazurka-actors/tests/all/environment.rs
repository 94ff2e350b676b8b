//! What the environment asks of checks: each test runs one of the two below once more, as `cargo test` would.

use mazurka_actors::{Actor, Context, System};
use std::path::Path;
use std::process::Command;

#[derive(Clone, Hash, Debug, Default)]
struct Ordered(u32);

impl Actor for Ordered {
    type Message = u32;

    fn handle(&mut self, n: u32, _: &mut Context<Self>) {
        assert!(n > self.0, "in order");
        self.0 = n;
    }
}

fn system(messages: u32) -> System {
    let mut system = System::new();
    let ordered = system.create_named("ordered", Ordered::default());
    for n in 1..=messages {
        system.send(ordered, n);
    }
    system
}

#[test]
fn that_holds() {
    system(1).check().assert_ok();
}

#[test]
#[should_panic(expected = "in order")]
fn that_fails() {
    system(2).check().assert_ok();
}

/// What the test program prints when one test is run alone with a variable set.
fn alone(test: &str, variable: &str, value: &Path, schedules: &Path) -> (bool, String) {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    let name = format!("environment::{test}");
    command.args([&name, "--exact", "--nocapture"]).env("MAZURKA_SCHEDULES", schedules);
    let output = command.env(variable, value).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn the_environment_can_ask_for_much_without_a_change_of_code() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |test: &str, variable: &str, value: &str| alone(test, variable, Path::new(value), folder.path());

    let (_, text) = ask("that_holds", "MAZURKA_STATS", "1");
    assert!(
        text.contains("environment::that_holds: complete: 1 execution, 1 step, optimal"),
        "{text}"
    );
    let (_, text) = ask("that_holds", "MAZURKA_STATS", "0");
    assert!(!text.contains("complete:"), "{text}");

    let (holds, text) = ask("that_holds", "MAZURKA_ALGORITHM", "optimum");
    assert!(!holds && text.contains("unknown algorithm `optimum`"), "{text}");
    assert!(ask("that_holds", "MAZURKA_ALGORITHM", "stateful").0);

    let (holds, text) = ask("that_holds", "MAZURKA_TIMEOUT", "soon");
    assert!(
        !holds && text.contains("MAZURKA_TIMEOUT: expected a time such as 90, 90s, 5m or 1h, not `soon`"),
        "{text}"
    );

    let pages = folder.path().join("pages");
    let (holds, text) = alone("that_holds", "MAZURKA_REPORT", &pages, folder.path());
    assert!(holds, "{text}");
    let page = std::fs::read_to_string(pages.join("environment-that_holds.html")).unwrap();
    assert!(page.contains("environment::that_holds"));
    // A failure is shown with the lines that it happened in.
    let (_, text) = alone("that_fails", "MAZURKA_REPORT", &pages, folder.path());
    let page = std::fs::read_to_string(pages.join("environment-that_fails.html")).expect(&text);
    assert!(page.contains("assert!(n > self.0, \\\"in order\\\")"), "the source is there");

    // A failure saves its schedule, and says how to see it again; only its own test runs it.
    let (_, text) = ask("that_fails", "MAZURKA_STATS", "1");
    let file = folder.path().join("environment-that_fails.json");
    assert!(
        text.contains(&format!("MAZURKA_REPLAY={} cargo test environment::that_fails", file.display())),
        "{text}"
    );
    let (_, text) = alone("that_fails", "MAZURKA_REPLAY", &file, folder.path());
    assert!(text.contains("replayed instead of checked"), "{text}");
    let (holds, text) = alone("that_holds", "MAZURKA_REPLAY", &file, folder.path());
    assert!(holds, "{text}");
    let (holds, text) = ask("that_holds", "MAZURKA_REPLAY", "nowhere.json");
    assert!(!holds && text.contains("MAZURKA_REPLAY: cannot read nowhere.json"), "{text}");
}
