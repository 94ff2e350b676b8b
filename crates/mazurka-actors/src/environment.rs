//! What the environment asks of every check, so that `cargo test` can be told without changing code.
//!
//! | variable | meaning |
//! |---|---|
//! | `MAZURKA_ALGORITHM` | the algorithm, instead of the one that the test says |
//! | `MAZURKA_TIMEOUT` | ends a check as incomplete after this time: `90`, `90s`, `5m` or `1h` |
//! | `MAZURKA_STATS` | prints the verdict and the counts of every check |
//! | `MAZURKA_REPORT` | a folder for pages: one for each check, with the feature `html` |
//! | `MAZURKA_REPLAY` | a schedule file to run instead of the search, in the test that it was saved by |
//! | `MAZURKA_SCHEDULES` | the folder for schedules of failed tests; by default `mazurka/schedules` below `target` |
//! | `MAZURKA_VERIFY` | has every verdict proved |

use mazurka_core::schedule::Schedule;
use mazurka_report::{Summary, schedule_file};
use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The value of a variable that is set to something.
pub(crate) fn value(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Whether a variable is set, to something else than 0.
pub(crate) fn is_on(name: &str) -> bool {
    value(name).is_some_and(|value| value != "0")
}

/// `MAZURKA_TIMEOUT`.
pub(crate) fn timeout() -> Option<Duration> {
    let text = value("MAZURKA_TIMEOUT")?;
    Some(duration(&text).unwrap_or_else(|| panic!("MAZURKA_TIMEOUT: expected a time such as 90, 90s, 5m or 1h, not `{text}`")))
}

fn duration(text: &str) -> Option<Duration> {
    let (digits, unit) = match text.char_indices().next_back()? {
        (at, 's') => (&text[..at], 1),
        (at, 'm') => (&text[..at], 60),
        (at, 'h') => (&text[..at], 3600),
        _ => (text, 1),
    };
    let seconds: u64 = digits.parse().ok()?;
    seconds.checked_mul(unit).filter(|s| *s > 0).map(Duration::from_secs)
}

/// The name of the running test, and for the second check in it and later ones their number: `tests::election`, `tests::election-2`.
pub(crate) fn name_of_check() -> String {
    static CHECKS: Mutex<Option<HashMap<String, u32>>> = Mutex::new(None);
    let thread = std::thread::current();
    let test = thread
        .name()
        .filter(|name| *name != "main")
        .map_or_else(name_of_program, str::to_owned);
    let mut checks = CHECKS.lock().unwrap_or_else(PoisonError::into_inner);
    let nth = checks.get_or_insert_default().entry(test.clone()).or_default();
    *nth += 1;
    if *nth == 1 { test } else { format!("{test}-{nth}") }
}

fn name_of_program() -> String {
    let program = env::current_exe().unwrap_or_default();
    program
        .file_stem()
        .map_or("main".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The schedule that is to be run instead of a check, if it is one of this check.
pub(crate) fn to_replay(check: &str) -> Option<Schedule> {
    let path = value("MAZURKA_REPLAY")?;
    let path = found(Path::new(&path));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("MAZURKA_REPLAY: cannot read {}: {e}", path.display()));
    let schedule = schedule_file::read(&text).unwrap_or_else(|e| panic!("MAZURKA_REPLAY: {} is not a schedule: {e}", path.display()));
    (schedule.program == check).then_some(schedule)
}

/// Tests run in the folder of their package; the user is perhaps in one above it.
fn found(path: &Path) -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    let mut candidates = here.ancestors().map(|folder| folder.join(path));
    candidates.find(|p| p.exists()).unwrap_or_else(|| path.to_owned())
}

/// Saves the schedule of a failed test; the line that runs it again, unless it cannot be written.
pub(crate) fn save(check: &str, schedule: &Schedule) -> Option<String> {
    let folder = value("MAZURKA_SCHEDULES").map_or_else(below_target, PathBuf::from);
    std::fs::create_dir_all(&folder).ok()?;
    let file = folder.join(format!("{}.json", file_name(check)));
    std::fs::write(&file, schedule_file::write(schedule)).ok()?;
    let test = check.rsplit_once('-').map_or(check, |(test, _)| test);
    Some(format!("MAZURKA_REPLAY={} cargo test {test}", file.display()))
}

fn below_target() -> PathBuf {
    // The test program is target/debug/deps/NAME, or target/TARGET/debug/deps/NAME.
    let program = env::current_exe().unwrap_or_default();
    let deps = program.ancestors().find(|path| path.ends_with("deps"));
    let target = deps.and_then(|deps| deps.parent()?.parent());
    target.map_or_else(env::temp_dir, Path::to_owned).join("mazurka").join("schedules")
}

fn file_name(check: &str) -> String {
    check.replace("::", "-")
}

/// The text of a source file. Tests run in the folder of their package; the names of files may begin at the one of their workspace.
pub(crate) fn source(name: &str) -> Option<String> {
    let here = env::current_dir().unwrap_or_default();
    here.ancestors().find_map(|folder| std::fs::read_to_string(folder.join(name)).ok())
}

/// Writes the page of a check, if pages are wanted.
pub(crate) fn report(check: &str, summary: impl FnOnce() -> Summary) {
    let Some(folder) = value("MAZURKA_REPORT") else { return };
    let file = PathBuf::from(folder).join(format!("{}.html", file_name(check)));
    let page = page(&summary());
    let folder = file.parent().unwrap_or(&file);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&file, page))
        .unwrap_or_else(|e| panic!("MAZURKA_REPORT: cannot write {}: {e}", file.display()));
}

#[cfg(feature = "html")]
fn page(summary: &Summary) -> String {
    mazurka_report::html::render(summary)
}

#[cfg(not(feature = "html"))]
fn page(_: &Summary) -> String {
    panic!("MAZURKA_REPORT: pages need the feature `html` of the crate `mazurka`")
}

#[cfg(test)]
mod tests {
    use super::{duration, file_name, name_of_check};
    use std::time::Duration;

    #[test]
    fn times_are_read_with_their_units() {
        let seconds = |text| duration(text).map(|d: Duration| d.as_secs());
        assert_eq!(["90", "90s", "5m", "1h"].map(seconds), [Some(90), Some(90), Some(300), Some(3600)]);
        assert_eq!(
            ["", "0", "m", "5d", "-1", "1.5", "99999999999999999999h", "9999999999999999999h"].map(seconds),
            [None; 8]
        );
    }

    #[test]
    fn checks_are_named_by_their_tests() {
        let names = [name_of_check(), name_of_check()];
        assert!(names[0].ends_with("checks_are_named_by_their_tests"), "{}", names[0]);
        assert_eq!(names[1], format!("{}-2", names[0]));
        assert_eq!(file_name("a::b-2"), "a-b-2");
    }
}
