//! Runs a test program under limits of time and memory.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// All is well.
    Passed,
    /// It failed: the test's name, or how it ended.
    Failed(String),
    /// It took too long or too much.
    Exceeded(String),
}

/// What a process may use.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Seconds of the processor.
    pub processor: u64,
    /// Megabytes of address space.
    pub memory: u64,
}

/// Runs the program with these arguments and variables. It is ended at the first test that fails.
pub fn run(program: &Path, arguments: &[String], folder: &Path, variables: &[(&str, String)], limits: Limits) -> Result<End, String> {
    // The shell sets the limits and becomes the program.
    let script = format!(
        "ulimit -c 0; ulimit -v {}; ulimit -t {}; exec \"$0\" \"$@\"",
        limits.memory * 1024,
        limits.processor
    );
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(script)
        .arg(program)
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_MANIFEST_DIR", folder)
        .env("INSTA_UPDATE", "no")
        .env("INSTA_FORCE_PASS", "0")
        .env("RUST_BACKTRACE", "0")
        .env("RUST_MIN_STACK", "8388608")
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| format!("{}: {e}", program.display()))?;
    let output = child.stdout.take();
    let failed = Arc::new(Mutex::new(None));
    let reader = output.map(|output| {
        let failed = Arc::clone(&failed);
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if let Some(rest) = line.strip_suffix(" ... FAILED") {
                    let name = rest.strip_prefix("test ").unwrap_or(rest).to_owned();
                    failed.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(name);
                    break;
                }
            }
        })
    });
    let deadline = Instant::now() + Duration::from_secs(limits.processor * 6 + 20);
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if failed.lock().unwrap_or_else(|e| e.into_inner()).is_some() {
            break stop(&mut child)?;
        }
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status;
        }
        if Instant::now() > deadline {
            stop(&mut child)?;
            return Ok(End::Exceeded("waited in vain".to_owned()));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(30));
    };
    if let Some(reader) = reader {
        let _ = reader.join();
    }
    let failed = failed.lock().unwrap_or_else(|e| e.into_inner()).take();
    Ok(match failed {
        Some(name) => End::Failed(name),
        None if status.success() => End::Passed,
        None => ending(status),
    })
}

fn stop(child: &mut Child) -> Result<std::process::ExitStatus, String> {
    let _ = child.kill();
    child.wait().map_err(|e| e.to_string())
}

/// What the way a process ended says: by signal 9 or 24 for its time, by 6 or 11 for its memory.
#[cfg(unix)]
fn ending(status: std::process::ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(9 | 24) => End::Exceeded("time".to_owned()),
        Some(6 | 11) => End::Failed("aborted, without memory or stack".to_owned()),
        _ => End::Failed(format!("{status}")),
    }
}

#[cfg(not(unix))]
fn ending(status: std::process::ExitStatus) -> End {
    End::Failed(format!("{status}"))
}
