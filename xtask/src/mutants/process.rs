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

/// What a run was like.
#[derive(Clone, PartialEq, Debug)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// Seconds of the processor, to a few hundredths; where these are not known, seconds of the clock.
    pub seconds: f64,
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
pub fn run(program: &Path, arguments: &[String], folder: &Path, variables: &[(&str, String)], limits: Limits) -> Result<Ran, String> {
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
    let started = Instant::now();
    let mut used = None;
    let deadline = started + Duration::from_secs(limits.processor * 6 + 20);
    let mut pause = Duration::from_millis(1);
    let status = loop {
        used = processor_seconds(child.id()).or(used);
        if failed.lock().unwrap_or_else(|e| e.into_inner()).is_some() {
            break Some(stop(&mut child)?);
        }
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break Some(status);
        }
        if Instant::now() > deadline {
            stop(&mut child)?;
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(30));
    };
    if let Some(reader) = reader {
        let _ = reader.join();
    }
    let failed = failed.lock().unwrap_or_else(|e| e.into_inner()).take();
    let end = match (failed, status) {
        (Some(name), _) => End::Failed(name),
        (None, None) => End::Exceeded("waited in vain".to_owned()),
        (None, Some(status)) if status.success() => End::Passed,
        (None, Some(status)) => ending(status),
    };
    let seconds = used.unwrap_or_else(|| started.elapsed().as_secs_f64());
    Ok(Ran { end, seconds })
}

/// How long a process has had the processor so far: what matters on a machine that others use as well.
fn processor_seconds(process: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may hold anything; the times are the 14th and 15th field, in hundredths.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|f| f.parse::<f64>().ok());
    Some((ticks(11)? + ticks(12)?) / 100.0)
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
