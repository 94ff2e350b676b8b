//! `cargo mazurka test` on a project of two small crates that know nothing of it but the attribute of the tests.
//!
//! The façades are built once without optimisation, below `target/tmp`; that takes about fifteen seconds.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// An account whose deposits may get lost, and one whose do not. It uses a crate that waits for threads, and a build script.
const BANK: &str = r#"
use std::sync::{Arc, Mutex};
use std::thread;

pub fn deposit_twice(deposit: fn(&Mutex<u32>)) -> u32 {
    let balance = Arc::new(Mutex::new(0));
    let second = Arc::clone(&balance);
    let thread = thread::spawn(move || deposit(&second));
    deposit(&balance);
    thread.join().unwrap();
    let total = *balance.lock().unwrap();
    total
}

pub fn careless(balance: &Mutex<u32>) {
    let old = *balance.lock().unwrap();
    *balance.lock().unwrap() = old + 1;
}

pub fn careful(balance: &Mutex<u32>) {
    *balance.lock().unwrap() += 1;
}

/// ```
/// assert_eq!(bank::deposit_twice(bank::careful), 2);
/// let _: std::sync::Mutex<u32> = bank::account();
/// ```
pub fn account() -> Mutex<u32> {
    Mutex::new(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[mazurka::test]
    fn careless_deposits_are_not_lost() {
        assert_eq!(deposit_twice(careless), 2, "a deposit was lost");
    }

    #[mazurka::test]
    fn careful_deposits_are_not_lost() {
        assert_eq!(deposit_twice(careful), 2);
    }

    #[test]
    fn an_unmarked_test_runs_on_real_threads() {
        let here = std::thread::current().id();
        let there = std::thread::spawn(|| std::thread::current().id()).join().unwrap();
        assert_ne!(here, there);
        assert_eq!(deposit_twice(careful), 2);
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || sender.send(1));
        assert_eq!(receiver.recv_timeout(std::time::Duration::from_secs(60)), Ok(1));
    }

    #[mazurka::test]
    fn dependencies_are_checked_too() {
        assert_eq!(counter::count_to_two(), 2, "a count was lost");
    }

    #[mazurka::test]
    fn the_runtime_is_the_one_of_the_check() {
        assert_ne!(mazurka::choose(2), 1, "the other one");
    }
}
"#;

/// A crate without `std` that loses a count.
const COUNTER: &str = r#"
#![no_std]
extern crate std;
use core::sync::atomic::{AtomicUsize, Ordering};

pub fn count_to_two() -> usize {
    let counter = AtomicUsize::new(0);
    let count = || counter.store(counter.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    std::thread::scope(|scope| {
        scope.spawn(count);
        scope.spawn(count);
    });
    counter.load(Ordering::Relaxed)
}
"#;

/// Published crates with locks and queues, as they are.
const PUBLISHED: &str = r#"
#![cfg(test)]
use std::sync::Arc;
use std::thread;

#[mazurka::test]
fn parking_wakes_whoever_parks() {
    let (parker, unparker) = parking::pair();
    thread::spawn(move || unparker.unpark());
    parker.park();
}

#[mazurka::test]
fn an_array_queue_loses_nothing() {
    let here = Arc::new(crossbeam_queue::ArrayQueue::new(2));
    let there = Arc::clone(&here);
    let thread = thread::spawn(move || there.push(1).unwrap());
    here.push(2).unwrap();
    thread.join().unwrap();
    assert_eq!(here.pop().unwrap() + here.pop().unwrap(), 3);
}

#[mazurka::test]
fn a_concurrent_queue_loses_nothing() {
    let here = Arc::new(concurrent_queue::ConcurrentQueue::unbounded());
    let there = Arc::clone(&here);
    let thread = thread::spawn(move || there.push(1).unwrap());
    here.push(2).unwrap();
    thread.join().unwrap();
    assert_eq!(here.pop().unwrap() + here.pop().unwrap(), 3);
}

#[mazurka::test]
fn what_is_sent_once_is_received() {
    let (sender, receiver) = oneshot::channel();
    thread::spawn(move || sender.send(7).unwrap());
    assert_eq!(receiver.recv(), Ok(7));
}

#[mazurka::test]
fn a_wake_up_may_come_too_early() {
    let (parker, unparker) = parking::pair();
    unparker.unpark();
    thread::spawn(move || unparker.unpark());
    parker.park();
    parker.park();
}
"#;

const BUILD: &str = r#"
fn main() {
    std::thread::spawn(|| println!("cargo::rerun-if-changed=build.rs")).join().unwrap();
}
"#;

fn manifest(name: &str, dependencies: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}\n")
}

fn write(path: &Path, text: &str) {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// The project, written once.
fn project() -> &'static Path {
    static PROJECT: OnceLock<PathBuf> = OnceLock::new();
    PROJECT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bank");
        let workspace = "\n[workspace]\nmembers = [\"counter\", \"published\", \"visitors\"]\n";
        write(
            &folder.join("Cargo.toml"),
            &(manifest("bank", "counter = { path = \"counter\" }") + workspace),
        );
        write(&folder.join("build.rs"), BUILD);
        write(&folder.join("src/lib.rs"), BANK);
        write(&folder.join("counter/Cargo.toml"), &manifest("counter", ""));
        write(&folder.join("counter/src/lib.rs"), COUNTER);
        let published = "concurrent-queue = \"2\"\ncrossbeam-queue = \"0.3\"\noneshot = \"0.1\"\nparking = \"2\"";
        write(&folder.join("published/Cargo.toml"), &manifest("published", published));
        write(&folder.join("published/src/lib.rs"), PUBLISHED);
        write(&folder.join("visitors/Cargo.toml"), &manifest("visitors", ""));
        write(
            &folder.join("visitors/src/lib.rs"),
            include_str!("../../../../examples/visitors/src/lib.rs"),
        );
        folder
    })
}

/// Runs `cargo mazurka` there: whether all went well, and what was printed.
fn cargo_mazurka(arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-mazurka"));
    command.current_dir(project()).arg("mazurka").args(arguments);
    command
        .env("MAZURKA_FACADE_OPT_LEVEL", "0")
        .env("CARGO_NET_OFFLINE", "true")
        .env("RUST_BACKTRACE", "0");
    for name in [
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_TARGET_DIR",
        "CARGO_BUILD_TARGET",
        "RUSTC_WRAPPER",
    ] {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

#[test]
fn bugs_of_ordinary_threads_are_found_explained_and_replayed() {
    let (passed, text) = cargo_mazurka(&["test", "--lib"]);
    assert!(!passed, "{text}");
    for fact in [
        "test tests::careless_deposits_are_not_lost ... FAILED",
        "test tests::careful_deposits_are_not_lost ... ok",
        "test tests::an_unmarked_test_runs_on_real_threads ... ok",
        "test tests::dependencies_are_checked_too ... FAILED",
        "test tests::the_runtime_is_the_one_of_the_check ... FAILED",
        "a deposit was lost",
        "a count was lost",
        "the other one",
        "src/lib.rs:16:24",
        "race on AtomicUsize 0",
        "cargo mazurka replay target/mazurka/schedules/bank-tests-careless_deposits_are_not_lost.json",
    ] {
        assert!(text.contains(fact), "`{fact}` is not in\n{text}");
    }

    let (passed, text) = cargo_mazurka(&[
        "replay",
        "target/mazurka/schedules/bank-tests-careless_deposits_are_not_lost.json",
        "--lib",
    ]);
    assert!(!passed, "{text}");
    assert!(text.contains("the schedule fails"), "{text}");

    let (passed, text) = cargo_mazurka(&["test", "--lib", "--", "careful", "unmarked"]);
    assert!(passed, "{text}");
    assert!(text.contains("2 passed"), "{text}");

    let (passed, text) = cargo_mazurka(&["report", "--lib", "--", "careless", "careful"]);
    assert!(!passed, "{text}");
    for (test, verdict) in [("careless", "violation"), ("careful", "complete")] {
        let page = project().join(format!("target/mazurka/reports/bank-tests-{test}_deposits_are_not_lost.html"));
        assert!(text.contains(&format!("report: {}", page.display())), "{text}");
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.contains(verdict) && page.contains("under sequential consistency"), "{page}");
        assert_eq!(
            page.contains("let old = *balance.lock().unwrap();"),
            test == "careless",
            "the source"
        );
    }

    let (passed, text) = cargo_mazurka(&["test", "--doc"]);
    assert!(passed, "{text}");
    assert!(text.contains("1 passed"), "{text}");
}

#[test]
fn published_crates_are_checked_as_they_are() {
    let (passed, text) = cargo_mazurka(&["test", "--lib", "-p", "published", "--", "--nocapture", "--test-threads=1"]);
    assert!(!passed, "{text}");
    // The tests in the order of their names.
    let verdicts = text
        .lines()
        .filter_map(|line| line.split_once(", nothing failed")?.0.rsplit("... ").next());
    let counts = [
        "complete: 12 executions",
        "complete: 6 executions",
        "complete: 3 executions",
        "complete: 3 executions",
    ];
    assert!(verdicts.eq(counts), "{text}");
    assert!(text.contains("test a_wake_up_may_come_too_early ... FAILED"), "{text}");
    assert!(text.contains("violation: deadlock"), "{text}");
}

#[test]
fn the_first_example_of_the_readme_says_what_is_printed() {
    let readme = include_str!("../../../../README.md");
    let (code, rest) = (readme.split_once("```rust,ignore\n").unwrap().1).split_once("```\n").unwrap();
    let example = include_str!("../../../../examples/visitors/src/lib.rs");
    for line in code.lines().map(str::trim).filter(|line| !line.starts_with("assert")) {
        assert!(example.contains(line), "`{line}` is not in the example");
    }
    let shown = (rest.split_once("```text\n").unwrap().1).split_once("```\n").unwrap().0;
    let (passed, text) = cargo_mazurka(&["test", "--lib", "-p", "visitors"]);
    assert!(!passed, "{text}");
    // In a workspace paths begin at its folder, and have more room in the table.
    let squeezed = |text: &str| text.replace("visitors/src", "src").split_whitespace().collect::<Vec<_>>().join(" ");
    for line in shown
        .lines()
        .map(squeezed)
        .filter(|line| !line.starts_with("schedule:") && !line.starts_with("replay:"))
    {
        assert!(squeezed(&text).contains(&line), "`{line}` is not in\n{text}");
    }
}

#[test]
fn wrong_requests_are_explained() {
    let (passed, text) = cargo_mazurka(&["tset"]);
    assert!(!passed && text.contains("unknown command `tset`"), "{text}");
    let (passed, text) = cargo_mazurka(&["replay", "no-such-file.json"]);
    assert!(!passed && text.contains("cannot read"), "{text}");
    let (passed, text) = cargo_mazurka(&["--help"]);
    assert!(passed && text.contains("cargo mazurka test"), "{text}");
}
