//! Tests in processes of their own: the test program starts itself again for one test, and reads the result from a file.

use super::{Judged, Test};
use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Names the file for the result in the process that runs one test.
const RESULT: &str = "MAZURKA_RESULT";
/// `0` if tests are to run where they are.
const ISOLATE: &str = "MAZURKA_ISOLATE";
/// How much longer than its time a test may take before it is ended from outside: code that never takes a step does not look at clocks.
const GRACE: Duration = Duration::from_secs(30);
/// So much of what a process wrote before it died is shown.
const LAST_WORDS: usize = 4_000;

/// What this process has to do for a test.
pub(super) enum Role {
    /// Nothing but to start another one.
    Alone,
    /// To run the test, and write the result there.
    Child(PathBuf),
    /// All of it.
    Here,
}

/// The role of this process.
pub(super) fn role() -> Role {
    if let Some(file) = env::var_os(RESULT) {
        return Role::Child(file.into());
    }
    match env::var(ISOLATE).as_deref() {
        Ok("0") => Role::Here,
        _ => Role::Alone,
    }
}

/// Tells the parent how the test ended.
pub(super) fn answer(to: &Path, result: Judged) {
    let text = match result {
        Ok(verdict) => format!("passed\n{verdict}"),
        Err(report) => format!("failed\n{report}"),
    };
    if let Err(e) = std::fs::write(to, text) {
        eprintln!("cannot write {}: {e}", to.display());
    }
}

/// Runs a test in another process.
pub(super) fn run_elsewhere(test: &Test) -> Judged {
    let folder = Folder::new().map_err(|e| format!("cannot make a folder for the result of the test: {e}"))?;
    let (result, words) = (folder.0.join("result"), folder.0.join("stderr"));
    let status = start_and_wait(test, &result, &words).map_err(|e| format!("cannot run the test in a process of its own: {e}"))?;
    let answer = std::fs::read_to_string(&result).unwrap_or_default();
    match answer.split_once('\n') {
        Some(("passed", verdict)) => Ok(verdict.to_owned()),
        Some(("failed", report)) => Err(report.to_owned()),
        _ => Err(died(status, &words)),
    }
}

/// How the process ended; `None` if it had to be stopped.
fn start_and_wait(test: &Test, result: &Path, words: &Path) -> std::io::Result<Option<ExitStatus>> {
    let mut child = Command::new(env::current_exe()?)
        .args([&test.filter(), "--exact", "--include-ignored", "--nocapture", "--test-threads=1"])
        .env(RESULT, result)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(words)?)
        .spawn()?;
    let end = test.time.map(|time| Instant::now() + time + GRACE);
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if end.is_some_and(|end| Instant::now() > end) {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn died(status: Option<ExitStatus>, words: &Path) -> String {
    let words = std::fs::read(words).unwrap_or_default();
    let words = String::from_utf8_lossy(&words[words.len().saturating_sub(LAST_WORDS)..]).into_owned();
    let how = match status {
        None => "the code under test did not come to its next step in time: it does not end, or it waits for something real".to_owned(),
        Some(status) => format!("the code under test ended the process ({status}), which no check can survive"),
    };
    if words.trim().is_empty() {
        return how;
    }
    format!("{how}; its last words:\n{words}")
}

/// A folder that is removed with its content.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Self> {
        use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("mazurka-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let folder = env::temp_dir().join(name);
        std::fs::create_dir(&folder)?;
        Ok(Folder(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left is a few lines in a folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
