//! `check --checkpoint` and `resume`: a search that is killed at any moment says in the end what one says that nobody disturbs, and what cannot be
//! gone on with is refused in one line.

use crate::support::{Desk, said};
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

pub const DINING: &str = "byte forks[4]; active [4] proctype Philosopher() { atomic { forks[_pid] == 0; forks[_pid] = 1 }; \
    atomic { forks[(_pid + 1) % 4] == 0; forks[(_pid + 1) % 4] = 1 }; forks[_pid] = 0; forks[(_pid + 1) % 4] = 0 }";

pub const BANK: &str = "module Bank; interface Account { Unit deposit(Int amount); Int balance(); } class Account(Int initial) implements Account { \
    Int total = initial; Unit deposit(Int amount) { total = total + amount; } Int balance() { return total; } } \
    { Account a = new Account(0); Account b = new Account(1); Fut<Unit> f = a!deposit(1); Fut<Unit> g = a!deposit(2); Fut<Int> h = a!balance(); \
    Fut<Unit> i = b!deposit(1); Fut<Unit> j = b!deposit(2); Fut<Int> k = b!balance(); Fut<Int> l = b!balance(); Fut<Unit> m = a!deposit(3); \
    f.get; g.get; i.get; j.get; m.get; Int x = h.get; Int y = k.get; Int z = l.get; }";

/// All that a search says, but for times and memory.
fn result(code: i32, text: &str) -> (i32, Value) {
    let mut json: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let fields = json.as_object_mut().expect("an object");
    fields.retain(|name, _| !name.contains("elapsed") && !name.contains("memory"));
    (code, json)
}

/// Runs a command and kills it after this time, if it is not done by then: what it said, if it was done.
fn killed(desk: &Desk, line: &str, after: Duration) -> Option<(i32, String)> {
    let mut command = desk.command();
    // Not a pipe: nobody reads it in the meantime, and it may be full.
    let out = std::fs::File::create(desk.path("out")).expect("a file in the temporary directory");
    command.args(line.split_whitespace()).stdout(out).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary runs");
    std::thread::sleep(after);
    // One that is done already is not killed.
    let _ = child.kill();
    let said = said(child.wait_with_output().expect("it ends"));
    (said.code >= 0).then(|| {
        assert!(said.code != 2, "{line}: {}", said.err);
        (said.code, desk.read("out"))
    })
}

const SEARCHES: [&str; 7] = [
    "litmus:lastzero --set n=11 --algorithm optimal",
    "litmus:philosophers --set n=10 --keep-going --final-states --no-minimise",
    "litmus:fib --set n=4 --keep-going --algorithm source --order random:3 --no-minimise",
    "dining.pml --algorithm optimal --keep-going --final-states --no-minimise",
    "bank.abs --keep-going --final-states --order random:5",
    "actors:regsim --set n=6 --keep-going --final-states",
    "litmus:philosophers --set n=4 --mode urw --budget 6000 --keep-going --no-minimise",
];

/// A search that nobody disturbs: what it says, and how long it takes here and now.
struct Undisturbed {
    says: (i32, Value),
    takes: Duration,
}

/// `KILLS=200` kills so many times instead.
#[test]
fn a_search_that_is_killed_and_resumed_says_what_one_says_that_is_not() {
    let desk = Desk::new();
    desk.write("dining.pml", DINING);
    desk.write("bank.abs", BANK);
    let check = |search: &str, directory: &str| format!("check {search} --json --checkpoint {directory} --every 10ms");
    let undisturbed: Vec<Undisturbed> = SEARCHES
        .iter()
        .enumerate()
        .map(|(at, search)| {
            let began = Instant::now();
            let said = desk.run(&check(search, &format!("whole{at}")));
            Undisturbed {
                says: result(said.code, &said.out),
                takes: began.elapsed(),
            }
        })
        .collect();
    let wanted: u32 = std::env::var("KILLS").map_or(20, |n| n.parse().expect("KILLS is a number"));
    let (mut numbers, mut kills) = (7u64, 0);
    // How often a search is killed before it is done depends on the machine; so it is begun again until there were enough.
    for round in 0..10 * wanted {
        if kills >= wanted {
            break;
        }
        let at = round as usize % SEARCHES.len();
        let (search, Undisturbed { says, takes }) = (SEARCHES[at], &undisturbed[at]);
        let directory = format!("part{round}");
        let (mut line, mut patience) = (check(search, &directory), Duration::ZERO);
        let found = loop {
            numbers = numbers
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let instant = *takes * ((numbers >> 33) % 1000) as u32 / 1000;
            // Later and later, so that it comes to an end on any machine.
            if let Some(done) = killed(&desk, &line, instant + patience) {
                break done;
            }
            kills += 1;
            patience += *takes / 8;
            if desk.path(&format!("{directory}/checkpoint.redb")).exists() {
                line = format!("resume {directory}");
            }
        };
        assert_eq!(&result(found.0, &found.1), says, "{search}");
        // What is done can be asked again.
        let again = desk.run(&format!("resume {directory}"));
        assert_eq!(&result(again.code, &again.out), says, "{search}");
    }
    assert!(kills >= wanted, "{kills}");
}

#[test]
fn one_that_ran_out_of_time_goes_on_with_more() {
    let desk = Desk::new();
    let line = "check litmus:lastzero --set n=11 --algorithm optimal --json";
    let expected = desk.run(line);
    let short = desk.run(&format!("{line} --timeout 20ms --checkpoint d"));
    assert_eq!(short.code, 3, "{}{}", short.out, short.err);
    assert!(short.out.contains("mazurka resume"), "{}", short.out);
    let mut again = desk.run("resume d");
    assert_eq!(again.code, 3, "its time is over");
    again = desk.run("resume d --timeout 10m");
    let (expected, found) = (result(expected.code, &expected.out), result(again.code, &again.out));
    assert_eq!(found, expected);
}

#[test]
fn what_cannot_be_gone_on_with_is_refused_in_one_line() {
    let desk = Desk::new();
    desk.write("p.litmus", "init x; p0:[x=1] p1:[x=2]");
    assert_eq!(desk.run("check p.litmus --checkpoint d").code, 0);
    desk.write("plain", "a file");
    let refused = |line: &str, expected: &str| {
        let said = desk.run(line);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{line}: {}", said.err);
        assert_eq!(said.err.trim_end().lines().count(), 1, "{line}: {}", said.err);
        assert!(
            said.err.starts_with("error: ") && said.err.contains(expected),
            "{line}: {}",
            said.err
        );
    };
    for (line, expected) in [
        (
            "resume nowhere",
            "there is no checkpoint in `nowhere`; expected a directory that `check --checkpoint` has written",
        ),
        ("check p.litmus --checkpoint d", "already; `mazurka resume"),
        ("check p.litmus --checkpoint plain", "holds something that is no checkpoint"),
        (
            "check p.litmus --checkpoint /proc/none/d",
            "cannot write the checkpoint in `/proc/none/d`",
        ),
        ("check p.litmus --every 5s", "missing --checkpoint"),
        ("check p.litmus --checkpoint e --every 0s", "expected a positive number with a unit"),
        (
            "check p.litmus --checkpoint e --algorithm source+merge",
            "`source+merge` cannot be saved: it does not say where it stands; take `optimal` or `source`, or leave out --checkpoint",
        ),
        ("check p.litmus --checkpoint e --algorithm stateful", "leave out --checkpoint"),
        ("check p.litmus --checkpoint e --preemptions 1", "leave out --checkpoint"),
        ("check p.litmus --checkpoint e --replay", "`--replay` cannot be saved"),
        (
            "check p.litmus --checkpoint e --report r.html",
            "`--report` follows a search from its beginning",
        ),
        (
            "check p.litmus --checkpoint e --verify",
            "`--certificate or --verify` follows a search from its beginning",
        ),
        (
            "check p.litmus --checkpoint e --paranoid",
            "`--paranoid` follows a search from its beginning",
        ),
        (
            "check p.abs --checkpoint e --product all",
            "`--product all` is one search for each product",
        ),
    ] {
        refused(line, expected);
    }
    assert!(!desk.path("e").exists(), "nothing was written");
    desk.write("p.litmus", "init x; p0:[x=1] p1:[x=3]");
    refused("resume d", "the checkpoint in `");
    refused("resume d", "is not of this search of `p.litmus`: the program has changed since");
    std::fs::write(desk.path("d/checkpoint.redb"), "scribbled over").unwrap();
    refused("resume d", "`d` ");
}
