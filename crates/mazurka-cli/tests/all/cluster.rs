//! `check --cluster` and `worker`: three processes, of which one is killed now and then, say what one thread says.

use crate::support::Desk;
use serde_json::Value;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Killed in the end.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server of its own; `None` if it is not installed.
fn server(desk: &Desk) -> Option<(Process, String)> {
    let port = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port().to_string();
    let mut command = Command::new("nats-server");
    command.args(["--jetstream", "--addr", "127.0.0.1", "--port", &port, "--store_dir"]);
    let child = command.arg(desk.path("nats")).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    // In CI nothing is skipped.
    assert!(child.is_ok() || std::env::var_os("CI").is_none(), "nats-server: {child:?}");
    let child = child.ok()?;
    for _ in 0..200 {
        if std::net::TcpStream::connect(format!("127.0.0.1:{port}")).is_ok() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Some((Process(child), format!("nats://127.0.0.1:{port}")))
}

fn worker(desk: &Desk, url: &str) -> Process {
    let mut command = desk.command();
    command
        .args(["worker", url, "--quiet"])
        .stdout(Stdio::null())
        .stderr(Stdio::inherit());
    Process(command.spawn().expect("the binary runs"))
}

/// What must not depend on who runs what.
fn result(json: &Value) -> Vec<String> {
    let same = ["verdict", "executions", "blocked", "max_depth", "failure_counts", "limit"];
    let mut result: Vec<String> = same.iter().map(|name| format!("{name}: {}", json[name])).collect();
    let mut failures: Vec<String> = json["failures"].as_array().map_or(Vec::new(), |list| {
        list.iter().map(|f| format!("{} {} {}", f["kind"], f["message"], f["at"])).collect()
    });
    failures.sort();
    result.extend(failures);
    result
}

#[test]
fn workers_that_are_killed_say_what_one_thread_says() {
    let desk = Desk::new();
    let Some((_server, url)) = server(&desk) else { return };
    desk.write("dining.pml", crate::checkpoints::DINING);
    desk.write("bank.abs", crate::checkpoints::BANK);
    let mut workers: Vec<Process> = (0..3).map(|_| worker(&desk, &url)).collect();
    for (at, program) in [
        "litmus:lastzero --set n=11",
        "litmus:philosophers --set n=9 --keep-going --no-minimise",
        "dining.pml --keep-going --no-minimise",
        "bank.abs --keep-going",
        "actors:regsim --set n=6 --keep-going",
    ]
    .into_iter()
    .enumerate()
    {
        let line = format!("check {program} --algorithm optimal --json");
        let expected = desk.run(&line).json();
        let mut command = desk.command();
        command
            .args(line.split_whitespace())
            .args(["--cluster", &url])
            .stderr(Stdio::inherit());
        let mut check = command
            .stdout(std::fs::File::create(desk.path("out")).unwrap())
            .spawn()
            .expect("the binary runs");
        // One is killed in the middle of its work, and another one comes.
        std::thread::sleep(Duration::from_millis(400));
        drop(workers.remove(at % 3));
        workers.push(worker(&desk, &url));
        check.wait().expect("it ends");
        let found: Value = serde_json::from_str(&desk.read("out")).expect("an object");
        assert_eq!(result(&found), result(&expected), "{program}");
        assert!(found["notes"].to_string().contains("of the cluster"), "{}", found["notes"]);
    }
}

#[test]
fn what_cannot_be_asked_of_a_cluster_is_refused_in_one_line() {
    let desk = Desk::new();
    desk.write("p.litmus", "init x; p0:[x=1] p1:[x=2]");
    let nowhere = "--cluster nats://127.0.0.1:1";
    for (line, expected) in [
        (
            format!("check p.litmus {nowhere}"),
            "cannot reach the cluster at `nats://127.0.0.1:1`",
        ),
        (
            "worker nats://127.0.0.1:1".to_owned(),
            "cannot reach the cluster at `nats://127.0.0.1:1`",
        ),
        (
            format!("check p.litmus {nowhere} --jobs 2"),
            "`--jobs` is for a search on this machine; leave out --cluster",
        ),
        (
            format!("check p.litmus {nowhere} --final-states"),
            "`--final-states` is for a search on this machine",
        ),
        (
            format!("check p.litmus {nowhere} --checkpoint d"),
            "`--checkpoint` is for a search on this machine",
        ),
        (
            format!("check p.litmus {nowhere} --algorithm source"),
            "`source` is run by one worker",
        ),
        (format!("check p.litmus {nowhere} --mode random"), "`--mode` is run by one worker"),
        (
            format!("check {} {nowhere}", desk.path("p.litmus").display()),
            "is not below the current directory, and its name means nothing to workers elsewhere",
        ),
        ("check p.litmus --credentials f".to_owned(), "missing --cluster"),
    ] {
        let said = desk.run(&line);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{line}: {}", said.err);
        assert_eq!(said.err.trim_end().lines().count(), 1, "{line}: {}", said.err);
        assert!(
            said.err.starts_with("error: ") && said.err.contains(expected),
            "{line}: {}",
            said.err
        );
    }
}
