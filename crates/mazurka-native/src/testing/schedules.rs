//! Schedules of failed tests: where they are written, and which one is to be run again.

use super::Test;
use mazurka_core::schedule::{Recording, Schedule, plan};
use mazurka_report::schedule_file;
use std::env;
use std::path::{Path, PathBuf};

/// The file with the schedule to run instead of a search.
const REPLAY: &str = "MAZURKA_REPLAY";
/// The folder for schedules; by default below `target`.
const FOLDER: &str = "MAZURKA_SCHEDULES";
/// The command that runs tests, if it is not `cargo test`.
const COMMAND: &str = "MAZURKA_COMMAND";

/// The schedule that the user wants to see again, if it is one of this test. Others run as usual.
///
/// # Errors
/// If there is no such file, or it is something else.
pub(super) fn to_replay(test: &Test) -> Result<Option<Schedule>, String> {
    let Some(path) = env::var_os(REPLAY).filter(|path| !path.is_empty()) else {
        return Ok(None);
    };
    let path = found(Path::new(&path));
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{REPLAY}: cannot read {}: {e}", path.display()))?;
    let schedule = schedule_file::read(&text).map_err(|e| format!("{REPLAY}: {} is not a schedule: {e}", path.display()))?;
    Ok((schedule.program == test.full_name()).then_some(schedule))
}

/// Tests run in the folder of their package; the user is perhaps in one above it.
fn found(path: &Path) -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    let candidates = here.ancestors().map(|folder| folder.join(path));
    candidates.into_iter().find(|p| p.exists()).unwrap_or_else(|| path.to_owned())
}

/// Writes the schedule of a failure; the file, unless it could not be written.
pub(super) fn save(test: &Test, recording: &Recording) -> Option<String> {
    let schedule = Schedule {
        repeats: None,
        program: test.full_name(),
        arguments: Vec::new(),
        failure: recording.failure.as_ref().map(|f| (f.kind, f.message.clone())),
        steps: plan(recording),
    };
    let folder = folder();
    std::fs::create_dir_all(&folder).ok()?;
    let file = folder.join(format!("{}.json", test.file_name()));
    std::fs::write(&file, schedule_file::write(&schedule)).ok()?;
    let here = env::current_dir().unwrap_or_default();
    Some(file.strip_prefix(&here).unwrap_or(&file).display().to_string())
}

fn folder() -> PathBuf {
    if let Some(folder) = env::var_os(FOLDER) {
        return folder.into();
    }
    // The test program is target/debug/deps/NAME, or target/TARGET/debug/deps/NAME.
    let program = env::current_exe().unwrap_or_default();
    let deps = program.ancestors().find(|path| path.ends_with("deps"));
    let target = deps.and_then(|deps| deps.parent()?.parent());
    target.map_or_else(env::temp_dir, Path::to_owned).join("mazurka").join("schedules")
}

/// What to type to see a schedule again.
pub(super) fn replay_command(test: &Test, file: &str) -> String {
    match env::var(COMMAND) {
        Ok(command) => format!("{command} replay {file}"),
        Err(_) => format!("{REPLAY}={file} cargo test {}", test.filter()),
    }
}
