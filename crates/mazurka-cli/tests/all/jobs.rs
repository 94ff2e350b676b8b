//! `check --jobs N`: the results are those of one thread, for programs of every front end, and what one thread does is refused with the reason.

use crate::support::Desk;
use serde_json::Value;

const DINING: &str = "byte forks[3]; active [3] proctype Philosopher() { atomic { forks[_pid] == 0; forks[_pid] = 1 }; \
    atomic { forks[(_pid + 1) % 3] == 0; forks[(_pid + 1) % 3] = 1 }; forks[_pid] = 0; forks[(_pid + 1) % 3] = 0 }";

/// What must not depend on the number of threads.
fn result(desk: &Desk, line: &str) -> Vec<String> {
    let said = desk.run(line);
    let json: Value = serde_json::from_str(&said.out).unwrap_or_else(|e| panic!("{line}: {e}: {} {}", said.out, said.err));
    let same = ["verdict", "executions", "blocked", "max_depth"].map(|name| format!("{name}: {}", json[name]));
    let mut result = same.to_vec();
    result.push(format!("exit code: {}", said.code));
    result.push(format!("deadlocks: {}", json["failure_counts"]["deadlock"]));
    let mut failures: Vec<String> = json["failures"].as_array().map_or(Vec::new(), |list| {
        list.iter().map(|f| format!("{} {} {}", f["kind"], f["message"], f["at"])).collect()
    });
    failures.sort();
    result.extend(failures);
    result
}

#[test]
fn threads_find_what_one_finds() {
    let desk = Desk::new();
    desk.write("dining.pml", DINING);
    desk.write(
        "bank.abs",
        "module Bank; interface Account { Unit deposit(Int amount); Int balance(); } class Account(Int initial) implements Account { \
         Int total = initial; Unit deposit(Int amount) { total = total + amount; } Int balance() { return total; } } \
         { Account a = new Account(0); Fut<Unit> f = a!deposit(1); Fut<Unit> g = a!deposit(2); Fut<Int> h = a!balance(); f.get; g.get; Int b = h.get; }",
    );
    for program in [
        "litmus:lastzero --set n=8",
        "litmus:philosophers --set n=5 --keep-going",
        "litmus:fib --set n=3 --keep-going --order random:3",
        "dining.pml --keep-going",
        "bank.abs --keep-going",
        "actors:regsim --set n=4 --keep-going",
    ] {
        let line = |jobs: usize| format!("check {program} --algorithm optimal --json --no-minimise --jobs {jobs}");
        let expected = result(&desk, &line(1));
        for jobs in [2, 4] {
            assert_eq!(result(&desk, &line(jobs)), expected, "{}", line(jobs));
        }
    }
}

#[test]
fn limits_and_refusals_are_said() {
    let desk = Desk::new();
    let limited = desk.run("check litmus:lastzero --set n=12 --algorithm optimal --jobs 3 --max-executions 100 --json");
    let json: Value = serde_json::from_str(&limited.out).unwrap();
    assert_eq!((limited.code, json["executions"].as_u64()), (3, Some(100)), "{}", limited.out);
    for (line, reason) in [
        (
            "--algorithm source --jobs 2",
            "there is no proof that its branches may be run in any order",
        ),
        ("--algorithm optimal+observers --jobs 2", "there is no proof"),
        (
            "--mode random --jobs 2",
            "`--mode` is run by one worker: random executions of a seed are drawn one after the other",
        ),
        ("--preemptions 1 --jobs 2", "`--preemptions` is run by one worker"),
        ("--final-states --jobs 2", "`--final-states` follows a search step by step"),
        ("--verify --jobs 2", "`--certificate or --verify` follows a search"),
        ("--jobs 0", "expected a number of threads from 1 to 256"),
    ] {
        let said = desk.run(&format!("check litmus:readers {line}"));
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{line}: {}", said.err);
        assert!(said.err.contains(reason), "{line}: {}", said.err);
        assert_eq!(said.err.trim_end().lines().count(), 1, "{line}: {}", said.err);
    }
}
