//! Executions and processor time until a tool has covered everything, for the same text of each program.
//!
//! Each search runs in a process of its own and is ended after `LIMIT` seconds of its own processor time.

mod programs;
mod traceforge;

use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Seconds of processor time for one search.
const LIMIT: u64 = 10;
const TOOLS: [&str; 4] = ["mazurka", "loom", "shuttle", "traceforge"];
/// loom has room for five threads.
const ROWS: [(&str, usize); 12] = [
    ("writers", 3),
    ("writers", 4),
    ("writers", 8),
    ("readers", 3),
    ("counter", 3),
    ("counter", 4),
    ("registry", 3),
    ("registry", 7),
    ("philosophers", 3),
    ("philosophers", 4),
    ("philosophers", 9),
    ("door", 2),
];

/// How often a program was run.
static EXECUTIONS: AtomicU64 = AtomicU64::new(0);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => table(),
        [tool, program, n] => one(tool, program, n.parse().unwrap_or(0)),
        _ => {
            eprintln!("usage: threads [TOOL PROGRAM N]");
            ExitCode::from(2)
        }
    }
}

fn table() -> ExitCode {
    println!("| program | tool | executions | processor time |\n|---|---|---:|---:|");
    let myself = std::env::current_exe().expect("the path of this program");
    for (program, n) in ROWS {
        for tool in TOOLS {
            let output = Command::new(&myself)
                .args([tool, program, &n.to_string()])
                .output()
                .expect("this program starts");
            // TraceForge prints how far it is.
            let said = String::from_utf8_lossy(&output.stdout);
            match said.lines().last().unwrap_or_default().split_once(' ') {
                Some((executions, micros)) if output.status.success() => {
                    let micros: f64 = micros.parse().unwrap_or(0.0);
                    println!("| {program}({n}) | {tool} | {executions} | {:.1} ms |", micros / 1e3);
                }
                _ => println!("| {program}({n}) | {tool} | – | {} |", reason(&output)),
            }
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

/// Runs one search, and prints executions and microseconds.
fn one(tool: &str, name: &str, n: usize) -> ExitCode {
    let limit = libc::rlimit {
        rlim_cur: LIMIT,
        rlim_max: LIMIT + 1,
    };
    // SAFETY: the limit is a valid value, which is read only.
    unsafe { libc::setrlimit(libc::RLIMIT_CPU, &limit) };
    let program = match tool {
        "mazurka" => programs::mazurka::named(name),
        "loom" => programs::loom::named(name),
        "shuttle" => programs::shuttle::named(name),
        "traceforge" => programs::traceforge::named(name),
        _ => None,
    };
    let Some(program) = program else {
        eprintln!("{tool} has no `{name}`");
        return ExitCode::from(2);
    };
    let counted = move || {
        EXECUTIONS.fetch_add(1, Relaxed);
        program(n);
    };
    let start = processor_time();
    match tool {
        "mazurka" => mazurka::check(counted),
        "loom" => loom::model(counted),
        "shuttle" => {
            shuttle::check_dfs(counted, None);
        }
        _ => {
            ::traceforge::verify(::traceforge::Config::builder().with_progress_report(usize::MAX).build(), counted);
        }
    }
    println!("{} {}", EXECUTIONS.load(Relaxed), processor_time() - start);
    ExitCode::SUCCESS
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
