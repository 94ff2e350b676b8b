//! What tools cover of the same protocols, in how much processor time and memory.
//!
//! Each search runs in a process of its own and is ended after `LIMIT` seconds of its own processor time.

mod systems;
mod tools;

use std::process::{Command, ExitCode};
use tools::Covered;

/// Seconds of processor time for one search.
const LIMIT: u64 = 20;
const TOOLS: [&str; 5] = ["mazurka", "mazurka:optimal", "mazurka:stateful", "stateright", "traceforge"];
const ROWS: [(&str, usize); 8] = [
    ("registry", 3),
    ("registry", 5),
    ("registry", 7),
    ("2pc", 3),
    ("2pc", 5),
    ("2pc", 7),
    ("paxos", 3),
    ("abd", 3),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => table(),
        [tool, protocol, n] => one(tool, protocol, n.parse().unwrap_or(0)),
        _ => {
            eprintln!("usage: protocols [TOOL PROTOCOL N]");
            ExitCode::from(2)
        }
    }
}

fn table() -> ExitCode {
    println!("| protocol | tool | covered | processor time | memory |\n|---|---|---:|---:|---:|");
    let myself = std::env::current_exe().expect("the path of this program");
    for (protocol, n) in ROWS {
        for tool in TOOLS {
            let output = Command::new(&myself)
                .args([tool, protocol, &n.to_string()])
                .output()
                .expect("this program starts");
            // Tools print how far they are.
            let said = String::from_utf8_lossy(&output.stdout);
            let last = said.lines().last().filter(|_| output.status.success());
            let cells = last.map_or_else(|| format!("– | {} | –", reason(&output)), str::to_owned);
            println!("| {protocol}({n}) | {tool} | {cells} |");
        }
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

/// Runs one search, and prints what it covered, its time and its memory.
fn one(tool: &str, name: &str, n: usize) -> ExitCode {
    let limit = libc::rlimit {
        rlim_cur: LIMIT,
        rlim_max: LIMIT + 1,
    };
    // SAFETY: the limit is a valid value, which is read only.
    unsafe { libc::setrlimit(libc::RLIMIT_CPU, &limit) };
    let Some(protocol) = systems::named(name, n).filter(|_| n > 0) else {
        eprintln!("no protocol `{name}` with {n} nodes; expected one of {}", systems::NAMES.join(", "));
        return ExitCode::from(2);
    };
    let before = usage();
    let Covered { count, what } = match tool {
        "mazurka" => tools::mazurka(protocol, ""),
        "mazurka:optimal" => tools::mazurka(protocol, "optimal"),
        "mazurka:stateful" => tools::mazurka(protocol, "stateful"),
        "stateright" => tools::stateright(protocol),
        "traceforge" => tools::traceforge(protocol),
        _ => {
            eprintln!("no tool `{tool}`; expected one of {}", TOOLS.join(", "));
            return ExitCode::from(2);
        }
    };
    let after = usage();
    let milliseconds = (after.0 - before.0) as f64 / 1e3;
    println!("\n{count} {what} | {milliseconds:.1} ms | {:.1} MB", after.1 as f64 / 1e3);
    ExitCode::SUCCESS
}

/// Microseconds of processor time of this process, and the most kilobytes of memory that it had.
fn usage() -> (u64, u64) {
    // SAFETY: a value of zeros is valid, and the call writes nothing else.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let micros = |time: libc::timeval| (time.tv_sec as u64) * 1_000_000 + time.tv_usec as u64;
    (micros(usage.ru_utime) + micros(usage.ru_stime), usage.ru_maxrss as u64)
}
