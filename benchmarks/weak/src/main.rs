//! Execution graphs, or executions, and processor time until a tool has covered everything.
//!
//! Each search runs in a process of its own and is ended after `LIMIT` seconds of its own processor time.

mod programs;

use mazurka_litmus::weak::{Concurrent, Run};
use mazurka_weak::{Ending, Graph, Limits, Search};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Seconds of processor time for one search.
const LIMIT: u64 = 10;
const TOOLS: [&str; 3] = ["graphs", "mazurka", "loom"];

/// A program, its parameter, how many executions there are, and how many GenMC takes in a second.
///
/// The numbers of executions are the known ones: of `ainc`, and of `writers` with one reader more, they stand in GenMC's own tests (`tests/correct/synthetic`); `sb` and
/// `2+2W` are 2^n, `lb` is one less without load buffering, `mutex` is n!. The speeds were measured with GenMC 0.10.1 under `--sc`, where these two have as many
/// executions, on one core of a machine of two cores at another time: only their magnitude means anything.
const ROWS: [(&str, usize, u64, &str); 14] = [
    ("sb", 2, 4, ""),
    ("sb", 3, 8, ""),
    ("sb", 10, 1_024, ""),
    ("lb", 3, 7, ""),
    ("lb", 10, 1_023, ""),
    ("2+2W", 3, 8, ""),
    ("2+2W", 10, 1_024, ""),
    ("mp", 2, 3, ""),
    ("writers", 4, 24, ""),
    ("writers", 8, 40_320, "267,000"),
    ("readers", 14, 16_384, "123,000"),
    ("ainc", 3, 6, ""),
    ("ainc", 7, 5_040, ""),
    ("mutex", 4, 24, ""),
];

/// How often a program was run, under loom.
static EXECUTIONS: AtomicU64 = AtomicU64::new(0);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => table(),
        [tool, program, n] => one(tool, program, n.parse().unwrap_or(0)),
        _ => {
            eprintln!("usage: weak [TOOL PROGRAM N]");
            ExitCode::from(2)
        }
    }
}

fn table() -> ExitCode {
    println!("| program | tool | executions | processor time | per second |\n|---|---|---:|---:|---:|");
    let myself = std::env::current_exe().expect("the path of this program");
    let mut differs = false;
    for (program, n, expected, speed) in ROWS {
        for tool in TOOLS {
            let output = Command::new(&myself)
                .args([tool, program, &n.to_string()])
                .output()
                .expect("this program starts");
            let said = String::from_utf8_lossy(&output.stdout);
            match said.lines().last().unwrap_or_default().split_once(' ') {
                Some((executions, micros)) if output.status.success() => {
                    let (count, micros): (u64, f64) = (executions.parse().unwrap_or(0), micros.parse().unwrap_or(1.0));
                    differs |= tool != "loom" && count != expected;
                    let per_second = count as f64 / micros.max(1.0) * 1e6;
                    println!("| {program}({n}) | {tool} | {count} | {:.1} ms | {per_second:.0} |", micros / 1e3);
                }
                _ => println!("| {program}({n}) | {tool} | – | {} | |", reason(&output)),
            }
        }
        let known = if speed.is_empty() { "known" } else { "GenMC 0.10.1, --sc" };
        println!("| {program}({n}) | {known} | {expected} | | {speed} |");
    }
    if differs {
        eprintln!("a number of execution graphs is not the published one");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn reason(output: &std::process::Output) -> String {
    use std::os::unix::process::ExitStatusExt;
    if output.status.signal() == Some(libc::SIGXCPU) {
        return format!("more than {LIMIT} s");
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let line = words.lines().find(|line| !line.trim().is_empty() && !line.starts_with("thread '"));
    line.unwrap_or("failed").chars().take(60).collect()
}

/// Runs one search, and prints executions and microseconds.
fn one(tool: &str, name: &str, n: usize) -> ExitCode {
    let limit = libc::rlimit {
        rlim_cur: LIMIT,
        rlim_max: LIMIT + 1,
    };
    // SAFETY: the limit is a valid value, which is read only.
    unsafe { libc::setrlimit(libc::RLIMIT_CPU, &limit) };
    let start = processor_time();
    let executions = match tool {
        "graphs" => programs::text(name, n).map(|text| graphs(&text)),
        "mazurka" => programs::mazurka::named(name).map(|f| mazurka::Check::new().model("rc11").run(move || f(n)).executions()),
        "loom" => programs::loom::named(name).map(|f| {
            loom::model(move || {
                EXECUTIONS.fetch_add(1, Relaxed);
                f(n);
            });
            EXECUTIONS.load(Relaxed)
        }),
        _ => None,
    };
    let Some(executions) = executions else {
        eprintln!("{tool} has no `{name}`");
        return ExitCode::from(2);
    };
    println!("{executions} {}", processor_time() - start);
    ExitCode::SUCCESS
}

/// How many execution graphs there are.
fn graphs(text: &str) -> u64 {
    let program = Concurrent::parse("program", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let model = mazurka_weak::model("rc11").expect("the model");
    let mut search = Search::new(&program, model, Limits::default());
    search.run(&mut |_: &Graph, _: &Run, _: &Ending| true);
    search.counts().graphs
}

/// Microseconds of processor time of this process.
fn processor_time() -> u64 {
    // SAFETY: a value of zeros is valid, and the call writes nothing else.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let micros = |time: libc::timeval| (time.tv_sec as u64) * 1_000_000 + time.tv_usec as u64;
    micros(usage.ru_utime) + micros(usage.ru_stime)
}
